from pages.safeguards import protecting, variants
from pages.shared import show
from pages.shared.session import session

s = session()
show.heading("Safeguards", "What would make the syntheses safer: try it, see the effect, take the safer files away.")
show.needed(s, records=True)
result = s.assessment()
show.under_review(s)
variants.ask(s)
protecting.safeguards(s, result)
show.next_page("baseline", "what would be known anyway")
