"""What is excluded from a target beyond the rows of its card: any pair, or all that is flagged at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core import Assessment, Exclusions, Pair, TargetRisk
from disclosure_core.review import reasons
from disclosure_core.review.scenarios import all_flagged, flagged_levels, flagged_pairs
from pages.review import reasoning
from pages.shared import show
from pages.shared.session import forget, show_in, shown_by

if TYPE_CHECKING:
    from disclosure_core.data.column import Variable
    from pages.shared.open_review import Session


_WHY = "review.flagged.why"


def more(s: Session, name: str) -> None:
    """Offer what is excluded beyond the rows of the card, each in a window of its own."""
    with st.container(horizontal=True, gap="small"):
        own = st.popover("Another pair …", icon=":material/add:", key="review.add", on_change="rerun", type="tertiary")
        everything_flagged(s, s.now.assessment(), name)
    if own.open:
        with own:
            _pair(s, s.now.before().targets[name])


def _pair(s: Session, full: TargetRisk) -> None:
    """Ask for any pair of a key level and a target level to exclude, flagged or not."""
    cells = full.counted[0].cells
    st.caption("Any combination that everybody would expect: its records are then excluded.")
    key = st.selectbox(
        "Key",
        [column.name for column in cells.keys.keys],
        index=None,
        placeholder="Choose a key",
        key="review.pair.key",
        persist_state="session",
    )
    if key is None:
        return
    column = next(column for column in cells.keys.keys if column.name == key)
    key_level = st.selectbox(
        "Level of the key", _labels(column), key=f"review.pair.{key}", persist_state="session", format_func=show.level
    )
    target_level = st.selectbox(
        f"Level of {show.literal(full.target)}",
        _labels(cells.column),
        key=f"review.pair.of.{full.target}",
        persist_state="session",
        format_func=show.level,
    )

    def add() -> None:
        out = s.settings.exclusions
        new = Pair(str(key), str(key_level), str(target_level))
        with s.telling():
            s.ask(replace(s.settings, exclusions=out.with_pairs(full.target, {*out.pairs_of(full.target), new})))

    st.button("Exclude this pair", key="review.pair.add", type="primary", on_click=add)


def _labels(column: Variable) -> list[str]:
    return list(column.labels)


def everything_flagged(s: Session, result: Assessment, target: str) -> None:
    """Offer to exclude all that the checks flag, after listing it."""
    offer = st.popover(
        "Everything flagged …",
        icon=":material/playlist_remove:",
        key="review.everything",
        on_change="rerun",
        type="tertiary",
    )
    if not offer.open:  # listing it takes a fifth of the page's time
        return
    with offer:
        one = f"Only {target}"
        which = st.radio(
            "Of which targets?", [one, "All targets"], horizontal=True, key="review.flagged_of", persist_state="session"
        )
        levels, pairs = flagged_levels(result), flagged_pairs(result)
        names = [n for n in result.targets if (which != one or n == target) and (n in levels or n in pairs)]
        if not names:
            of = f" of {show.literal(target)}" if which == one else ""
            more = " after exclusions" if result.left_out != Exclusions() else ""
            st.markdown(f"Nothing{of} is flagged{more}.")
            return
        anywhere = ", as any synthesis shows it" if len(result.n_synthetic) > 1 else ""
        st.markdown(f"This is flagged{anywhere}, and will be excluded in addition:")
        for name in names:
            listed = [f"level {show.literal(each)}" for each in levels.get(name, ())]
            n = len(pairs.get(name, ()))
            listed += [f"{n} key-target pair{'s' * (n != 1)}"] * bool(n)
            st.markdown(f"- **{show.literal(name)}**: {', '.join(listed)}")

        def leave_out() -> None:
            before, every = s.settings.exclusions, all_flagged(result)
            out = before
            for name in names:
                out = out.with_levels(name, every.levels_of(name)).with_pairs(name, every.pairs_of(name))
            review, text = s.review.with_settings(replace(s.settings, exclusions=out)), shown_by(_WHY) or ""
            known = {*reasons.names(before), *(name for name, reason in review.reasons.items() if reason.strip())}
            if text.strip():
                new = [name for name in reasons.names(out) if name not in known]
                review = reasons.written_for(s.now.with_review(review), new, text)
            s.change(review)
            forget(_WHY)

        st.text_input(
            "Reason for all of these", placeholder="Reason (printed in the report)", key=_WHY, persist_state="session"
        )
        reasoning.reuse(s, "review.flagged.reuse", lambda text: show_in(_WHY, text))
        st.button("Exclude these", key="review.flagged", type="primary", on_click=leave_out)
