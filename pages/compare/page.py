from pages.compare import beside, mapping, tables, usefulness
from pages.shared import panes, show
from pages.shared.needed import needed
from pages.shared.session import session

s = session()
needed(s, met=False)
views = {"Usefulness": usefulness.of_tables}
if s.now.compares_several:
    views = {"Map": mapping.of_sets, "Side by side": tables.side_by_side, **views}
asked, shown = panes.beside("compare", 2, 3)
with asked:
    chosen = show.view(views, "compare.view")
    beside.ask(s)
chosen(s, asked, shown)
with asked:
    show.next_page("report", "download the report")
