"""Which data a command speaks of: what of a call cannot be done, and the review that it opens."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from disclosure_core.cli import acting, engine
from disclosure_core.cli.acting import spelt, was_given
from disclosure_core.cli.asked import (
    answered_by,
    answers_from,
    bounds_from,
    check_files,
    columns_from,
    limits_from,
    pairs_from,
    read_options,
    settings_from,
    thresholds_from,
)
from disclosure_core.cli.saved_review import is_review, open_saved, say_not_taken_up, taken_up
from disclosure_core.data.placing import called
from disclosure_core.data.written import names, pair, pairs
from disclosure_core.errors import DisclosureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from disclosure_core.counting.settings import Settings
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.value import Review


def check(options: Mapping[str, Any]) -> None:
    """Say what of the call cannot be done, or would not be used, before anything is read."""
    if (context := click.get_current_context(silent=True)) is not None:
        acting.check(context.command.name or "", options)
    if options.get("holdout") and options.get("split"):
        raise DisclosureError("--holdout and --split are two ways to one holdout; choose one of them.")
    engine.check(options)
    unused(options, "seed", "split")
    unused(options, "holdout_is", "holdout")
    unused(options, "population_source", "population")
    for option in ("limit_owner", "limit_reason"):
        unused(options, option, "limit", there=bool(options["limits"]))
    files = options.get("files") or ()
    if options.get("engine"):
        pass  # `engine.check` has said what is wrong
    elif is_review(files):
        if len(files) > 1:
            raise DisclosureError("A saved review names its files itself: remove the other files, and give --data.")
    elif "files" in options:
        if len(files) < (1 if options.get("sets") else 2):
            raise DisclosureError("Give the original and at least one synthetic file; or a saved review, a .json file.")
        unused(options, "data", "a saved review", there=False)
        unused(options, "other_data", "a saved review", there=False)
    threat_model, assumptions = answers_from(options)
    _ = (
        read_options(options),
        threat_model,
        assumptions,
        thresholds_from(options),
        pairs_from(options),
        limits_from(options),
    )


def unused(options: Mapping[str, Any], option: str, needs: str, *, there: bool | None = None) -> None:
    """Say that an option does nothing without another."""
    there = was_given(options.get(needs)) if there is None else there
    if was_given(options.get(option)) and not there:
        more = needs if " " in needs else spelt(needs)
        raise DisclosureError(f"{spelt(option)} does nothing without {more}; add it, or remove this option.")


def open_data(options: Mapping[str, Any], say: Callable[[str], None]) -> Opened:
    """Return the review that a call asks for, opened with its files."""
    from disclosure_core.review.opening import start
    from disclosure_core.review.parts import SYNTHETIC, SynthesisSet
    from disclosure_core.review.saved import read, with_parts
    from disclosure_core.review.value import Review

    check(options)
    if (context := click.get_current_context(silent=True)) is not None:
        for note in acting.notes(context.command.name or "", options):
            say(note)
    paths: Sequence[Path] = options["files"]
    if options.get("engine"):
        opened = engine.open_engine(options, say)
        if options.get("saved"):
            opened = opened.with_review(taken_up(opened, read(options["saved"])))
    elif is_review(paths):
        opened = open_saved(paths[0], options, say)
    else:
        parts = read(options["saved"]) if options.get("saved") else {}
        original, *synthetic = paths
        sets = options.get("sets") or {SYNTHETIC: [(called(path), path) for path in synthetic]}
        saved = with_parts(Review(sets=tuple(SynthesisSet(name, ()) for name in sets)), parts)
        _ = (
            columns_from(saved.columns, options, None),
            settings_from(saved.settings, options, None),
        )  # mistakes come first
        heard: set[str] = set()

        def say_once(sentence: str, queued: bool) -> None:
            if not queued and sentence not in heard:
                heard.add(sentence)
                say(sentence)

        engine.check_memory([*paths, *(path for files in (options.get("sets") or {}).values() for _, path in files)])
        given = [original, *(path for files in sets.values() for _, path in files)]
        beside = [path for path in (options["holdout"], options["population_table"]) if path is not None]
        check_files(options, [*given, *beside])
        how = {called(path): read_options(options, path) for path in given}
        opened = start((called(original), original), sets, how, told=say_once)
        if not options.get("codebook"):
            _say_codebooks(original.parent, opened, say)
        if parts:
            say_not_taken_up(opened, parts, options, say)
            opened = opened.with_review(taken_up(opened, parts))
    if options.get("codebook"):
        from disclosure_core.data.codebook import read_codebook
        from disclosure_core.review.codebooks import with_codebook

        opened = opened.with_review(
            with_codebook(opened, read_codebook(options["codebook"], called(options["codebook"])))
        )
    opened = opened.with_review(_review_from(opened, options))
    if options["holdout"] is not None and not options.get("engine"):
        from disclosure_core.review.reading import read_holdout

        path: Path = options["holdout"]
        say(f"Reading {path.name} …")
        reading, source = read_holdout(called(path), path, read_options(options, path), beside=opened.review)
        drawn = options["holdout_is"]
        opened = opened.with_holdout(reading, replace(source, random=None if drawn is None else drawn == "random-part"))
    if options["population_table"] is not None:
        from disclosure_core.review.population import with_population
        from disclosure_core.review.reading import read_population

        path = options["population_table"]
        say(f"Reading {path.name} …")
        table, file = read_population(called(path), path, read_options(options, path), beside=opened.review)
        opened = with_population(opened, table, file)
    opened = answered(opened, options)
    if options.get("population") is not None:
        from disclosure_core.sensitivity.population import check_size

        check_size(options["population"], opened.study().n_original)
    _check_exclusions(opened)
    for note in acting.notes_on_columns("" if context is None else context.command.name or "", options, opened):
        say(note)
    for name in _idle_reasons(opened, options):
        say(f"Note: --reason {name} moves nothing: nothing of that name is excluded.")
    return opened


def _say_codebooks(folder: Path, opened: Opened, say: Callable[[str], None]) -> None:
    """Say which files lie beside the data that may be their codebook."""
    from disclosure_core.data.codebook import lying_beside
    from disclosure_core.rounding import visible

    of_sas = any(reading.formats for reading in opened.readings())
    for name in lying_beside(folder):
        if of_sas or not name.lower().endswith(".sas7bcat"):
            say(f"{visible(name)} lies beside the data and may say what they hold; --codebook takes it.")


def with_subsets(opened: Opened, options: Mapping[str, Any]) -> Opened:
    """Return the review with how far the subsets of its keys are searched, as --all or --budget says."""
    from disclosure_core.review.intruders import with_bounds

    n_keys = len(opened.review.keys)
    return opened.with_review(with_bounds(opened.review, bounds_from(options, opened.review.bounds, n_keys)))


def answered(opened: Opened, options: Mapping[str, Any]) -> Opened:
    """Return the review with the file of answers, where there is one; what an option answers too is refused."""
    if not options.get("answers"):
        return opened
    from disclosure_core.review.answers import with_answers
    from disclosure_core.review.by_hand import without_empty
    from disclosure_core.review.saved import read

    path: Path = options["answers"]
    answers = without_empty(read(path))
    for place, option in answered_by(options, tuple(opened.study().columns)):
        if _holds(answers, place):
            raise DisclosureError(f"{place[-1]!r} is answered in {path.name} and by {option}; remove one of them.")
    opened = with_names(opened, options)  # the verdicts are theirs
    return with_answers(opened, answers, date.today().isoformat())


def _holds(answers: Any, place: Sequence[str]) -> bool:
    """Return whether there is an answer at a place in a review."""
    for name in place:
        answers = answers.get(name) if isinstance(answers, dict) else None
    return answers is not None


def with_names(opened: Opened, options: Mapping[str, Any]) -> Opened:
    """Return the review with the officer and the title that the call names, which it keeps."""
    from disclosure_core.review.about import OFFICER, TITLE

    named = {label: options.get(name) for label, name in ((OFFICER, "author"), (TITLE, "title"))}
    given = {label: text for label, text in named.items() if text}
    if not given:
        return opened
    return opened.with_review(replace(opened.review, about={**opened.review.about, **given}))


def check_again(options: dict[str, Any]) -> None:
    """Say what of a call that repeats a saved review cannot be done, and put the sets that it names into `options`."""
    named = options.pop("named")
    if named and not options["engine"]:
        raise DisclosureError("A saved review of files names its sets itself; remove --set.")
    options["sets"] = sets_of(named, in_place=True)
    engine.check(options)


def _review_from(opened: Opened, options: Mapping[str, Any]) -> Review:
    """Return the review with what the options say in the place of what it says."""
    from disclosure_core.counting.restrict import levels_as_named
    from disclosure_core.errors import not_found
    from disclosure_core.review.intruders import with_keys
    from disclosure_core.review.parts import Holdout
    from disclosure_core.review.reasons import OF_ALL

    review, columns = opened.review, tuple(opened.study().columns)
    threat_model, assumptions = answers_from(options, review.threat_model, review.assumptions)
    review = replace(
        review,
        columns=columns_from(review.columns, options, columns),
        threat_model=threat_model,
        assumptions=assumptions,
    )
    if options["split"] is not None:
        review = replace(
            review,
            holdout=Holdout(
                "split", share=options["split"], seed=_SEED if options["seed"] is None else options["seed"]
            ),
        )
    for name in options["really_different"]:
        if name not in columns:
            raise not_found("The column of --really-different,", name, "in the data", columns)
        review = review.with_differing(name)
    review = replace(review, limits=limits_from(options, review.limits))
    settings = levels_as_named(opened.study(), settings_from(review.settings, options, columns))
    if not options.get("save"):
        _check_moving(settings, options, columns)
    review = review.with_settings(settings)
    reasons = pairs(options["reasons"], "--reason", "NAME=TEXT", (*columns, *OF_ALL))
    review = replace(review, reasons={**review.reasons, **reasons})
    if options["release"]:
        review = replace(review, released={**review.released, opened.first_set: _released(opened, options["release"])})
    # What each key adds is told in the order in which they were given.
    return with_keys(review, dict.fromkeys(names(options["keys"]))) if options["keys"] else review


def _idle_reasons(opened: Opened, options: Mapping[str, Any]) -> Iterator[str]:
    """Give what the call has a reason for that is not excluded; a review that is saved may exclude it later."""
    from disclosure_core.review.reasons import OF_ALL, is_excluded

    names = (*opened.study().columns, *OF_ALL)
    for text in () if options.get("save") else options["reasons"]:
        name, _ = pair(text, "--reason", "NAME=TEXT", names)
        if not is_excluded(opened.review.settings.exclusions, name):
            yield name


def _check_exclusions(opened: Opened) -> None:
    """Say which excluded level is not in the data also where what is printed does not need it: it has no reason."""
    from disclosure_core.review.intruders import restricted

    if opened.not_judged and opened.review.keys and not opened.all_excluded.stopped():
        fitting, _ = restricted(opened.review, opened.study())
        if fitting.exclusions != opened.review.exclusions:
            opened.all_excluded.assessment()


def _check_moving(settings: Settings, options: Mapping[str, Any], columns: Sequence[str]) -> None:
    """Say which exclusion or grouping of the call is of a column that is neither key nor target."""
    from disclosure_core.counting.settings import Settings
    from disclosure_core.review.reasons import idle

    asked = replace(Settings(keys=settings.keys), targets=settings.targets)
    if (said := idle(settings_from(asked, {**options, "keys": None, "targets": None}, columns), columns)) is not None:
        raise DisclosureError(said)


def _released(opened: Opened, named: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of the syntheses that are released, named by file or number."""
    from disclosure_core.errors import not_found

    m, found = len(opened.study().n_synthetic), set()
    files = [r.name for r in opened.readings()[1:]]
    for name in named:
        number = int(name) if name.isdecimal() and name not in files else files.index(name) + 1 if name in files else 0
        if not 1 <= number <= m:
            raise not_found("The synthesis of --release-file,", name, "among the syntheses", files)
        found.add(number)
    return tuple(sorted(found))


_SEED = 1


def sets_of(named: Iterable[tuple[str, Path]], *, in_place: bool = False) -> dict[str, list[tuple[str, Path]]]:
    """Return the files of each set by its name; a folder stands for the data files in it, or `in_place` for a table."""
    from disclosure_core.data.readers import EXTENSIONS

    sets: dict[str, list[tuple[str, Path]]] = {}
    for name, path in named:
        given = [path]
        if path.is_dir() and not in_place:
            there = (p for p in path.iterdir() if p.is_file() and not p.name.startswith((".", "~$")))  # of a system
            given = sorted(p for p in there if p.suffix.lower() in EXTENSIONS)
            if not given:
                raise DisclosureError(f"The folder {path} holds no data file; name another.")
        sets.setdefault(name, []).extend((called(each), each) for each in given)
    return sets
