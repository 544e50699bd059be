"""What regulators and the consensus ask, in our words; and how an answer is kept."""

from __future__ import annotations

from dataclasses import dataclass

WP29 = "WP29, Opinion 05/2014; ICO, Anonymisation guidance"
CONSENSUS = "Consensus privacy metrics framework (Patterns, 2025), Table 1"


ASKED = {
    "Singling out": (WP29, "Can one person's record be isolated?"),
    "Linkability": (WP29, "Can two records that concern one person be linked?"),
    "Inference": (WP29, "Can the value of an attribute be deduced from others?"),
    "R1": (CONSENSUS, "Figures rest on keys that the controller chose and justified; subsets of them are searched."),
    "R2": (CONSENSUS, "Each synthesis of a generator is reported, and their mean with its variation."),
    "R3": (CONSENSUS, "Figures are over all records, not over a chosen subset."),
    "R4": (CONSENSUS, "No similarity score stands alone as a figure of privacy."),
    "R5": (CONSENSUS, "Membership figures are given only where their sampling assumption holds."),
    "R6": (CONSENSUS, "F is reported beside F of an intruder who guesses."),
    "R7": (
        CONSENSUS,
        "The panel was undecided on 0.2 as a limit of F_rel: a limit is the office's own, with a reason.",
    ),
    "R8": (CONSENSUS, "Attribute disclosure concerns members; harm to groups is a question of ethics."),
    "R9": (CONSENSUS, "Attribute figures are set against people outside the data."),
    "R10": (CONSENSUS, "A difference above its limit counts only where the figure itself is above its own."),
    "R11": (CONSENSUS, "A privacy budget is no figure of disclosure; such data are evaluated alike."),
}
"""Each requirement, in our words: its source, and what it asks."""


NOT_COVERED = (
    (
        "Attacks with models (shadow models, inference by machine learning)",
        "the consensus advises against shadow models; figures come from exact matches on keys",
    ),
    ("Black box and white box access to the generator", "only the files are measured, not the generator"),
    ("Population simulation", "no population is simulated; a table of it, or its size, can be given"),
    ("Two other datasets linked through a synthetic record", "the keys are not divided between two sources"),
    ("Probability of an attack, access controls, and harm", "no file can tell them; the panel judges them"),
)
"""What no review of this program covers, and why."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A figure that answers a requirement.

    Attributes
    ----------
    measure, of
        What was measured, and of what: a target, the keys; empty where it is of all.
    value, unit
        The figure as `pointer` finds it.
    pointer
        Where it stands in the review's JSON: JSON Pointer (RFC 6901).
    """

    measure: str
    of: str
    value: float
    unit: str
    pointer: str


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement, and how this review stands to it.

    Attributes
    ----------
    name
        "Singling out", "Linkability", "Inference", or "R1" to "R11".
    figures
        What answers it in figures.
    where
        The sections of report and appendix that answer it; none where nothing does.
    stated
        What answers it in words.
    open
        What this program could answer and this review does not.
    not_covered
        What is not covered here, and why.
    """

    name: str
    figures: tuple[Evidence, ...] = ()
    where: tuple[str, ...] = ()
    stated: str = ""
    open: tuple[str, ...] = ()
    not_covered: tuple[str, ...] = ()

    @property
    def standing(self) -> str:
        """Return "open", "answered" or "not covered"."""
        if self.open:
            return "open"
        return "answered" if self.figures or self.stated else "not covered"


def evidence(measure: str, of: str, value: float, unit: str, pointer: str) -> Evidence:
    """Return a figure that answers a requirement, by where it stands in the JSON."""
    return Evidence(measure, of, value, unit, f"/figures{pointer}")
