from pages.parts import holdouts, memberships, releases, show
from pages.parts.session import session

VIEWS = {
    "Attributes": holdouts.attributes,
    "Replicated uniques": holdouts.identity,
    "Membership": memberships.membership,
    "Fewer records": releases.fewer,
    "Released together": releases.together,
    "Anonymity": releases.anonymity,
}

s = session()
show.heading(
    "Baseline", "What would be known anyway, of people who were not in the data; and what else changes the figures."
)
show.needed(s, records=True)
result = s.assessment()
show.under_review(s, result)
holdouts.bring(s)
show.view(VIEWS, "baseline.view")(s, result)
