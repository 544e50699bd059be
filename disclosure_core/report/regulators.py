"""What regulators and the expert consensus ask, and which figure of a review answers it, or what is not covered and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from disclosure_core.errors import NotEvaluated, NothingEvaluatedError, evaluated
from disclosure_core.holdout.decision import LIMITED
from disclosure_core.report.answer import Answer, answer
from disclosure_core.report.measured import NOT_SEARCHED
from disclosure_core.report.pieces import heading, texts
from disclosure_core.report.requirement import ASKED, NOT_COVERED, Evidence, Requirement, evidence
from disclosure_core.report.rows import called
from disclosure_core.report.source import MEMBERSHIP, Block, Report
from disclosure_core.results import Anonymity, Together
from disclosure_core.review import about as of_release
from disclosure_core.review.population import in_population
from disclosure_core.rounding import few, fixed, score

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened


def requirements(opened: Opened) -> tuple[Requirement, ...]:
    """Return every requirement of `ASKED`, in its order."""
    found = _Review(opened)
    make: dict[str, Callable[[], Requirement]] = {
        "Singling out": found.singling_out,
        "Linkability": found.linkability,
        "Inference": found.inference,
        "R1": found.keys,
        "R2": found.syntheses,
        "R3": found.all_records,
        "R4": found.no_similarity,
        "R5": found.gate,
        "R6": found.beside_guessing,
        "R7": found.limit_of_membership,
        "R8": found.groups,
        "R9": found.beside_outside,
        "R10": found.both_limits,
        "R11": found.budget,
    }
    return tuple(_or_open(name, make[name]) for name in ASKED)


def _or_open(name: str, make: Callable[[], Requirement]) -> Requirement:
    """Return a requirement; where values do not meet, so that nothing of it is evaluated, it is open."""
    try:
        return make()
    except NothingEvaluatedError as error:
        return Requirement(name, open=(f"Not evaluated. {error}",))


class _Review:
    """What the requirements ask of one review."""

    def __init__(self, opened: Opened) -> None:
        self.opened, self.review = opened, opened.review
        self.answer: Answer = answer(opened)
        self.disco = [(i, r) for i, r in enumerate(self.answer.rows) if r.measure == "DiSCO" and r.judged.evaluated]

    # ---- the three tests ----

    def singling_out(self) -> Requirement:
        s, figures = self.answer.screening, self._replicated()
        if s.outside is not None:
            figures.append(evidence("repU", "people outside", s.outside, "% of people outside", "/answer/repU/outside"))
        classes = self._smallest_class()
        figures += self._released_together()[0] + classes
        where = ("Identity", *[Anonymity.title] * bool(classes))
        population = evaluated(lambda: in_population(self.opened.printed, named=False))
        if isinstance(population, NotEvaluated):
            open_ = f"In the population: not evaluated. {population.why} {population.needs}".strip()
            return Requirement("Singling out", tuple(figures), where, open=(open_,))
        return Requirement("Singling out", tuple(figures), where, f"{population} {population.assumed}")

    def _replicated(self) -> list[Evidence]:
        members = self.answer.screening.members
        return (
            [] if members is None else [evidence("repU", "", members, "% of original records", "/answer/repU/members")]
        )

    def _released_together(self) -> tuple[list[Evidence], list[Evidence]]:
        """Return repU, and the largest DiSCO, of several syntheses together; nothing where one is, or it is switched off."""
        found, unit = Together.of(self.opened.printed), "% of original records"
        if isinstance(found, NotEvaluated) or not Together.in_report(self.review):
            return [], []
        keys = evidence("repU in any synthesis", "", found.identity["any"], unit, "/tables/combined_identity/0/any")
        last = len(found.attributes) - 1
        attributes = [
            evidence(
                "largest DiSCO in any synthesis",
                str(row["target"]),
                float(row["any"]),
                unit,
                f"/tables/combined_attributes/{last}/any",
            )
            for row in found.attributes.tail(1).to_dict("records")
        ]
        return [keys], attributes

    def _smallest_class(self) -> list[Evidence]:
        """Return how few records share their keys in the original, and the share of those in small classes."""
        found = Anonymity.of(self.opened.printed)
        if isinstance(found, NotEvaluated) or not Anonymity.in_report(self.review):
            return []
        row, of, path = found.under.iloc[0], "the original", "/tables/under_k/0"
        return [
            evidence("smallest class of the keys", of, float(row["smallest"]), "records", f"{path}/smallest"),
            evidence(
                f"records in classes under {found.asked.k}",
                of,
                float(row["share"]),
                "% of original records",
                f"{path}/share",
            ),
        ]

    def linkability(self) -> Requirement:
        identity = self.opened.printed.assessment().identity
        figures = [
            evidence(
                "UiOiS",
                f"synthesis {i}",
                float(identity["UiOiS"].iloc[i - 1]),
                "% of original records",
                f"/tables/identity/{i - 1}/UiOiS",
            )
            for i in range(1, len(identity) + 1)
        ]
        figures += self._replicated()
        return Requirement(
            "Linkability",
            tuple(figures),
            ("Identity",),
            not_covered=(
                "Two other datasets linked through a synthetic record: keys are not divided between two sources.",
            ),
        )

    def inference(self) -> Requirement:
        return Requirement(
            "Inference",
            (
                *self._largest("members"),
                *self._largest("gain"),
                *self._largest("difference"),
                *self._released_together()[1],
            ),
            ("Disclosure by target", "Attributes"),
            open=self._no_figure() or self._no_outside(),
        )

    # ---- the consensus ----

    def keys(self) -> Requirement:
        bare = [
            key
            for intruder in self.review.intruders
            for key in intruder.keys
            if not intruder.reason.strip() and not self.review.reasons.get(key, "").strip()
        ]
        figures: list[Evidence] = []
        open_ = [f"No reason is given for {few(list(dict.fromkeys(bare)))}."] if bare else []
        where = ["Assumed knowledge of an intruder"]
        if "subsets" in self.review.searched:
            found = self.opened.printed.subsets()
            table = found.attribute
            if not found.complete:
                open_.append(f"{found.coverage}: a subset that was not may be worse.")
            if len(table):
                i = int(table["DiSCO"].to_numpy().argmax())
                row = table.iloc[i]
                figures.append(
                    evidence(
                        "DiSCO",
                        f"{row['target']}, keys {', '.join(row['keys'])}",
                        float(row["DiSCO"]),
                        "% of original records",
                        f"/tables/subsets_attribute/{i}/DiSCO",
                    )
                )
            where.append("Subsets of the keys")
        else:
            open_.append("Subsets of the keys were not searched.")
        return Requirement("R1", tuple(figures), tuple(where), "" if bare else "Every key has a reason.", tuple(open_))

    def syntheses(self) -> Requirement:
        if self.answer.n_syntheses == 1:
            why = "One synthesis was measured: its generator and the variation between syntheses are not evaluated."
            return Requirement("R2", not_covered=(why,))
        summary = self.opened.printed.assessment().summary()
        figures = [
            evidence(
                f"{what} of DiSCO", str(name), float(summary[column].iloc[i]), unit, f"/tables/summary/{i}/{column}"
            )
            for i, name in [(len(summary) - 1, summary["target"].iloc[-1])]
            if len(summary)
            for what, column, unit in (
                ("mean", "synthetic", "% of original records"),
                ("SD", "sd", "percentage points"),
            )
        ]
        return Requirement("R2", tuple(figures), ("Attributes", "Identity"), "Mean, SD and each synthesis are given.")

    def all_records(self) -> Requirement:
        found = self.opened.printed.assessment()
        whole = evidence("records", "the original", float(found.n_original), "records", "/files/0/records")
        return Requirement(
            "R3",
            (whole,),
            ("Data assessed",),
            "DiSCO, DCAP and repU are over all original records, also after exclusions.",
        )

    def no_similarity(self) -> Requirement:
        return Requirement("R4", where=("Limitations",), stated="No similarity score is given as a figure of privacy.")

    def _refused(self) -> bool:
        """Return whether the answers rule membership figures out; not where one is missing, or nothing was searched."""
        m = self.review.threat_model
        if False in (m.same_population, m.news):
            return True
        found = None if m.refusal() is not None else evaluated(self.opened.partition)
        known = found is not None and not isinstance(found, NotEvaluated)
        return known and self.answer.membership.f_rel is None and self.answer.membership.why != NOT_SEARCHED

    def gate(self) -> Requirement:
        if self._refused():
            return Requirement("R5", (), (MEMBERSHIP,), f"No membership figure is given. {self.answer.membership.why}")
        if open_ := self.review.threat_model.unanswered():
            return Requirement("R5", where=(MEMBERSHIP,), open=tuple(f"Not answered: {q}" for q in open_))
        return Requirement("R5", where=(MEMBERSHIP,), stated="The questions before membership are answered.")

    def _membership(self, name: str, figures: Iterable[tuple[str, float | None, str]]) -> Requirement:
        m = self.answer.membership
        if m.f_rel is None:
            refused = self._refused()
            why = (f"Membership is not evaluated. {m.why}",)
            return Requirement(name, open=() if refused else why, not_covered=why if refused else ())
        told = tuple(
            evidence(what, f"keys {', '.join(m.keys)}", value, "share, at most 1", f"/answer/membership/{column}")
            for what, value, column in figures
            if value is not None
        )
        left = "Not every subset of the keys was searched: one that was not may have a larger F_rel."
        return Requirement(name, told, (MEMBERSHIP,), open=() if m.complete else (left,))

    def beside_guessing(self) -> Requirement:
        m = self.answer.membership
        return self._membership(
            "R6", (("F", m.f, "F"), ("F of guessing", m.f_naive, "F_naive"), ("F_rel", m.f_rel, "F_rel"))
        )

    def limit_of_membership(self) -> Requirement:
        limit = self.review.limits.membership
        if self.answer.membership.f_rel is None and (limit.relative is None or self._refused()):
            return self._membership("R7", ())
        if limit.relative is None:
            return Requirement("R7", open=("The office set no limit of F_rel.",))
        limited = evidence("limit of F_rel", "", limit.relative, "share, at most 1", "/answer/membership/limit")
        whose = limit.owner.strip() and limit.reason.strip()
        why = () if whose else ("Nobody is named as setting the limit of F_rel, or no reason is given.",)
        return Requirement("R7", (limited,), (MEMBERSHIP,), open=why)

    def groups(self) -> Requirement:
        said = self.review.about.get(of_release.GROUP_HARM, "").strip()
        open_ = () if said else (f"Not stated: {of_release.GROUP_HARM}.",)
        return Requirement(
            "R8", self._largest("members"), ("Attributes", "Data assessed"), said, self._no_figure() or open_
        )

    def beside_outside(self) -> Requirement:
        return Requirement(
            "R9",
            (*self._largest("outside"), *self._largest("difference")),
            ("People outside the data",) if self.answer.n_outside is not None else (),
            open=self._no_figure() or self._no_outside(),
        )

    def both_limits(self) -> Requirement:
        missing = [
            measure
            for measure in LIMITED
            if measure != "F_rel"
            and None in (self.review.limits.of(measure).relative, self.review.limits.of(measure).absolute)
        ]
        open_ = (f"The limits of {few(missing)} are not complete.",) if missing else self._no_outside()
        limits = tuple(
            evidence(f"{kind} limit", called(r), value, unit, f"/answer/rows/{i}/limit/{kind}")
            for i, r in self.disco[:1]
            for kind, value, unit in (
                ("absolute", r.limit.absolute, "% of members"),
                ("relative", r.limit.relative, "percentage points"),
            )
            if value is not None
        )
        return Requirement("R10", limits, ("Disclosure by target",), open=open_)

    def budget(self) -> Requirement:
        said = self.review.about.get(of_release.PRIVACY_BUDGET, "").strip()
        open_ = () if said else (f"Not stated: {of_release.PRIVACY_BUDGET}.",)
        return Requirement("R11", where=("Data assessed",), stated=said, open=open_)

    # ---- figures that several ask for ----

    def _no_figure(self) -> tuple[str, ...]:
        return () if self.disco else ("No figure of DiSCO was evaluated.",)

    def _no_outside(self) -> tuple[str, ...]:
        found = evaluated(self.opened.printed.attribute_baseline)
        return (f"{found.why} {found.needs}".strip(),) if isinstance(found, NotEvaluated) else ()

    def _largest(self, what: str) -> tuple[Evidence, ...]:
        """Return the largest DiSCO of people in the data or outside, difference or gain over chance; none where there is none."""
        measure, unit = _LARGEST[what]
        of: list[tuple[float, int, Any]] = []
        for i, r in self.disco:
            value = getattr(r.beyond, "gain", None) if what == "gain" else getattr(r.judged, what)
            if value is not None and value == value:
                of.append((float(value), i, r))
        if not of:
            return ()
        value, i, row = max(of, key=lambda found: found[0])
        path = f"/answer/rows/{i}/beside_a_guess/gain" if what == "gain" else f"/answer/rows/{i}/{what}"
        return (evidence(f"largest {measure}", row.target, value, unit, path),)


_LARGEST = {
    "members": ("DiSCO", "% of people in the data"),
    "outside": ("DiSCO of people outside", "% of people outside"),
    "difference": ("difference in DiSCO", "percentage points"),
    "gain": ("gain over chance", "percentage points of the original records"),
}
"""By what is the largest, what it is called, and its unit."""


# ---- in the report ----

HEADING = "What regulators and the consensus ask"


def blocks(source: Report) -> list[Block]:
    """Return the requirements with what answers each, and what is not covered; a shareable report only what is asked."""
    columns: tuple[str, ...] = ("Requirement", "What it asks")
    rows: list[tuple[str, ...]] = [(name, asks) for name, (_, asks) in ASKED.items()]
    if not source.shareable:
        columns = (*columns, "Here", "By")
        rows = [(r.name, ASKED[r.name][1], r.standing, _answered(r)) for r in requirements(source.opened)]
    stands = " Answered: a figure or a statement is there; that is not a pass."
    return [
        heading(HEADING),
        texts(
            "The three tests of European guidance (WP29, Opinion 05/2014) and of UK guidance (ICO, Anonymisation), and R1 to R11 "
            "of the consensus [3], in our words."
            + (
                " What answers each stands in the internal report and its evidence file."
                if source.shareable
                else stands
            ),
            columns,
            rows,
        ),
        texts("Not covered by this program.", ("What", "Why"), NOT_COVERED),
    ]


def _answered(r: Requirement) -> str:
    """Return what answers a requirement, where, and what is open or not covered."""
    told = "; ".join(map(_written, r.figures[:_MOST]))
    more = f"; and {len(r.figures) - _MOST} more" if len(r.figures) > _MOST else ""
    said = [f"{told}{more}." if told else "", r.stated, *r.open, *r.not_covered]
    said += [f"See {', '.join(r.where)}." if r.where and r.standing != "open" else ""]
    return " ".join(text if text[-1] in ".?!" else f"{text}." for text in said if text)


_MOST = 3
"""Figures of a requirement that the report prints; the evidence file has all."""


def _written(figure: Evidence) -> str:
    """Return a figure with its unit, and of what it is; a share as small as F with two significant digits."""
    of = f" ({figure.of})" if figure.of else ""
    if figure.unit.startswith("share"):
        return f"{figure.measure}{of}: {score(figure.value)}"
    if figure.unit == "records":
        return f"{figure.measure}{of}: {fixed(figure.value, 0)} record{'s' * (figure.value != 1)}"
    return f"{figure.measure}{of}: {fixed(figure.value)} {figure.unit}"
