from pages.records import listing
from pages.shared import panes, show
from pages.shared.needed import needed
from pages.shared.session import session

VIEWS = {
    "Records at risk": listing.at_risk,
    "Look up": listing.look_up,
    "Replicated uniques": listing.replicated_uniques,
}

s = session()
needed(s, records=True)
result = s.now.assessment()
asked, shown = panes.side_by_side("records", 1, 2)
with asked:
    chosen = show.view(VIEWS, "records.view")
chosen(s, result, asked, shown)
with asked:
    show.next_page("safeguards", "make the syntheses safer")
