from pages.safeguards import protecting, variants
from pages.shared import show
from pages.shared.session import session

s = session()
show.heading("Safeguards", "Try steps that make the syntheses safer, see their effect, download the safer files.")
show.needed(s, records=True)
result = s.assessment()
show.under_review(s)
variants.ask(s)
protecting.safeguards(s, result)
show.next_page("baseline", "what would be known anyway")
