"""How things look: headings, figures, tables, empty states, and errors as sentences."""

from __future__ import annotations

import logging
import re
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import pandas as pd
import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.figures.screen import draw, enlarged
from disclosure_core.rounding import fixed, rounded
from pages.server.logs import kind_and_place
from pages.shared import drawer, sets
from pages.shared.session import LARGER, larger, session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from streamlit.typing import PlotlyState

    from disclosure_core import Assessment, Settings
    from disclosure_core.data.readers import Reading
    from disclosure_core.data.study import AnyStudy, Note
    from disclosure_core.figures.catalogue import Plot
    from disclosure_core.figures.queue import QueuePlot
    from pages.shared.session import Session

WORDS = Path(__file__).parent / "words"
STYLES = Path(__file__).parents[2] / "assets" / "bench.css"
LABEL = "What the file says that the column holds."
WAITING = "Waiting until other visitors' files are read …"
NONE = "–"
"""What stands in a table where there is no figure."""

TIMES = 1.4
"""How much larger words and figures are for a projector."""

_LOG = logging.getLogger(__name__)


def literal(raw: str) -> str:
    """Return text from the data so that Markdown shows it letter by letter."""
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|$:~^&=@])", r"\\\1", raw)


@cache
def words(name: str) -> tuple[str, str]:
    """Return an explanation: the short text for the page, and the rest; the file parts them by a line `---`."""
    short, _, rest = (WORDS / f"{name}.md").read_text(encoding="utf-8").partition("\n---\n")
    return short.strip(), rest.strip()


def explained_by(name: str) -> None:
    """Show an explanation: two sentences, and a sign that opens the rest in the drawer on the right."""
    short, rest = words(name)
    with st.container(horizontal=True, wrap=False, vertical_alignment="top", gap="small"):
        st.caption(short, width="stretch")
        if rest:
            with st.container(width="content"):
                drawer.sign(name, rest)


def for_a_projector() -> None:
    """Offer larger words and figures, in this visitor's tab only."""
    help_text = "For a projector: words, tables and figures grow, in this tab only."
    if st.toggle("Larger text", key=LARGER, persist_state="session", help=help_text):
        st.html(f"<style>html {{ font-size: {100 * TIMES:.0f}%; }}</style>")


def heights() -> None:
    """Give the bench's panes the window's height, and the status bar one line of it: Streamlit knows no window."""
    st.html(STYLES)


def tiles(n: int) -> list[Any]:
    """Return places for `n` large figures: beside each other, as many as have room."""
    return [st.container(horizontal=True)] * n


def heading(title: str, purpose: str) -> None:
    """Open a page: its title and one sentence on what it is for."""
    st.title(title)
    st.markdown(purpose)


@contextmanager
def explained() -> Iterator[None]:
    """Show what the user can mend as a sentence, and anything else as a fault of ours without a traceback."""
    try:
        yield
    except DisclosureError as error:
        st.error(literal(str(error)), icon=":material/error:")
        st.stop()
    except Exception as error:
        if type(error).__module__.startswith("streamlit."):
            raise  # Streamlit's own signals: stop, rerun, switch page
        # The message may hold levels of the data: the log gets the type and the place only.
        _LOG.error("unexpected %s", kind_and_place(error))
        st.error("Something went wrong on our side. Reload the page; if it happens again, report what you did.")
        st.stop()


def needed(s: Session, *, keys: bool = True, records: bool = False, hear: bool = True) -> AnyStudy:
    """Return the study; where there is none, or no keys or records, say so, offer the way there, and end the page.

    A page that tells by itself what a change did does not `hear` it here.
    """
    if hear:
        said(s.hear())
    if s.study is None:
        _empty("There are no data yet.", "data", "Bring an original and a synthetic file")
    if keys and not s.settings.keys:
        _empty("No keys are chosen yet.", "keys", "Choose what an outsider could know")
    if records and not s.study.holds_records:
        _empty("These data stay in their engine, which hands out no record.", "data", "Bring files instead")
    return s.study


def _empty(message: str, step: str, label: str) -> NoReturn:
    with st.container(border=True, horizontal_alignment="center"):
        st.markdown(message, text_alignment="center")
        st.page_link(f"{step}/page.py", label=label, icon=":material/arrow_forward:")
    st.stop()


def next_page(name: str, words: str) -> None:
    """End a page with the way to the next one."""
    st.page_link(f"{name}/page.py", label=f"Next: {words}", icon=":material/arrow_forward:")


def view(views: Mapping[str, Callable[..., None]], key: str) -> Callable[..., None]:
    """Ask which part of a page to see, the first by default; only that part is computed."""
    chosen = st.radio("View", list(views), horizontal=True, key=key, persist_state="session")
    return views[chosen or next(iter(views))]


def figure(
    plot: Plot | QueuePlot,
    key: str,
    height: int | Literal["stretch"] | None = None,
    *,
    narrow: bool = False,
    revision: int = 0,
    **selecting: Any,
) -> Any:
    """Show a figure with its sentence for those who cannot see it.

    `height` is px, or "stretch" to fill a place of fixed height; a figure of another `revision` forgets what was
    clicked, so that the same can be clicked again.
    """
    # The one button that a figure has makes its file in the browser; none of plotly's sends anything anywhere.
    config = {
        "displayModeBar": "hover", "modeBarButtons": [["toImage"]], "displaylogo": False, "displayNotifier": False,
        "scrollZoom": False,
        "toImageButtonOptions": {"format": "svg", "filename": file_name(plot.title)},
    }  # fmt: skip
    # Streamlit's own grey for axes has a contrast of 3.7:1 on white.
    colour = st.get_option(f"theme.{'dark' if st.context.theme.type == 'dark' else 'light'}.textColor")
    drawn = draw(plot, colour, None if height == "stretch" else height, narrow=narrow)
    if larger():
        enlarged(drawn, TIMES)
    if revision:
        drawn.layout.selectionrevision = revision
        for trace in drawn.data:
            trace.meta = revision
    if height == "stretch":
        selecting["height"] = height
    return st.plotly_chart(drawn, key=key, alt=plot.sentence, config=config, **selecting)


def file_name(title: str) -> str:
    """Return what the file of a figure on screen is called, without its ending: what it shows."""
    return re.sub(r"[^\w]+", "-", title).strip("-")[:80].rstrip("-").lower() or "figure"


def table(frame: pd.DataFrame, alt: str, columns: Mapping[str, Any] | None = None, **more: Any) -> Any:
    """Show a table; numbers align right, names from the data are plain text. Targets that have a label have it last."""
    columns = dict(columns or {})
    labels = session().labels if "target" in columns and "target" in frame else {}
    if labels and frame["target"].isin(list(labels)).any():
        frame = frame.assign(label=[labels.get(name, "") for name in frame["target"]])
        columns["label"] = st.column_config.TextColumn("Label", help=LABEL)
    return st.dataframe(
        _rounded(frame, columns), hide_index=True, column_config=columns, alt=alt, placeholder=NONE, **more
    )


def figures(frame: pd.DataFrame, alt: str) -> Any:
    """Show a table whose fractions are %; of "a · b", a stands in a line above the columns b that belong to it."""
    names = [tuple(name.rsplit(" · ", 1)) if " · " in name else ("", name) for name in map(str, frame.columns)]
    rows = _rounded(frame, {c: percent_column(c) for c in frame.columns})
    columns: dict[Any, Any] = {
        i: percent_column(below, width=66 if above else None)
        for i, (above, below) in enumerate(names, 1)  # 0 is the index, though hidden
        if pd.api.types.is_float_dtype(frame.dtypes.iloc[i - 1])
    }
    if any(above for above, _ in names):
        columns[1] = st.column_config.Column(names[0][1], pinned=True)
        rows = rows.set_axis(pd.MultiIndex.from_tuples(names), axis=1)
    return st.dataframe(rows, hide_index=True, column_config=columns, alt=alt, placeholder=NONE)


def _rounded(frame: pd.DataFrame, columns: Mapping[str, Any]) -> pd.DataFrame:
    """Return a table with its figures rounded as everywhere: the browser rounds 0.125 down and writes -0.00."""
    for name in frame.columns:
        form = ((columns.get(name) or {}) if not isinstance(columns.get(name), str) else {}).get("type_config", {})
        digits = re.fullmatch(r"%\+?\.(\d)f", form.get("format") or "")
        if digits and pd.api.types.is_float_dtype(frame[name].dtype):
            frame = frame.assign(**{name: [rounded(x, int(digits[1])) for x in frame[name].tolist()]})
    return frame


def percent_column(label: str, help_text: str | None = None, width: int | None = None) -> Any:
    """Return how a column of % looks: two decimals, aligned."""
    return st.column_config.NumberColumn(label, format="%.2f", alignment="right", help=help_text, width=width)


def records_column(label: str, help_text: str | None = None, width: int | None = None) -> Any:
    """Return how a column of records looks."""
    return st.column_config.NumberColumn(label, format="%.0f", alignment="right", help=help_text, width=width)


def labelled(s: Session, names: Iterable[str]) -> dict[str, Any]:
    """Return how columns of the data look as headings of a table: by their names, with the label as a help."""
    labels = s.labels
    return {name: st.column_config.Column(help=labels[name]) for name in names if labels.get(name)}


def described(s: Session, names: Iterable[str]) -> str | None:
    """Return columns with their labels, for a help; None where none has one."""
    told = [literal(s.named(name)) for name in names if s.labels.get(name)]
    return "; ".join(told) or None


def said(sentences: tuple[str, ...]) -> None:
    """Show what a change left out."""
    for sentence in sentences:
        st.warning(literal(sentence), icon=":material/info:")


def notes(found: tuple[Note, ...], study: AnyStudy) -> None:
    """List what was done to make the data comparable; warnings first."""
    if not found:
        st.markdown(f":material/check: Every file has the same columns, of the same types{_same_levels(study)}.")
        return
    warnings = [n for n in found if n.warning]
    for note in warnings:
        st.warning(literal(note.text), icon=":material/warning:")
    rest = [n for n in found if not n.warning]
    if rest:
        with st.expander(
            f"{len(rest)} smaller thing{'s' * (len(rest) > 1)} worth knowing",
            icon=":material/list:",
            expanded=len(rest) <= 4,
        ):
            st.markdown("\n".join(f"- {literal(n.text)}" for n in rest))


def _same_levels(study: AnyStudy) -> str:
    """Say that every side has the same levels, where that is so; an engine is not asked for all of them."""
    if not study.holds_records:
        return ""
    held = (column.counts[:, :-1] > 0 for column in study.columns.values())
    return ", and levels that all sides use" if all((some == some[0]).all() for some in held) else ""


def files_read(readings: tuple[Reading, ...]) -> None:
    """Show how each file was read, and what is to be said of it."""
    if not readings:
        return
    marks = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", ".": "point", None: ""}
    rows = [
        {
            "file": r.name,
            "format": r.format,
            "lines": str(r.lines or ""),
            "rows": len(r.table),
            "columns": len(r.table.columns),
            "as": ", ".join(
                f"{what} {marks.get(value, value)}"
                for what, value in (
                    ("delimiter", r.options.delimiter),
                    ("decimal", r.options.decimal),
                    ("encoding", r.options.encoding),
                    ("sheet", r.options.sheet),
                )
                if value
            ),
            "sha256": r.sha256[:12],
        }
        for r in readings
    ]
    labels = {
        "file": "File",
        "format": "Format",
        "as": "Read as",
        "lines": st.column_config.TextColumn(
            "Lines", help="Of a text file, as its line ends part it. A line inside quotes is part of a cell, no record."
        ),
        "sha256": st.column_config.TextColumn("SHA-256", help="The first 12 digits of the file's fingerprint."),
    }
    counts = {"rows": records_column("Rows"), "columns": records_column("Columns")}
    table(pd.DataFrame(rows), "The files, their formats, sizes, and fingerprints", {**labels, **counts})
    remarks = [f"{literal(r.name)}: {literal(note)}" for r in readings for note in r.notes]
    if remarks:
        with st.expander(f"{len(remarks)} remark{'s' * (len(remarks) > 1)} on reading", icon=":material/list:"):
            st.markdown("\n".join(f"- {remark}" for remark in remarks))


def columns_table(study: AnyStudy, labels: Mapping[str, str]) -> None:
    """Show a row a column: type, levels, missing, largest level, on both sides; `labels` say what columns hold."""
    frame = study.overview()
    if labels:
        frame.insert(1, "label", [labels.get(name, "") for name in frame["column"]])
    if not frame["missing_levels"].any():
        frame = frame.drop(columns="missing_levels")
    table(
        frame,
        "The columns of the data, with levels, missing values and the largest level on both sides",
        {
            "column": st.column_config.TextColumn("Column", pinned=True, width=108),
            "label": st.column_config.TextColumn("Label", help=LABEL),
            "type": st.column_config.TextColumn("Type", width=72),
            "missing_levels": st.column_config.TextColumn(
                "Count as missing", help="Values that the file declares to be no answer; each is a level of its own."
            ),
            "levels_original": records_column("Levels", "In the original; missing is not counted.", 58),
            "levels_synthetic": records_column("… syn.", "Levels in all syntheses together.", 58),
            "missing_original": percent_column("Missing %", "Of the original records.", 78),
            "missing_synthetic": percent_column("… syn.", "Missing, of the synthetic records.", 58),
            "largest": st.column_config.TextColumn(
                "Largest level", help="The original's most frequent level.", width=98
            ),
            "largest_original": percent_column("Its %", "Of the original records.", 58),
            "largest_synthetic": percent_column("… syn.", "The same level, of the synthetic records.", 58),
        },
        height="content" if len(study.columns) <= 20 else 600,
    )


def group_preview(study: AnyStudy, settings: Settings) -> None:
    """Show the intervals of each grouped column and how many records fall into them."""
    for name, n in settings.groups:
        column, said_of_it = study.grouped(name, n)
        st.subheader(literal(name))
        for note in said_of_it:
            st.caption(literal(note.text))
        counts = column.counts
        frame = pd.DataFrame(
            {
                "level": column.labels,
                "original": counts[0],
                "synthetic": counts[1:].mean(axis=0),
            }
        )
        used = frame[(frame["original"] > 0) | (frame["synthetic"] > 0)]
        table(
            used,
            f"Intervals of {name} and the records in each",
            {
                "level": "Interval or level",
                "original": records_column("Original records"),
                "synthetic": st.column_config.NumberColumn(
                    "Synthetic records (mean)" if study.n_syntheses > 1 else "Synthetic records",
                    format="%.1f" if study.n_syntheses > 1 else "%d",
                    alignment="right",
                ),
            },
            height="content" if len(used) <= 8 else 330,
        )


def under_review(s: Session) -> None:
    """Say in one line what the figures rest on."""
    keys = ", ".join(f"**{literal(name)}**" for name in s.review.keys)
    out = s.settings.left_out
    left_out = [
        *(f"{len(levels)} level{'s' * (len(levels) > 1)} of {name}" for name, levels in out.target_levels),
        *(f"missing values of {name}" for name in sorted(out.missing_targets | out.missing_keys)),
        *(f"{len(pairs)} key-target pair{'s' * (len(pairs) > 1)} of {name}" for name, pairs in out.pairs),
    ]
    if out.denominator_limit is not None:
        left_out.append(f"denominators over {out.denominator_limit}")
    # A file is called what it is called; only our own words begin a sentence.
    source = s.source if s.readings or s.study is None or not s.study.holds_records else begun(s.source)
    line = f"{literal(source)} · keys {keys}"
    if left_out:
        line += f" · excluded: {literal(', '.join(left_out))}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(line, width="stretch", help=described(s, s.review.keys))
        sets.looked_at(s, "shown", width=230, label_visibility="collapsed")


def begun(words: str) -> str:
    """Return words as a sentence begins."""
    return words[:1].upper() + words[1:]


def identity(result: Assessment) -> None:
    """Show the four identity measures as large figures: means over the syntheses, with the spread beneath."""
    figures = result.identity
    explanations = {
        "UiO": "Unique in the original: the keys fit exactly one person.",
        "UiS": "Unique in the synthetic data: the keys fit exactly one synthetic record.",
        "UiOiS": "Unique in the original, and the keys occur in the synthetic data, once or more.",
        "repU": "Replicated uniques: unique in the original and unique in the synthetic data.",
    }
    for column, (name, meaning) in zip(tiles(4), explanations.items(), strict=True):
        values = figures[name]
        of = "synthetic" if name == "UiS" else "original"
        low, high = fixed(values.min()), fixed(values.max())
        column.metric(
            name,
            f"{fixed(values.mean())} %",
            border=True,
            height="stretch",
            help=f"{meaning} In % of {of} records.",
            delta=f"{low} to {high}" if low != high else None,
            delta_color="off",
            delta_arrow="off",
        )


def clicked(event: PlotlyState) -> tuple[str, ...]:
    """Return what the mark stands for that was clicked in a figure; nothing where none was."""
    points = event.selection.points
    data = points[0].get("customdata") if points else None
    return tuple(map(str, data or ()))


def clicked_target(event: PlotlyState) -> str | None:
    """Return the target whose mark was clicked in the arrow plot."""
    return next(iter(clicked(event)), None)
