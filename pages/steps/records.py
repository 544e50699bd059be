from pages.parts import listing, protecting, show
from pages.parts.session import session

VIEWS = {
    "Records at risk": listing.at_risk,
    "Look up": listing.look_up,
    "Replicated uniques": listing.replicated_uniques,
    "Safeguards": protecting.safeguards,
}

s = session()
show.heading(
    "Records", "The people behind the figures: who is at risk, what a look-up tells, and what would protect them."
)
show.needed(s, records=True)
result = s.assessment()
show.under_review(s, result)
show.view(VIEWS, "records.view")(s, result)
