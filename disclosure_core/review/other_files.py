"""The settings of a review used on other files: next year's, or the part of a split that was synthesised.

What does not fit is left out and said, each thing by name; nothing else is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from disclosure_core.above import above
from disclosure_core.errors import DisclosureError
from disclosure_core.protection.steps import AddLabel
from disclosure_core.review import intruders, reasons
from disclosure_core.review.adoption import with_adopted, without_adopted
from disclosure_core.review.parts import SYNTHETIC, Columns
from disclosure_core.shown import listed

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Exclusions
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review

_DECISIONS = {
    "mends": "how values are brought together",
    "missing_texts": "texts read as missing",
    "types": "type",
    "missing_codes": "missing codes",
    "numbers": "codes that are answers",
}
"""Parts of `Columns` by column, and what each is called."""


def with_settings_of(review: Review, opened: Opened) -> Opened:
    """Return the review of other files, just opened, with the settings of `review`; its differences say what is not.

    Keys, targets, groups, exclusions with their reasons, limits, safeguards and answers are taken over. A verdict comes
    along and is to be confirmed where its figure is another. What was said of the other files alone is not: people
    outside, the population, columns whose values really differ, and shareable reports.

    Parameters
    ----------
    review
        What was asked of other files.
    opened
        The files, as `start` opens them or under a review of their own, whose people outside stay.

    Raises
    ------
    DisclosureError
        When none of the keys is in these files.

    Examples
    --------
    >>> import pandas as pd
    >>> from disclosure_core.review.opening import start_tables
    >>> from disclosure_core.review.value import Review
    >>> frame = pd.DataFrame({"age": [30, 41], "job": ["nurse", "cook"]})
    >>> used = with_settings_of(Review.of(["age", "sex"]), start_tables(frame, [frame]))
    >>> used.review.keys, used.differences
    (('age',), ("These files have no column 'sex'; left out: key.",))
    """
    above().check_analyses(review)
    columns = set(opened.study().columns)
    if review.keys and not set(review.keys) & columns:
        raise DisclosureError(
            "None of the keys is a column of these files, so the settings do not fit; open the files without them."
        )
    said: list[str] = []
    asked = _of_sets(_of_columns(review, columns, said), opened, said)
    opened = _with_decisions(asked.columns, opened, said)
    now = opened.review
    asked = replace(
        asked,
        source=now.source,
        name=now.name,
        original=now.original,
        sets=with_adopted(now.sets, asked.sets),
        columns=now.columns,
        holdout=now.holdout,
        population_table=now.population_table,
        shared=(),
        really_different={},
    )
    said += [sentence for part, sentence in _OF_THE_FILES.items() if getattr(review, part) and not getattr(now, part)]
    opened = _with_safeguards(asked, opened, said)
    fitting, _ = intruders.restricted(opened.review, opened.study())
    if gone := _gone(opened.review.exclusions, fitting.exclusions):
        said.append(f"No such level or pair in these files; not excluded: {listed(gone)}.")
    return opened.with_review(fitting).with_differences(tuple(said))


_OF_THE_FILES = {
    "holdout": "People outside are not taken over: bring those of these files on Compare.",
    "population_table": "The table of the population is not taken over: bring it again on Analyses.",
    "really_different": "That values really differ was said of the other files: it is asked again.",
}


def _of_columns(review: Review, columns: Collection[str], said: list[str]) -> Review:
    """Return the review without what it asks of columns that are not there, and say what that is, by column."""
    gone: dict[str, list[str]] = {}

    def here(names: Mapping[str, Any], what: str) -> dict[str, Any]:
        for name in names:
            if name not in columns:
                gone.setdefault(name, []).append(what)
        return {name: value for name, value in names.items() if name in columns}

    def names_here(names: tuple[str, ...], what: str) -> tuple[str, ...]:
        return tuple(here(dict.fromkeys(names), what))

    known = tuple(
        replace(
            k,
            keys=names_here(k.keys, "key"),
            groups=here(k.groups, "groups"),
            others_levels={name: levels for name, levels in k.others_levels.items() if name in columns},
        )
        for k in review.intruders
    )
    decided: dict[str, Any] = {part: here(getattr(review.columns, part), what) for part, what in _DECISIONS.items()}

    def steps_here(steps: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(s for s in steps if _of_no_column(s) or here({s.column: s}, "safeguard"))

    chains = tuple(replace(c, steps=steps_here(c.steps)) for c in review.chains)
    sought = replace(
        review.sought,
        coarsen=here(review.sought.coarsen, "least safeguard"),
        ways=here(review.sought.ways, "least safeguard"),
        blank=names_here(review.sought.blank, "least safeguard"),
        remove_claims=names_here(review.sought.remove_claims, "least safeguard"),
    )
    verdicts = tuple(v for v in review.verdicts if here({v.target: v}, "verdict"))
    scenarios = tuple(
        replace(s, exclusions=_excluded_here(s.exclusions, columns, gone, "exclusion in a scenario"))
        for s in review.scenarios
    )
    found = replace(
        review,
        intruders=known,
        targets=None if review.targets is None else names_here(review.targets, "target"),
        groups=here(review.groups, "groups"),
        columns=replace(review.columns, **decided),
        chains=chains,
        hierarchies=here(review.hierarchies, "hierarchy"),
        sought=sought,
        verdicts=verdicts,
        scenarios=scenarios,
        exclusions=_excluded_here(review.exclusions, columns, gone, "exclusion"),
    )
    for name, parts in gone.items():
        said.append(f"These files have no column {name!r}; left out: {listed(list(dict.fromkeys(parts)))}.")
    return found


def _of_no_column(step: object) -> bool:
    """Whether a safeguard acts on whole records, or adds a column."""
    return isinstance(step, AddLabel) or not hasattr(step, "column")


def _excluded_here(out: Exclusions, columns: Collection[str], gone: dict[str, list[str]], what: str) -> Exclusions:
    """Return exclusions without those of columns that are not there, which are added to `gone`."""
    for name in {
        *dict(out.target_levels),
        *out.missing_targets,
        *out.missing_keys,
        *(each for target, pairs in out.pairs for p in pairs for each in (target, p.key)),
    } - set(columns):
        gone.setdefault(name, []).append(what)
    return replace(
        out,
        target_levels={t: levels for t, levels in out.target_levels if t in columns},
        missing_targets=frozenset(t for t in out.missing_targets if t in columns),
        missing_keys=frozenset(k for k in out.missing_keys if k in columns),
        pairs={t: tuple(p for p in pairs if p.key in columns) for t, pairs in out.pairs if t in columns},
    )


def _of_sets(review: Review, opened: Opened, said: list[str]) -> Review:
    """Return the review speaking of the sets that are there, and say which are not; one set stands for one set."""
    was = [s.name for s in review.sets if s.origin is None] or [SYNTHETIC]
    now = list(opened.set_names)
    called = {was[0]: now[0]} if len(was) == len(now) == 1 else {}
    adopted = {s.name for s in review.sets if s.origin is not None}
    known = {*now, *adopted}

    def name(of: str) -> str:
        return called.get(of, of)

    lost = [each for each in was if name(each) not in known]
    verdicts = tuple(
        replace(v, synthesis_set=name(v.synthesis_set))
        for v in review.verdicts
        if not v.synthesis_set or name(v.synthesis_set) in known
    )
    released = {name(of): numbers for of, numbers in review.released.items() if name(of) in known}
    for of, numbers in list(released.items()):
        n = opened.study(of).n_syntheses if of in now else max(numbers, default=0)
        if any(number > n for number in numbers):
            said.append(f"{of!r} has {n} syntheses: which of them are released is asked again.")
            del released[of]
    if lost and (len(verdicts) < len(review.verdicts) or len(was) > 1):
        said.append(f"These files have no set {listed([repr(each) for each in lost])}: its verdicts are left out.")
    sets = tuple(
        replace(s, name=name(s.name), origin=s.origin and replace(s.origin, synthesis_set=name(s.origin.synthesis_set)))
        for s in review.sets
    )
    chosen = name(review.synthesis_set)
    stamps = tuple(replace(s, synthesis_set=name(s.synthesis_set)) for s in review.reason_stamps)
    return replace(
        review,
        sets=sets,
        synthesis_set=chosen if chosen in {s.name for s in sets} and chosen in known else "",
        verdicts=verdicts,
        released=released,
        reason_stamps=stamps,
    )


def _with_decisions(asked: Columns, opened: Opened, said: list[str]) -> Opened:
    """Return the files with what was decided of their columns; a decision that they do not bear is said."""
    now = opened.review.columns
    both: dict[str, Any] = {part: {**getattr(now, part), **getattr(asked, part)} for part in _DECISIONS}
    whole = replace(asked, **both)
    with_all = opened.with_review(replace(opened.review, columns=whole))
    try:
        with_all.study()
    except DisclosureError:
        pass
    else:
        return with_all
    found = opened.with_review(replace(opened.review, columns=replace(now, codebook=asked.codebook)))
    for part, what in _DECISIONS.items():
        for name, value in getattr(asked, part).items():
            kept: tuple[str, ...] = ()
            for each in [(code,) for code in value] if part == "missing_codes" else [value]:
                more = (*kept, *each) if part == "missing_codes" else each
                one: dict[str, Any] = {part: {**getattr(found.review.columns, part), name: more}}
                tried = found.with_review(replace(found.review, columns=replace(found.review.columns, **one)))
                try:
                    tried.study()
                except DisclosureError as error:
                    said.append(f"Left out for {name!r}: {what}. {error}")
                else:
                    found, kept = tried, more
    return found


def on_other_files(opened: Opened) -> Opened:
    """Return a review of other files without what was decided of their columns that does not fit, which is said."""
    said: list[str] = []
    bare = opened.with_review(replace(opened.review, columns=Columns(codebook=opened.review.columns.codebook)))
    return _with_decisions(opened.review.columns, bare, said).with_differences(tuple(said))


def _with_safeguards(asked: Review, opened: Opened, said: list[str]) -> Opened:
    """Return the files under the review, without the adopted sets and safeguards that they do not bear."""
    adopted = [s.name for s in asked.sets if s.origin is not None]
    for name in adopted:
        if name not in {s.name for s in asked.sets}:
            continue  # it came from one that is gone
        try:
            opened.with_review(asked).study(name)
        except DisclosureError as error:
            left = without_adopted(asked, name, "")
            going = sorted(s.name for s in asked.sets if s not in left.sets)
            said.append(f"The adopted set {listed([repr(each) for each in going])} is left out. {error}")
            asked = left
    for chain in asked.chains:
        try:
            for done in opened.with_review(replace(asked, chain=chain.name)).safeguarded().done if chain.steps else ():
                done.check()
        except DisclosureError as error:
            said.append(f"The safeguards {chain.name!r} are left out. {error}")
            asked = replace(
                asked,
                chains=tuple(c for c in asked.chains if c.name != chain.name),
                chain="" if asked.chain == chain.name else asked.chain,
            )
    return opened.with_review(asked)


def _gone(before: Exclusions, after: Exclusions) -> list[str]:
    """Return the exclusions that are not there any more."""
    still = set(reasons.names(after))
    return [name for name in reasons.names(before) if name not in still]
