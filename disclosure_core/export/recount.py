"""What a review asks, asked of the second counter: every figure of its JSON by table, row and column."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from math import nan
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from disclosure_core.data.study import AnyStudy, Kind
from disclosure_core.errors import NotEvaluated
from disclosure_core.export import recount_verdicts
from disclosure_core.export.figures_file import IDS
from disclosure_core.export.held import Held
from disclosure_core.export.recount_least import Chains
from disclosure_core.export.recount_membership import Members
from disclosure_core.export.recount_page_1 import Page1
from disclosure_core.export.recount_rows import EngineRows
from disclosure_core.export.recount_searches import Searches
from disclosure_core.results import TABLES
from disclosure_core.results.review_tables import AT_TAU, REVIEW_TABLES
from disclosure_core.review.combined import released_together
from disclosure_core.review.data import missing_levels
from disclosure_core.sensitivity.population import COUNTS
from disclosure_core.verify import counter
from disclosure_core.verify.grouped import Grouped
from disclosure_core.verify.levels import Data, UnreadError

if TYPE_CHECKING:
    from disclosure_core.counting.settings import Exclusions
    from disclosure_core.counting.subsets import Progress
    from disclosure_core.data.coded import CodedTable
    from disclosure_core.export.figures_file import Place
    from disclosure_core.review.opened import Opened
    from disclosure_core.review.verified import Verified

    Row = dict[str, float]
    Named = dict[tuple[Any, ...], Row]


class Recount:
    """The second counter, asked for what a review asks; every figure of it by table, row and column."""

    def __init__(self, opened: Opened) -> None:
        study = opened.study()
        self.opened, self.review = opened, opened.judged.review
        self.not_met = self.opened.judged.not_met()
        self.rows = None if study.holds_records else EngineRows(opened)
        self.data = self.read()
        in_order = list(study.columns)
        self.keys = tuple(sorted(opened.review.keys, key=in_order.index))
        self._hold()
        self.target, self.of = cache(self._target), cache(self._of)
        self.of_intruder = cache(lambda name: Recount(opened.of_intruder(name)))
        self.of_set = cache(lambda name: Recount(opened.with_review(replace(opened.review, synthesis_set=name))))

    def read(
        self, tables: Sequence[CodedTable] = (), without: Collection[str] = (), of: AnyStudy | None = None, n: int = 0
    ) -> Data:
        """Return tables as the counter reads them, those that are open by default; some keys without their groups.

        Other tables have no groups, unless it is said `of` which study they are. With `n` every number is in so many.
        """
        opened, study = self.opened, of or self.opened.study()
        before = opened.study(opened.review.ancestry(opened.first_set)[0])
        numbers = {name for name, column in study.columns.items() if column.kind is Kind.NUMBER}
        grouping = dict.fromkeys(numbers, n) if n else opened.review.grouping
        groups = {name: n for name, n in grouping.items() if name in numbers and name not in without}
        if self.rows is not None:
            used = {*opened.printed.assessment().targets, *(key for k in self.review.intruders for key in k.keys)}
            absent = missing_levels(opened.review, opened.data, opened.first_set, before)
            names = [name for name in study.columns if name in used]
            of_groups = Grouped(self.rows, names, study.n_syntheses, groups, study.missing_codes, absent)
            of_groups.unread_outside |= self._unusable
            return of_groups
        refused = opened.data.holdout is None or isinstance(opened.partition(), NotEvaluated)
        people = None if tables or refused else opened.outside_table()
        data = Data(
            [_arrow(t) for t in tables or opened.tables()],
            None if people is None else _arrow(people),
            {} if tables and of is None else groups,
            study.missing_codes,
            missing_levels(opened.review, opened.data, opened.first_set, before),
        )
        data.unread_outside |= self._unusable
        return data

    @property
    def _unusable(self) -> dict[str, str]:
        """The columns in which people outside cannot serve as they are: none of it is evaluated, and that is said."""
        joined = self.opened.partition()
        return {} if isinstance(joined, NotEvaluated) else dict(joined.joint.unusable)

    def _hold(self) -> None:
        """Count the cells of each target in their engine; a target of which there are too many is not counted again."""
        if self.rows is None or any(name in self.data.unread for name in self.keys):
            return
        for side in range(len(self.data.n)):
            self.data.by(self.keys, side)
            for name in self.opened.printed.assessment().targets:
                known = name not in self.data.unread and not (side == self.data.outside and self.unread([name], True))
                if known:
                    try:
                        self.data.by([*self.keys, name], side)
                    except UnreadError as why:
                        self.data.unread[name] = str(why)

    def held_against(
        self, document: Mapping[str, Any], progress: Progress | None = None
    ) -> tuple[Verified, frozenset[Place]]:
        """Return which of the figures that the review makes differ; and where those stand that were counted."""
        held = Held(document)
        tables: Mapping[str, list[dict[str, Any]]] = document["tables"]
        for i, (name, rows) in enumerate(tables.items()):
            if progress is not None:
                progress(i, len(tables))
            self._table(held, name, rows)
        answer = document.get("answer") or {}
        self._sizes(held, document)
        Page1(self).hold(held, answer)
        recount_verdicts.hold(self, held, document.get("verdicts", ()))
        return held.result, frozenset(held.counted)

    def _table(self, held: Held, name: str, rows: list[dict[str, Any]]) -> None:
        ids = IDS.get(name, ())
        row_ids = [tuple(row.get(i) for i in ids) for row in rows]
        known = bool(ids) and not any({"why", "not evaluated"} & row.keys() for row in rows)
        in_part = name in REVIEW_TABLES and REVIEW_TABLES[name].asked.in_part
        each_target = ids[:1] == ("target",) and name not in TABLES and not in_part
        of_each = [(target,) for target in self._targets] if each_target else []
        expected = self._expected(name, [*row_ids, *of_each]) if known else {}
        columns = {} if in_part else dict.fromkeys((c for of in expected.values() for c in of), nan)
        of = slice(int("target" in ids))  # what a row is of: its target, or all records
        whole = set() if in_part else {row_id[of] for row_id in expected}  # else a row that one alone finds differs
        before: set[tuple[Any, ...]] = set()
        for i, (row_id, row) in enumerate(zip(row_ids, rows, strict=True)):
            unread = self.unread([row["target"]] if "target" in row else [], _of_outside(name))
            counted: Mapping[str, float | None] | None = None
            if row_id in expected and not unread:
                counted = columns | expected[row_id]  # a figure that this row alone lacks has no answer
            alone = counted is None and not unread and row_id[of] in whole
            twice = known and row_id in before
            before.add(row_id)
            if alone or twice or row.get("target") in self.not_met:
                counted = dict.fromkeys(row, None)
            refused = str(row.get("target")) in held.not_evaluated
            held.all_of(("tables", name, i), row, counted, unread, refused)
        for row_id, counted in expected.items() if whole else ():
            if (
                row_id not in row_ids
                and str(dict(zip(ids, row_id, strict=False)).get("target")) not in held.not_evaluated
            ):
                held.absent(f"{name} ({', '.join(map(str, row_id))})", counted)

    @cached_property
    def _targets(self) -> Sequence[str]:
        """The targets that are evaluated: each has rows in the tables of targets."""
        return tuple(self.opened.printed.assessment().targets)

    def _sizes(self, held: Held, document: Mapping[str, Any]) -> None:
        """Hold how many records there are, and by column how many of them meet, against the counter."""
        if self.unread(()):
            return  # none of the figures is counted again, and this would say otherwise
        n, outside = self.data.n, self.data.outside
        of_sides = {"members": n[0], "outside": None if outside is None else n[outside]}
        held.all_of(("answer",), {k: (document.get("answer") or {}).get(k) for k in of_sides}, of_sides)
        by_role = {"Original": n[0], **{f"Synthesis {i}": n[i] for i in range(1, self.data.m + 1)}}
        if self.rows is None and self.opened.review.ancestry(self.opened.first_set)[1]:
            came = enumerate(self.chains.came.tables()[1:], 1)
            by_role |= {f"Unprotected synthesis {i}": len(table.frame()) for i, table in came}
        for i, file in enumerate(document.get("files", ())):
            if file.get("role") in by_role:
                held.all_of(("files", i), {"records": file["records"]}, {"records": by_role[file["role"]]})
        for i, row in enumerate(document.get("agreement", ())):
            name = row["column"]
            if name not in self.whole.columns or name in self.whole.unread:
                continue
            first, *others = (self.whole.by([name], side) for side in range(self.whole.m + 1))
            for side, meets in (
                ("original", [_met(first, other) for other in others]),
                ("synthetic", [_met(other, first) for other in others]),
            ):
                held.all_of(("agreement", i, side), dict(enumerate(row[side])), dict(enumerate(meets)))

    def unread(self, names: Iterable[str], outside: bool = False) -> str:
        """Return which column the second counter does not read, of keys and these; empty where it reads all."""
        for name in (*self.keys, *names):
            if why := self.data.unread.get(name) or (outside and self.data.unread_outside.get(name)):
                return f"column {name}: {why}"
        return ""

    @cached_property
    def whole(self) -> Data:
        """The data with no column in groups."""
        grouping = self.opened.review.grouping
        return self.read(without=grouping) if grouping else self.data

    @cached_property
    def no_baseline(self) -> bool:
        """Whether the program says of all people outside that they are not evaluated."""
        return isinstance(self.opened.printed.attribute_baseline(), NotEvaluated)

    # ---- what is expected, by table ----

    def _expected(self, name: str, rows: list[tuple[Any, ...]]) -> Named:
        """Return the figures of a table by row; nothing of a table, or a row, that is not counted again."""
        if self.unread((), name in REVIEW_TABLES and REVIEW_TABLES[name].asked.outside):
            return {}
        again, asked = again_of(name), rows
        if name in TABLES:  # a document that somebody handed over may hold any cell
            asked = list(filter(TABLES[name][1].sound, rows))
        return {} if again is None else {row: dict(of) for row, of in again(self, asked).items()}

    @cached_property
    def exclusions(self) -> Exclusions:
        """Those that have a reason, of the intruder that figures speak of."""
        return self.review.settings.left_out

    def _target(self, name: str, exclusions: Exclusions, keys: tuple[str, ...]) -> counter.Target:
        return counter.Target(self.data, keys, name, self.asked(name, exclusions))

    def asked(self, name: str, exclusions: Exclusions) -> dict[str, Any]:
        """Return what the counter is asked of a target."""
        limits = self.review.thresholds
        return {
            "levels": exclusions.levels_of(name),
            "missing_target": name in exclusions.missing_targets,
            "missing_keys": exclusions.missing_keys,
            "limit": exclusions.denominator_limit,
            "pairs": [(p.key, p.key_level, p.target_level) for p in exclusions.pairs_of(name)],
            "one_way": limits.one_way,
            "two_way": limits.two_way,
        }

    def _of(self, name: str, exclusions: Exclusions, keys: tuple[str, ...]) -> list[Row]:
        """Return the attribute measures and the CAP family of one target: a row a synthesis."""
        target = self.target(name, exclusions, keys)
        return [attribute | caps for attribute, caps, _ in map(target.of_synthesis, range(1, self.data.m + 1))]

    # ---- as tables ask (`results.table.Counter`) ----

    @property
    def missing_keys(self) -> Collection[str]:
        """Keys whose missing values are excluded."""
        return self.exclusions.missing_keys

    @property
    def printed(self) -> Opened:
        """The review, for what was asked and chosen."""
        return self.opened.printed

    def target_of(self, name: str, exclusions: Exclusions | None = None) -> counter.Target:
        """Return a target of these keys, by default under the exclusions that have a reason."""
        return self.target(name, self.exclusions if exclusions is None else exclusions, self.keys)

    @property
    def columns(self) -> Sequence[str]:
        """All columns that are in every file."""
        return tuple(self.opened.study().columns)

    @property
    def all_excluded(self) -> Exclusions:
        """What is excluded, also without a reason."""
        return self.opened.review.settings.left_out

    @property
    def searches(self) -> Searches:
        """What counts the worst of a search."""
        return Searches(self)

    @property
    def members(self) -> Members:
        """What counts membership."""
        return Members(self)

    @property
    def chains(self) -> Chains:
        """What counts the chains of a least safeguard."""
        return Chains(self)

    def of_each(self, name: str, exclusions: Exclusions | None = None) -> list[Row]:
        """Return the attribute measures and the CAP family of one target: a row a synthesis."""
        return self.of(name, self.exclusions if exclusions is None else exclusions, self.keys)

    def every_column(self) -> Data | None:
        """Return the data with no column in groups; None where one is not read, or rows are elsewhere."""
        if self.rows is not None or any(name in self.whole.unread for name in self.columns):
            return None
        return self.whole

    def targets_in(self, rows: Iterable[tuple[Any, ...]], *, outside: bool = False) -> list[str]:
        """Return the targets that rows begin with, those that the counter reads."""
        names = dict.fromkeys(str(row[0]) for row in rows)
        return [name for name in names if name in self.data.columns and not self.unread([name], outside)]

    def in_groups(self, n: int) -> Data | None:
        """Return the data with every number in so many groups; None where rows are elsewhere, or safeguards in them."""
        safer = self.opened.review.ancestry(self.opened.first_set)[1]
        return None if safer or self.rows is not None else self.read(n=n)

    def codes_of(self, name: str) -> tuple[float, ...]:
        """Return a column's codes for no answer."""
        return tuple(self.opened.study().missing_codes.get(name, ()))

    @property
    def released(self) -> Sequence[int]:
        """Return the numbers of the syntheses that are released together."""
        return released_together(self.opened)

    def population(self) -> tuple[Data, Sequence[int]] | int | None:
        """Return a table of the population with the people of each row, or their number alone; None: not known."""
        table, size = self.opened.data.population, self.review.threat_model.population_size
        if table is None or self.rows is not None:
            return size if table is None else None
        frame = table.frame
        count = next(name for name in frame.columns if str(name).casefold() in COUNTS and name not in self.keys)
        study = self.opened.study()
        absent = missing_levels(self.opened.review, self.opened.data, self.opened.first_set, study)
        groups = {name: n for name, n in self.opened.review.grouping.items() if name in self.keys}
        tables = [_arrow(each) for each in self.opened.tables()]
        people = pa.Table.from_pandas(frame[list(self.keys)], preserve_index=False)
        return Data(tables, people, groups, study.missing_codes, absent), frame[count].astype(int).tolist()


def again_of(name: str) -> Callable[[Any, Sequence[Any]], Any] | None:
    """Return what counts a table a second time, as it is declared with the table; None: nobody does."""
    if name in TABLES:
        return TABLES[name][1].again
    of_review = AT_TAU if name == "tau" else REVIEW_TABLES.get(name)
    return None if of_review is None else of_review.again


def _of_outside(name: str) -> bool:
    """Return whether figures of a table need people outside."""
    return REVIEW_TABLES[name].asked.outside if name in REVIEW_TABLES else name in TABLES and TABLES[name][1].outside


def _met(one: Mapping[Any, int], other: Mapping[Any, int]) -> float:
    """Return how many records of one side have a value that the other has, %."""
    return counter.pct(sum(n for level, n in one.items() if level in other), sum(one.values()))


def _arrow(table: CodedTable) -> pa.Table:
    """Return a table as Arrow's; a column that Arrow cannot hold as bytes, which the counter says it does not read."""
    frame, columns = table.frame(), {}
    for i, name in enumerate(frame.columns):
        try:
            columns[str(name)] = pa.chunked_array([pa.array(frame.iloc[:, i], from_pandas=True)])
        except (pa.ArrowException, TypeError, ValueError):
            columns[str(name)] = pa.chunked_array([pa.array([b""] * len(frame))])
    return pa.table(columns)
