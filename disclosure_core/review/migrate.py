"""A saved review taken up on data that are open already."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from disclosure_core.above import above
from disclosure_core.errors import DisclosureError
from disclosure_core.review import reasons as of_reasons
from disclosure_core.review.about import ABOUT, OFFICER, TITLE
from disclosure_core.review.adoption import with_adopted
from disclosure_core.review.other_files import with_settings_of
from disclosure_core.rounding import quantity

if TYPE_CHECKING:
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.parts import SourceFile
    from disclosure_core.review.value import Review

_MOST = 8
"""So many names stand in a sentence."""


def carry_over(saved: Review, opened: Opened) -> tuple[Review, tuple[str, ...]]:
    """Return `saved` as a review of the open data, and a sentence for each way in which these are not its own."""
    now, columns = opened.review, opened.study().columns
    if saved.keys and not set(saved.keys) & set(columns):
        raise DisclosureError("These settings belong to other data: none of their keys is here; nothing was changed.")
    messages = [*_files(saved, now)]
    if messages or (saved.source, bool(_all_files(saved))) != (now.source, bool(_all_files(now))):
        used = with_settings_of(saved, opened)
        return used.review, (*messages, *used.differences[len(opened.differences) :])
    if saved.holdout is not None and saved.holdout.kind != "split" and now.holdout != saved.holdout:
        name = saved.holdout.file.name if saved.holdout.file else "the survey's own"
        messages.append(f"That review had a holdout, {name}: bring it on the page Compare to have its figures again.")
    table = saved.population_table
    if table is not None and now.population_table != table:
        messages.append(
            f"That review had a population table, {table.name}: bring it on the page Keys to have its figures again."
        )
    named = {*saved.keys, *(saved.targets or ()), *saved.groups}
    absent = sorted(named - set(columns))
    if absent:
        messages.append(f"These data have no {', '.join(map(repr, absent[:_MOST]))}.")
    codes = {name: values for name, values in saved.columns.missing_codes.items() if name in columns}
    review = on_data_of(now, saved)
    return replace(review, columns=replace(saved.columns, missing_codes=codes)), tuple(messages)


def on_data_of(now: Review, review: Review) -> Review:
    """Return what `review` asks for, of the files that `now` speaks of.

    A split of the original is asked for, too, and so are the sets that were adopted from one that is here.
    """
    above().check_analyses(review)
    split = review.holdout is not None and review.holdout.kind == "split"
    holdout = review.holdout if split else now.holdout
    sets = with_adopted(now.sets, review.sets)
    adopted, names = {s.name for s in sets if s.origin is not None}, {s.name for s in sets}
    chosen = review.synthesis_set if review.synthesis_set in adopted else now.synthesis_set
    chosen = chosen if chosen in names else ""
    return replace(
        review,
        source=now.source,
        name=now.name,
        original=now.original,
        sets=sets,
        synthesis_set=chosen,
        holdout=holdout,
        population_table=now.population_table,
    )


def strangers(saved: Review, opened: Opened) -> Iterator[str]:
    """Give a sentence for each name in a review that nothing in the open data has: what it says of it does nothing."""
    columns, keys = {*opened.study().columns}, {key for known in saved.intruders for key in known.keys}
    reasoned = {*columns, *of_reasons.OF_ALL, *of_reasons.names(saved.exclusions)}
    known: dict[str, tuple[Iterable[str], Collection[str]]] = {
        "about": (saved.about, {OFFICER, TITLE, *ABOUT}),
        "columns.missing_codes": (saved.columns.missing_codes, columns),
        "columns.missing_texts": (saved.columns.missing_texts, columns),
        "columns.numbers": (saved.columns.numbers, columns),
        "hierarchies": (saved.hierarchies, columns),
        "intruders.bounds.at_best": ([key for each in saved.intruders for key in each.bounds.at_best], keys),
        "really_different": ([name for names in saved.really_different.values() for name in names], columns),
        "reasons": ([name for name in saved.reasons if _column_of(name) not in columns], reasoned),
        "released": (saved.released, opened.set_names),
        "verdicts": ([v.target for v in saved.verdicts], columns),
    }
    for part, (names, there) in known.items():
        for name in dict.fromkeys(names):
            if name not in there:
                yield f"{name!r} in {part} is nothing that these data have, and does nothing; correct or remove it."
    for name, numbers in saved.released.items():
        n = opened.study(name).n_syntheses if name in opened.set_names else max(numbers, default=0)
        if any(number > n for number in numbers):
            yield f"{name!r} has {quantity(n, 'synthesis', 'syntheses')}, and released names another; correct it."


def _column_of(reason: str) -> str:
    """Return the column that a reason may be of: "job = cook" and "job missing" are of job."""
    return reason.partition(" = ")[0].removesuffix(" missing")


def _files(saved: Review, now: Review) -> list[str]:
    """Say where the files are not those that the review was saved with."""
    saved_files, open_files = _all_files(saved), _all_files(now)
    fingerprints = {file.sha256 for file in open_files}
    if saved_files and saved_files[0].sha256 in {file.sha256 for file in open_files[1:]}:
        return ["The original of that review is given as synthetic now: were the files swapped?"]
    if not saved_files or {file.sha256 for file in saved_files} == fingerprints:
        return []
    absent = ", ".join(file.name for file in saved_files if file.sha256 not in fingerprints) or "other files"
    return [f"This was saved with other data ({absent}): check that keys, levels and codes still mean the same."]


def _all_files(review: Review) -> list[SourceFile]:
    return [*([review.original] if review.original else []), *(file for s in review.sets for file in s.files)]
