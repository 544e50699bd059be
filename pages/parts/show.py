"""How things look: headings, figures, tables, empty states, and errors as sentences."""

from __future__ import annotations

import logging
import re
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pandas as pd
import streamlit as st

from disclosure_core import DisclosureError
from disclosure_core.figures.screen import draw, enlarged
from pages.parts.session import LARGER, forget, larger

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from streamlit.typing import PlotlyState

    from disclosure_core import Assessment, Settings, Study
    from disclosure_core.figures.describe import Plot
    from disclosure_core.readers import Reading
    from disclosure_core.study import Note
    from pages.parts.session import Session

WORDS = Path(__file__).parent / "words"
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
    """Show an explanation: two sentences, and the rest behind "How this is computed"."""
    short, rest = words(name)
    st.caption(short)
    if rest:
        with st.expander("How this is computed", icon=":material/function:"):
            st.markdown(rest)


def for_a_projector() -> None:
    """Offer larger words and figures, in this visitor's tab only."""
    help_text = "For a projector: words, tables and figures grow, in this tab only."
    if st.sidebar.toggle("Larger type", key=LARGER, help=help_text, wrap=True):
        st.html(f"<style>html {{ font-size: {100 * TIMES:.0f}%; }}</style>")


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
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else "?"
        _LOG.error("unexpected %s at %s", type(error).__name__, where)
        st.error("Something went wrong on our side. Reload the page; if it happens again, report what you did.")
        st.stop()


def needed(s: Session, *, keys: bool = True, records: bool = False) -> Study:
    """Return the study; where there is none, or no keys or records, say so, offer the way there, and end the page."""
    said(s.hear())
    if s.study is None:
        _empty("There are no data yet.", "data", "Bring an original and a synthetic file")
    if keys and not s.settings.keys:
        _empty("No keys are chosen yet.", "keys", "Choose what an outsider could know")
    if records and not s.study.holds_records:
        _empty("These data stay in their engine, which hands out no record.", "data", "Bring files to look at records")
    return s.study


def _empty(message: str, step: str, label: str) -> NoReturn:
    with st.container(border=True, horizontal_alignment="center"):
        st.markdown(message, text_alignment="center")
        st.page_link(f"pages/steps/{step}.py", label=label, icon=":material/arrow_forward:")
    st.stop()


def view(views: Mapping[str, Callable[..., None]], key: str) -> Callable[..., None]:
    """Ask which part of a page to see, the first by default; only that part is computed."""
    chosen = st.radio("What to see", list(views), horizontal=True, key=key, persist_state="session")
    return views[chosen or next(iter(views))]


def figure(plot: Plot, key: str, height: int | None = None, **selecting: Any) -> Any:
    """Show a figure with its sentence for those who cannot see it."""
    config = {"displayModeBar": False, "scrollZoom": False}
    # Streamlit's own grey for axes has a contrast of 3.7:1 on white.
    colour = st.get_option(f"theme.{'dark' if st.context.theme.type == 'dark' else 'light'}.textColor")
    drawn = draw(plot, colour, height)
    if larger():
        enlarged(drawn, TIMES)
    return st.plotly_chart(drawn, key=key, alt=plot.sentence, config=config, **selecting)


def table(frame: pd.DataFrame, alt: str, columns: Mapping[str, Any] | None = None, **more: Any) -> Any:
    """Show a table; numbers align right, names from the data are plain text."""
    return st.dataframe(frame, hide_index=True, column_config=dict(columns or {}), alt=alt, **more)


def percent_column(label: str, help_text: str | None = None, width: int | None = None) -> Any:
    """Return how a column of % looks: two decimals, aligned."""
    return st.column_config.NumberColumn(label, format="%.2f", alignment="right", help=help_text, width=width)


def records_column(label: str, help_text: str | None = None, width: int | None = None) -> Any:
    """Return how a column of records looks."""
    return st.column_config.NumberColumn(label, format="localized", alignment="right", help=help_text, width=width)


def said(sentences: tuple[str, ...]) -> None:
    """Show what a change left out."""
    for sentence in sentences:
        st.warning(literal(sentence), icon=":material/info:")


def notes(found: tuple[Note, ...]) -> None:
    """List what was done to make the data comparable; warnings first."""
    if not found:
        st.markdown(
            ":material/check: Every file has the same columns, of the same types, and levels that all sides use."
        )
        return
    warnings = [n for n in found if n.warning]
    for note in warnings:
        st.warning(literal(note.text), icon=":material/warning:")
    rest = [n for n in found if not n.warning]
    if rest:
        with st.expander(f"{len(rest)} smaller things worth knowing", icon=":material/list:", expanded=len(rest) <= 4):
            st.markdown("\n".join(f"- {literal(n.text)}" for n in rest))


def sizes(study: Study) -> None:
    """Show how much there is on each side."""
    sizes = sorted(set(study.n_synthetic))
    ends = sizes if len(sizes) < 3 else [sizes[0], sizes[-1]]
    facts = (
        ("Original", f"{study.n_original:,}", "Records of the original."),
        ("Synthetic", " to ".join(f"{n:,}" for n in ends), "Records of each synthesis."),
        ("Syntheses", f"{study.n_syntheses}", "Synthetic data sets made from the same original."),
        ("Columns", f"{len(study.columns)}", "Columns that every file has."),
    )
    for place, (label, value, meaning) in zip(tiles(4), facts, strict=True):
        place.metric(label, value, border=True, help=meaning, height="stretch")


def files_read(readings: tuple[Reading, ...]) -> None:
    """Show how each file was read, and what is to be said of it."""
    if not readings:
        return
    marks = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", ".": "point", None: ""}
    rows = [
        {
            "file": r.name,
            "format": r.format,
            "rows": len(r.frame),
            "columns": r.frame.shape[1],
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
        "sha256": st.column_config.TextColumn("SHA-256", help="The first 12 digits of the file's fingerprint."),
    }
    counts = {"rows": records_column("Rows"), "columns": records_column("Columns")}
    table(pd.DataFrame(rows), "The files, their formats, sizes, and fingerprints", {**labels, **counts})
    remarks = [f"{literal(r.name)}: {literal(note)}" for r in readings for note in r.notes]
    if remarks:
        with st.expander(f"{len(remarks)} remark{'s' * (len(remarks) > 1)} on reading", icon=":material/list:"):
            st.markdown("\n".join(f"- {remark}" for remark in remarks))


def columns_table(study: Study) -> None:
    """Show a row a column: type, levels, missing, largest level, on both sides."""
    table(
        study.overview(),
        "The columns of the data, with levels, missing values and the largest level on both sides",
        {
            "column": st.column_config.TextColumn("Column", pinned=True, width=108),
            "type": st.column_config.TextColumn("Type", width=72),
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


def group_preview(study: Study, settings: Settings) -> None:
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


def under_review(s: Session, result: Assessment) -> None:
    """Say in one line what the figures rest on."""
    keys = ", ".join(f"**{literal(key.name)}**" for key in result.keys.keys)
    out = s.settings.exclusions
    left_out = [
        *(f"{len(levels)} level{'s' * (len(levels) > 1)} of {name}" for name, levels in out.target_levels),
        *(f"missing values of {name}" for name in sorted(out.missing_targets | out.missing_keys)),
        *(f"{len(pairs)} key-target pair{'s' * (len(pairs) > 1)} of {name}" for name, pairs in out.pairs),
    ]
    if out.denominator_limit is not None:
        left_out.append(f"denominators over {out.denominator_limit}")
    line = f"{literal(s.source[:1].upper() + s.source[1:])} · keys {keys}"
    if left_out:
        line += f" · left out: {literal(', '.join(left_out))}"
    st.markdown(line)


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
        spread = values.max() > values.min()
        column.metric(
            name,
            f"{values.mean():.2f} %",
            border=True,
            height="stretch",
            help=f"{meaning} In % of {of} records.",
            delta=f"{values.min():.2f} to {values.max():.2f}" if spread else None,
            delta_color="off",
            delta_arrow="off",
        )


def summary(frame: pd.DataFrame, names: tuple[str, str], key: str, *, several: bool) -> str | None:
    """Show the table under the plot, the largest figure first; return the target whose row was clicked."""
    original, synthetic = names
    frame = frame.iloc[::-1].reset_index(drop=True)
    columns = {
        "target": st.column_config.TextColumn("Target", pinned=True),
        "original": percent_column(f"{original} %", "Of the original records."),
        "synthetic": percent_column(f"{synthetic} %", "Mean over the syntheses, of the original records."),
        "min": percent_column("Smallest %") if several else None,
        "max": percent_column("Largest %") if several else None,
        "sd": percent_column("SD") if several else None,
        "one_way": st.column_config.NumberColumn("1-way", help="Syntheses that raise the 1-way flag.", format="%d"),
        "two_way": st.column_config.NumberColumn("2-way", help="Syntheses that raise the 2-way flag.", format="%d"),
        "flag": None,
    }
    st.caption("Click a row, or a ring or diamond in the figure, to review its target.")
    event = table(
        frame,
        f"{original} and {synthetic} by target, with the spread over the syntheses and the flags",
        columns,
        key=f"risk.table.{key}",
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
        height="content" if len(frame) <= 20 else 600,
    )
    rows = event.selection.rows or [row for row, _ in event.selection.cells]
    return str(frame["target"].iloc[rows[0]]) if rows else None


def clicked_target(event: PlotlyState) -> str | None:
    """Return the target whose mark was clicked in the arrow plot."""
    points = event.selection.points
    data = points[0].get("customdata") if points else None
    return str(data[0]) if data else None


def forget_selection(key: str) -> None:
    """Forget what was clicked on the risk page, so that coming back does not leave it again."""
    forget(f"risk.plot.{key}")
    forget(f"risk.table.{key}")
