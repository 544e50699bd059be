"""The original itself beside the sets: random samples of it, and all of it after a chain of safeguards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from disclosure_core.parameters import declared
from disclosure_core.review.parts import Chain, Sample
from pages.shared import show
from pages.shared.numbers import number
from pages.shared.session import bound

if TYPE_CHECKING:
    from pages.shared.open_review import Session


def ask(s: Session) -> None:
    """Ask what of the original is compared with the sets."""
    if not s.now.study().holds_records:
        return
    with st.popover("Original beside them", icon=":material/content_cut:", key="compare.beside"):
        st.markdown("What would a sample, or the original coarsened, disclose? Both are measured by the same rules.")
        share = st.number_input(
            **number(declared(Sample, "share"), 0.1), value=10.0, key="compare.share", persist_state="session"
        )
        seed = st.number_input(**number(declared(Sample, "seed")), value=1, key="compare.seed", persist_state="session")

        def add() -> None:
            with s.telling():
                s.update(samples=(*s.review.samples, Sample(float(share or 10), int(seed or 0))))

        st.button("Add this sample", key="compare.add_sample", on_click=add)
        for i, each in enumerate(s.review.samples):
            st.button(f"Remove: {show.literal(each.name)}", key=f"compare.remove_sample.{i}", on_click=_remove(s, each))
        for chain in s.review.chains:
            if chain.steps:
                st.toggle(
                    f"The original with the safeguards {show.literal(chain.name)}",
                    **bound(f"compare.original.{chain.name}", chain.of_original, _take(s, chain)),
                )


def say_references(references: tuple[str, ...]) -> None:
    """Say of the original itself what it is, where it is among what is compared."""
    for sentence in references:
        st.caption(show.literal(sentence))


def _remove(s: Session, sample: Sample) -> Callable[[], None]:
    return lambda: s.update(samples=tuple(each for each in s.review.samples if each != sample))


def _take(s: Session, chain: Chain) -> Callable[[bool], None]:
    def take(on: bool) -> None:
        chains = tuple(replace(c, of_original=on) if c.name == chain.name else c for c in s.review.chains)
        s.update(chains=chains)

    return take
