"""What the checks found for one target, next to the control that acts on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core import Pair
from disclosure_core.scenarios import all_flagged, flagged_levels, flagged_pairs
from pages.parts import show
from pages.parts.session import bound, bound_rows

if TYPE_CHECKING:
    from disclosure_core import Assessment, TargetRisk
    from pages.parts.session import Session


def one_way(s: Session, risk: TargetRisk) -> None:
    """Say what the 1-way check found, and offer to leave the level out."""
    found = [check for check in risk.one_way if check is not None]
    m = len(risk.one_way)
    left_out = s.settings.exclusions.levels_of(risk.target)
    if not found:
        so = "With what is left out, no" if left_out else "No"
        st.markdown(f":material/check: **1-way.** {so} single level carries the disclosure.")
        return
    check = found[0]
    in_how_many = f" in {len(found)} of {m} syntheses" if m > 1 else ""
    where = f" in synthesis {1 + risk.one_way.index(check)}" if m > 1 else ""
    level = show.literal(check.level)
    st.warning(
        f"**1-way**{in_how_many}: the level **{level}** carries {check.n_disclosive_level:,} of "
        f"{check.n_disclosive:,} disclosive records ({check.pct_disclosive:.2f} %){where}. {check.pct_level:.2f} % of "
        "all original records counted have this level, so many would guess it without the synthetic data.",
        icon=":material/flag:",
    )

    def leave_out() -> None:
        out = s.settings.exclusions
        levels = {*out.levels_of(risk.target), check.level}
        s.ask(replace(s.settings, exclusions=out.with_levels(risk.target, levels)))

    st.button(f"Leave out {level}", key="review.leave_out", on_click=leave_out, icon=":material/do_not_disturb_on:")


def two_way(s: Session, full: TargetRisk) -> None:
    """List the pairs that the 2-way check finds before anything is left out, and ask which are left out."""
    chosen = s.settings.exclusions.pairs_of(full.target)
    found = _all_pairs(full)
    pairs = found[~found["target_level"].isin(s.settings.exclusions.levels_of(full.target))]
    done = len(found) - len(pairs)
    if pairs.empty and not chosen:
        already = f"All {done} pairs found name a level that is left out already."
        said = already if done else "No key level by itself predicts the target."
        st.markdown(f":material/check: **2-way.** {said}")
        return
    listed = _pairs(pairs)
    raised = sum(not frame.empty for frame in full.two_way)
    m = len(full.two_way)
    in_how_many = f" in {raised} of {m} syntheses" if m > 1 else ""
    st.warning(
        f"**2-way**{in_how_many}: {len(pairs)} pair{'s' * (len(pairs) != 1)} of a key level and a target level that "
        "belong together in the original. Choose those that anyone would expect; their records are then left out."
        + (f" {done} more name a level that is left out already." if done else ""),
        icon=":material/flag:",
    )
    # The number makes each option its own, whatever the names and levels look like.
    options = {f"{i}: {p.key} {p.key_level} → {p.target_level}": p for i, p in enumerate(listed, start=1)}

    def take(picked: list[str]) -> None:
        # What was left out before the keys changed is not in the list, and stays.
        new = {*set(chosen).difference(listed), *(options[option] for option in picked)}
        s.ask(replace(s.settings, exclusions=s.settings.exclusions.with_pairs(full.target, new)))

    show.table(
        pairs.assign(number=range(1, len(pairs) + 1))[
            ["number", "target_level", "key", "key_level", "npairs", "n_both", "n_key_level", "pct"]
        ],
        f"Pairs of a key level and a level of {full.target} found by the 2-way check",
        {
            "number": st.column_config.NumberColumn("No.", width=50, format="%d"),
            "target_level": st.column_config.TextColumn("Target level", width=100),
            "key": st.column_config.TextColumn("Key", width=96),
            "key_level": st.column_config.TextColumn("Key level", width=100),
            "npairs": show.records_column("Disclosive", "DiSCO records in cells over the threshold.", 82),
            "n_both": show.records_column("Both", "Original records with both levels.", 62),
            "n_key_level": show.records_column("With key", "Original records with the key level.", 74),
            "pct": show.percent_column("Share %", "Both, of the original records with this key level.", 74),
        },
        height="content" if len(pairs) <= 8 else 330,
        **bound_rows(
            f"review.pairs_table.{full.target}",
            [i for i, pair in enumerate(listed) if pair in chosen],
            lambda rows: take([list(options)[i] for i in rows]),
        ),
    )
    st.multiselect(
        "Pairs left out",
        list(options),
        placeholder="None: tick rows above, or choose here",
        select_all=True,
        wrap=True,
        help="Numbered as in the table: the key, its level → the target level that goes with it.",
        **bound(f"review.pairs.{full.target}", [o for o, pair in options.items() if pair in chosen], take),
    )


def everything_flagged(s: Session, result: Assessment, target: str) -> None:
    """Offer to leave out all that the checks flag, after listing it."""
    offer = st.popover(
        "Leave out everything flagged …", icon=":material/playlist_remove:", key="review.everything", on_change="rerun"
    )
    if not offer.open:  # listing it takes a fifth of the page's time
        return
    with offer:
        one = f"Only {target}"
        which = st.radio("Of which targets?", [one, "All targets"], horizontal=True, key="review.flagged_of")
        levels, pairs = flagged_levels(result), flagged_pairs(result)
        names = [n for n in result.targets if (which != one or n == target) and (n in levels or n in pairs)]
        if not names:
            st.markdown("Nothing is flagged any more.")
            return
        st.markdown("This will be left out, on top of what is left out already:")
        for name in names:
            listed = [f"level {show.literal(level)}" for level in levels.get(name, ())]
            n = len(pairs.get(name, ()))
            listed += [f"{n} key-target pair{'s' * (n != 1)}"] * bool(n)
            st.markdown(f"- **{show.literal(name)}**: {', '.join(listed)}")

        def leave_out() -> None:
            out, every = s.settings.exclusions, all_flagged(result)
            for name in names:
                out = out.with_levels(name, every.levels_of(name)).with_pairs(name, every.pairs_of(name))
            s.ask(replace(s.settings, exclusions=out))

        st.button("Leave these out", key="review.flagged", type="primary", on_click=leave_out)


def _pairs(frame: pd.DataFrame) -> list[Pair]:
    columns = (frame[name].astype(str).tolist() for name in ("key", "key_level", "target_level"))
    return [Pair(*row) for row in zip(*columns, strict=True)]


def _all_pairs(risk: TargetRisk) -> pd.DataFrame:
    """Return the pairs of all syntheses, each once, with the largest number of disclosive records."""
    pairs = pd.concat(risk.two_way, ignore_index=True).sort_values("npairs", ascending=False, kind="stable")
    return pairs.drop_duplicates(["key", "key_level", "target_level"], ignore_index=True)
