"""What the checks found for one target, and what the exclusions do to its figures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from disclosure_core import Pair
from disclosure_core.measures import EXCLUSION_COLUMNS
from pages.parts import show
from pages.parts.session import bound

if TYPE_CHECKING:
    from disclosure_core import TargetRisk
    from pages.parts.session import Session

FIGURES = {
    "Dorig": "Original: one answer only",
    "iS": "Keys found in the synthetic data",
    "DiS": "… and one answer only",
    "DiSCO": "… and the answer is right",
    "DiSDiO": "… and disclosive in the original",
    "DCAPd": "Share of right answers (DCAPd)",
}


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
    level = show.literal(check.level)
    st.warning(
        f"**1-way**{in_how_many}: the level **{level}** carries {check.n_disclosive_level:,} of "
        f"{check.n_disclosive:,} disclosive records ({check.pct_disclosive:.2f} %). {check.pct_level:.2f} % of all "
        "original records counted have this level, so many would guess it without the synthetic data.",
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
    pairs = _all_pairs(full)
    if pairs.empty and not chosen:
        st.markdown(":material/check: **2-way.** No key level by itself predicts the target.")
        return
    listed = _pairs(pairs)
    raised = sum(not frame.empty for frame in full.two_way)
    m = len(full.two_way)
    in_how_many = f" in {raised} of {m} syntheses" if m > 1 else ""
    st.warning(
        f"**2-way**{in_how_many}: {len(pairs)} pair{'s' * (len(pairs) != 1)} of a key level and a target level that "
        "belong together in the original. Choose those that anyone would expect; their records are then left out.",
        icon=":material/flag:",
    )
    # The number makes each option its own, whatever the names and levels look like.
    options = {f"{i}: {p.key} {p.key_level} → {p.target_level}": p for i, p in enumerate(listed, start=1)}

    def take(picked: list[str]) -> None:
        # What was left out before the keys changed is not in the list, and stays.
        new = {*set(chosen).difference(listed), *(options[option] for option in picked)}
        s.ask(replace(s.settings, exclusions=s.settings.exclusions.with_pairs(full.target, new)))

    st.multiselect(
        "Leave out pairs",
        list(options),
        placeholder="None",
        select_all=True,
        wrap=True,
        help="Numbered as in the table below: the key, its level → the target level that goes with it.",
        **bound(f"review.pairs.{full.target}", [o for o, pair in options.items() if pair in chosen], take),
    )
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
    )


def _pairs(frame: pd.DataFrame) -> list[Pair]:
    columns = (frame[name].astype(str).tolist() for name in ("key", "key_level", "target_level"))
    return [Pair(*row) for row in zip(*columns, strict=True)]


def _all_pairs(risk: TargetRisk) -> pd.DataFrame:
    """Return the pairs of all syntheses, each once, with the largest number of disclosive records."""
    pairs = pd.concat(risk.two_way, ignore_index=True).sort_values("npairs", ascending=False, kind="stable")
    return pairs.drop_duplicates(["key", "key_level", "target_level"], ignore_index=True)


def before_and_after(before: TargetRisk, after: TargetRisk) -> None:
    """Show each figure with nothing left out and with what is left out, side by side."""
    rows = [
        {
            "measure": name,
            "meaning": meaning,
            "before": before.figures(name).mean(),
            "after": after.figures(name).mean(),
        }
        for name, meaning in FIGURES.items()
    ]
    rows += [
        {
            "measure": name,
            "meaning": meaning,
            "before": before.identity[name].mean(),
            "after": after.identity[name].mean(),
        }
        for name, meaning in (("UiO", "Unique in the original"), ("repU", "Replicated uniques"))
    ]
    show.table(
        pd.DataFrame(rows),
        f"Figures of {before.target} before and after the exclusions, % of the original records",
        {
            "measure": st.column_config.TextColumn("Measure", width=80),
            "meaning": "What it says",
            "before": show.percent_column("Nothing left out %"),
            "after": show.percent_column("As set %"),
        },
    )
    st.caption("% of all original records, means over the syntheses. An exclusion changes the figure, never the data.")


def taken(risk: TargetRisk) -> None:
    """Show the records that each kind of exclusion took, by measure."""
    frame = pd.concat(risk.exclusions).groupby(level=0, sort=False).mean()
    if not frame[list(EXCLUSION_COLUMNS[:-1])].to_numpy().any():
        return
    st.subheader("Records taken by each exclusion")
    digits = "%.1f" if len(risk.exclusions) > 1 else "%d"
    columns = {
        name: st.column_config.NumberColumn(name.capitalize(), format=digits, alignment="right")
        for name in EXCLUSION_COLUMNS
    }
    show.table(frame.reset_index(), f"Records of {risk.target} taken by each exclusion", {"measure": "Of", **columns})
    st.caption("Each record is counted against the first kind that takes it, from left to right.")
