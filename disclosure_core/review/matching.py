"""Which of the files at hand is which of those that a review names: by fingerprint, then by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from disclosure_core.shown import listed

if TYPE_CHECKING:
    from disclosure_core.review.parts import SourceFile
    from disclosure_core.review.value import Review


@dataclass(frozen=True, slots=True)
class Match:
    """The files at hand beside those that a review names.

    Attributes
    ----------
    at
        By the name that the review knows a file under, the place among those at hand of the one that stands for it.
    others
        Of these, the names whose content is another than it was.
    unproved
        Of these, the names of those of which the review holds no fingerprint.
    missing
        The files for which none is at hand, each with what it is to the review.
    unknown
        The names of those at hand that the review does not speak of.
    """

    at: Mapping[str, int]
    others: tuple[str, ...]
    missing: Mapping[str, str]
    unknown: tuple[str, ...]
    unproved: tuple[str, ...] = ()

    @property
    def doubtful(self) -> tuple[str, ...]:
        """The names of those that are not seen to be what the review was made with."""
        return (*self.others, *self.unproved)

    @property
    def message(self) -> str:
        """What is missing or does not match, in one sentence; empty where every file is the one it was."""
        parts = []
        if self.missing:
            parts.append(f"Missing: {listed([f'{name} ({role})' for name, role in self.missing.items()])}")
        if self.others:
            named = listed(self.others)
            parts.append(
                f"{named} {'is not the file' if len(self.others) == 1 else 'are not the files'} that this review was "
                f"made with, so keys, levels and codes may not mean the same"
            )
        if self.unproved:
            no = "no" if parts else "No"
            parts.append(
                f"{no} fingerprint of {listed(self.unproved)} is in the review, so it is not known whether it was made "
                "with the same content"
            )
        if self.unknown:
            parts.append(f"{'not' if parts else 'Not'} named in the review, and not used: {listed(self.unknown)}")
        return "; ".join(parts) + "." if parts else ""


def named_files(review: Review) -> dict[str, tuple[SourceFile, str]]:
    """Return the files that a review names, each once, by name, with what each is to the review."""
    several = sum(bool(each.files) for each in review.sets) > 1
    named = [
        *([(review.original, "the original")] if review.original else []),
        *(
            (file, f"synthetic data, {each.name}" if several else "synthetic data")
            for each in review.sets
            for file in each.files
        ),
        *([(review.holdout.file, "the holdout")] if review.holdout and review.holdout.file else []),
        *([(review.population_table, "the population")] if review.population_table else []),
    ]
    return {file.name: (file, role) for file, role in named}


def matched(review: Review, at_hand: Sequence[tuple[str, str]]) -> Match:
    """Match files with those that a review names: by fingerprint, whatever they are called now; then by name.

    Parameters
    ----------
    review
        What names the files.
    at_hand
        Name and SHA-256 of each file that is there. One may stand for two of the same content.
    """
    named = named_files(review)
    at: dict[str, int] = {}
    for name, (file, _) in named.items():
        same = [i for i, (_, sha256) in enumerate(at_hand) if file.sha256 and sha256 == file.sha256]
        if same:
            at[name] = next((i for i in same if at_hand[i][0] == name), same[0])
    taken = set(at.values())
    others = []
    for name, (file, _) in named.items():
        left = [i for i, (its_name, _) in enumerate(at_hand) if its_name == name and i not in taken]
        if name not in at and left:
            at[name] = left[-1]
            if file.sha256:
                others.append(name)
    used = {at_hand[i] for i in at.values()}
    return Match(
        at,
        tuple(others),
        {name: role for name, (_, role) in named.items() if name not in at},
        tuple(each[0] for each in at_hand if each not in used),
        tuple(name for name in at if not named[name][0].sha256),
    )
