"""The office's limits of one measure: asked where its figures are, and on the report page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from disclosure_core.holdout.decision import CONTEXT, PRECEDENTS, with_limit
from disclosure_core.rounding import plain
from pages.shared.session import bound

if TYPE_CHECKING:
    from pages.shared.open_review import Session

_BOTH = (("absolute", "Above, % of members"), ("relative", "… and above, percentage points of difference"))
_FIELDS = {"DiSCO": _BOTH, "DCAP": _BOTH, "F_rel": (("relative", "F_rel above, 0 to 1"),)}


def limits(s: Session, measure: str, place: str) -> None:
    """Ask for the limits of one measure: values, whose they are, why, and what of the context moved them.

    `place` keeps the widgets of two pages apart.
    """
    limit = s.review.limits.of(measure)
    stated = [plain(v) for v in (limit.absolute, limit.relative) if v is not None]
    # By its key it stays open while what is said above it comes and goes.
    with st.expander(f"The office's limits of {measure}", icon=":material/tune:", key=f"{place}.limits.{measure}"):
        st.markdown(f"**Limits: {' and '.join(stated) or 'not set'}**")
        rule = (
            "F_rel is relative to guessing already, and has one limit."
            if measure == "F_rel"
            else "A target is above the limits only where both are passed (R10 of the expert panel)."
        )
        st.caption(f"{rule} None is set here: the office decides for its own context.")
        columns = st.columns(3)
        for column, (name, text) in zip(columns, _FIELDS[measure], strict=False):
            column.number_input(
                text,
                placeholder="Not set",
                step=0.05 if measure == "F_rel" else 1.0,
                format="%g",
                **_bound(s, measure, name, place),
            )
        columns[2].text_input("Who set them?", placeholder="Our release panel", **_bound(s, measure, "owner", place))
        question = s.review.limits.questions().get(measure)
        if question or limit.as_written:
            if question:
                st.warning(question, icon=":material/help:")
            st.checkbox("They are meant in % as they stand", **_bound(s, measure, "as_written", place))
        _precedents(s, measure, place)
        st.text_input("Why these values?", **_bound(s, measure, "reason", place))
        st.caption("How the context changed them:")
        for dimension in CONTEXT:

            def take(text: str, name: str = dimension.name) -> None:
                context = dict(s.review.limits.of(measure).context) | {name: text}
                _change(s, measure, context={k: v for k, v in context.items() if v.strip()})

            st.text_input(
                f"{dimension.question} ({dimension.moves})",
                **bound(f"{place}.{measure}.{dimension.name}", limit.context.get(dimension.name, ""), take),
            )


def _change(s: Session, measure: str, **parts: Any) -> None:
    """Take other parts of the limits of one measure."""
    limit = replace(s.review.limits.of(measure), **parts)
    s.update(limits=with_limit(s.review.limits, measure, limit))


def _bound(s: Session, measure: str, name: str, place: str) -> dict[str, Any]:
    """Return the arguments that tie a widget to one part of a measure's limits."""
    now = getattr(s.review.limits.of(measure), name)
    return bound(f"{place}.{measure}.{name}", now, lambda value: _change(s, measure, **{name: value}))


def _precedents(s: Session, measure: str, place: str) -> None:
    """Say what is on record, and offer to take the one precedent that there is for this measure."""
    for p in PRECEDENTS:
        if p.measure not in (measure, *(("AUROC",) if measure != "F_rel" else ())):
            continue
        values = ", ".join(
            f"{word} {plain(x)}" for word, x in (("absolute", p.absolute), ("relative", p.relative)) if x is not None
        )
        st.markdown(f"- Published for **{p.measure}**: {values or 'no value'}. {p.standing.capitalize()}. {p.text}")
        if p.measure == measure and p.relative is not None:

            def take(value: float = p.relative, why: str = f"{p.text} {p.standing.capitalize()}.") -> None:
                _change(s, measure, relative=value, reason=s.review.limits.of(measure).reason or why)

            st.button(f"Use the precedent, {plain(p.relative)}", key=f"{place}.{measure}.precedent", on_click=take)
