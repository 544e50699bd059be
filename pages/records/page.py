from pages.records import listing
from pages.shared import show
from pages.shared.session import session

VIEWS = {
    "Records at risk": listing.at_risk,
    "Look up": listing.look_up,
    "Replicated uniques": listing.replicated_uniques,
}

s = session()
show.heading("Records", "The people behind the figures: who is at risk, and what a look-up tells.")
show.needed(s, records=True)
result = s.assessment()
show.under_review(s)
show.view(VIEWS, "records.view")(s, result)
show.next_page("safeguards", "what would make the syntheses safer")
