"""The left pane: all targets as one table, largest gain first; a row opens, a tick joins it to one verdict on several.

`shows` is all that `assets/parts/bench.js` is told; `act` does what a person did there, if it can be.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import isnan
from typing import TYPE_CHECKING, Any

from disclosure_core.counting.registry import COMPARED
from disclosure_core.data.naming import cut, named
from disclosure_core.errors import NotEvaluated
from disclosure_core.export.tables import to_lines
from disclosure_core.holdout.decision import BOTH
from disclosure_core.review.queue import ORDERS, Flags, Queue, QueueRow
from disclosure_core.rounding import beside_limit, fixed, percent, plain, rounded, visible
from pages.shared import column_table
from pages.shared.looked_at import AT_TAU

if TYPE_CHECKING:
    from disclosure_core import Exclusions, TargetRisk
    from disclosure_core.holdout.baseline import AttributeBaseline
    from pages.shared.open_review import Session

ORDER_NAMES = dict(
    zip(ORDERS, ("largest gain first", "largest figure first", "largest beyond first", "as in the data"), strict=True)
)
LONGEST = 20
"""Letters of a target's name; of a longer one the middle is cut, and all of it stands under the pointer."""

NONE = "–"
"""What stands where there is no figure, or no verdict."""


def comparison(s: Session) -> tuple[str, float | None]:
    """Return which comparison is shown, and the τ where that is chosen instead."""
    if s.measure == AT_TAU and s.review.tau is not None:
        return "DiSCO", s.review.tau
    return (s.measure if s.measure in COMPARED else "DiSCO"), None


def measures(s: Session) -> dict[str, str]:
    """Return what all targets can be shown by, and what each is called."""
    names = {name: synthetic for name, (_, synthetic) in COMPARED.items()}
    return names if s.review.tau is None else {**names, AT_TAU: f"τ = {s.review.tau:g}"}


def ticked(s: Session, queue: Queue) -> list[str]:
    """Return the targets that are ticked for one verdict, in the order of the rows."""
    return [row.target for row in queue.rows if row.target in s.ticked]


def act(s: Session, asked: dict[str, Any]) -> None:
    """Do what a person did in the table: open a row, tick rows, choose a measure or an order."""
    names = set(s.now.assessment().targets)
    match asked:
        case {"open": str(target)} if target in names:
            s.look_at(target)
        case {"tick": list(targets), "on": bool(on)}:
            some = {each for each in targets if isinstance(each, str) and each in names}
            s.ticked = s.ticked | some if on else s.ticked - some
        case {"measure": str(measure)} if measure in measures(s):
            s.measure = measure
        case {"order": str(order)} if order in ORDERS:
            s.order = order


def shows(
    queue: Queue,
    chosen: str,
    outside: AttributeBaseline | NotEvaluated | None,
    left_out: Exclusions,
    labels: Mapping[str, str],
    some: Collection[str],
    measure: str,
    choices: Mapping[str, str],
    order: str,
) -> dict[str, Any]:
    """Return all that the table shows, worded and rounded.

    Parameters
    ----------
    queue
        The rows, in their order.
    chosen
        The target that is open.
    outside
        Members beside people outside, of the judged figures; None where no holdout was given.
    left_out
        All that is excluded, also without a reason.
    labels
        By target, what its file says that it holds.
    some
        The targets that are ticked.
    measure, choices
        What is shown, and by name what can be.
    order
        One of `ORDERS`.
    """
    beside = {} if outside is None or isinstance(outside, NotEvaluated) else outside.of_people_outside(measure)
    own = {} if outside is None or isinstance(outside, NotEvaluated) else _own(outside)
    short = cut((row.target for row in queue.rows), LONGEST)
    rows = [
        {"name": visible(short[row.target])}
        | _row(row, left_out, labels, beside.get(row.target), own.get(row.target), queue)
        for row in queue.rows
    ]
    several = ", means over the syntheses" if queue.n_syntheses > 1 else ""
    return {
        "rows": rows,
        "lines": _lines(queue, rows, labels),
        "chosen": chosen,
        "ticked": [row.target for row in queue.rows if row.target in some],
        "original": queue.original,
        "synthetic": queue.synthetic,
        "outside": bool(beside),
        "own": _axis_of_own(own),
        "axis": {"end": rounded(queue.end, 3), "ticks": ticks(queue.end)},
        "limit": None if queue.limit is None else {"at": queue.limit, "words": f"limit {percent(plain(queue.limit))}"},
        "measures": [[name, words] for name, words in choices.items()],
        "measure": measure,
        "orders": [[name, words] for name, words in ORDER_NAMES.items()],
        "order": order,
        "caption": f"{queue.original} and {queue.synthetic} by target, % of {queue.n_original:,} original records"
        f"{several}; {ORDER_NAMES[order]}",
        "under": _under(queue, rows, own),
        "not_outside": f"{outside.why} {outside.needs}" if isinstance(outside, NotEvaluated) else "",
    }


def _lines(queue: Queue, rows: list[dict[str, Any]], labels: Mapping[str, str]) -> dict[str, Any]:
    """Return what of the table can be copied and downloaded: a line for each row, in their order."""
    columns: dict[str, list[Any]] = {"target": [row["target"] for row in rows]}
    if any(labels.get(row["target"]) for row in rows):
        columns["label"] = [labels.get(row["target"], "") for row in rows]
    columns |= {
        f"{queue.synthetic}, %": [row["synthetic"][0] for row in rows],
        f"{queue.original}, %": [row["original"][0] for row in rows],
        "gain over chance, points": [rounded(each.beyond.gain, 3) for each in queue.rows],
    }
    if any(row["outside"] for row in rows):
        columns["people outside, %"] = [row["outside"] and row["outside"][0] for row in rows]
    if any(row["own"] for row in rows):
        columns["own answers"] = [row["own"] and row["own"]["words"] for row in rows]
    columns |= {"flag": [row["flag"] for row in rows], "verdict": [row["verdict"] for row in rows]}
    return {"file": "targets-confidential.csv", **to_lines(columns)}


def _under(queue: Queue, rows: list[dict[str, Any]], own: Mapping[str, Any]) -> list[str]:
    """Return what the marks mean that have no label of their own, a sentence each."""
    said = [f"% of {queue.n_original:,} original records"]
    if queue.n_syntheses > 1:
        said[0] += "; shaded: range of the syntheses"
    if any(row.moved for row in queue.rows):
        said[0] += "; hollow: before exclusions"
    said[0] += "."
    if any(row["preview"] for row in rows):
        said.append("Hatched: a preview, with all that is excluded; a reason makes it the judged figure.")
    if any(row["above"] for row in rows):
        said.append(f"▲ Exceeds the office's first limit; {BOTH}.")
    if own:
        said.append(
            "Own answers: members against people outside with the same keys. "
            "Filled and printed: shown, all targets judged together; hollow: not shown."
        )
    return said


def _row(
    row: QueueRow,
    left_out: Exclusions,
    labels: Mapping[str, str],
    outside: float | None,
    own: dict[str, Any] | None,
    queue: Queue,
) -> dict[str, Any]:
    was = row.synthetic_before if row.moved else None
    said = [f"{queue.synthetic} {short(row.synthetic)} %", f"{queue.original} {short(row.original)} %"]
    if was is not None:
        said.insert(1, f"before exclusions {short(was)} %")
    if row.preview is not None:
        said.insert(1, f"preview with all that is excluded {short(row.preview)} %")
    if outside is not None:
        said.append(f"people outside {short(outside)} %")
    if row.above:
        said.append("exceeds the office's first limit")
    return {
        "target": row.target,
        "title": visible(named(row.target, labels)),
        "label": column_table.label_shown(row.target, visible(labels.get(row.target, ""))),
        "flag": visible(_flag(row, len(left_out.names_of(row.target)))),
        "synthetic": mark(row.synthetic),
        "original": mark(row.original),
        "range": [rounded(min(row.each), 3), rounded(max(row.each), 3)],
        "each": [rounded(figure, 3) for figure in row.each],
        "before": None if was is None else [rounded(was, 3), rounded(row.original_before, 3)],
        "preview": None if row.preview is None else mark(row.preview),
        "outside": None if outside is None else mark(outside),
        "above": row.above,
        "words": ", ".join(said),
        "gain": short(row.beyond.gain),
        "own": own,
        "verdict": row.given.words if row.given else NONE,
        "kind": row.given.verdict.verdict if row.given else "",
        "waits": row.given is not None and not row.judged,
        "elsewhere": visible(_elsewhere(row)),
    }


def _flag(row: QueueRow, n: int) -> str:
    """Return what a target is flagged for before exclusions, and how much of it is excluded."""
    found, now = row.flags_before, row.flags
    if not found:
        return f"{n:,} excluded" if n else ""
    out = f"{n:,} excluded" if n else ""
    parts = (_ways(found), out) if now else ("no flag now", out, _ways(found))  # what is cut is needed least
    return f"⚑ {', '.join(filter(None, parts))}"


def _ways(found: Flags) -> str:
    return ", ".join(part for part in (found.one_way, found.two_way) if part)


def _elsewhere(row: QueueRow) -> str:
    """Return what another intruder learns more of the target, and a graver verdict on it."""
    worse = row.gravest
    said = []
    if worse and (row.verdict is None or worse.verdict.verdict != row.verdict.verdict):
        said.append(f"{worse.words} ({worse.verdict.intruder})")
    if row.worst:
        said.append(f"{row.worst.intruder}: {short(row.worst.synthetic)} %")
    return "; ".join(said)


def _own(found: AttributeBaseline) -> dict[str, dict[str, Any]]:
    """Return by target what people with the same keys tell of members' own answers."""
    columns: Any = (found.same_keys[name] for name in ("target", "points", "low", "high", "leaked", "why"))
    made: dict[str, dict[str, Any]] = {}
    for target, points, low, high, leaked, why in zip(*columns, strict=True):
        if why or isnan(points):
            made[target] = {"words": f"not evaluated. {why}", "short": NONE, "at": None}
            continue
        interval = f"{fixed(points, 1, sign=True)} percentage points ({fixed(low, 1)} to {fixed(high, 1)})"
        made[target] = {
            "words": f"{'own answers shown' if leaked else 'not shown'}: {interval}",
            "short": fixed(points, 1, sign=True) if leaked else "",
            "at": [rounded(each, 3) for each in (points, low, high)],
            "shown": bool(leaked),
        }
    return made


def _axis_of_own(own: Mapping[str, dict[str, Any]]) -> dict[str, Any] | None:
    """Return where the axis of own answers begins and ends; None where there is none."""
    if not own:
        return None
    ends = [end for each in own.values() if each["at"] for end in each["at"]]
    start, end = min([0.0, *ends]), max([1.0, *ends])
    return {"start": start, "end": end}


def ticks(end: float) -> list[float]:
    """Return three to six round numbers from 0 to the end of an axis."""
    step = next((step for step in (0.2, 0.5, 1, 2, 5, 10, 20) if end / step < 6), 25)
    return [rounded(step * i, 1) for i in range(int(end / step) + 1)]


def mark(value: float) -> list[Any]:
    """Return where a mark stands, and what is written beside it."""
    return [rounded(value, 3), short(value)]


def short(value: float) -> str:
    """Return a percentage with one decimal, and with more where that would look like none of them, or like all."""
    return fixed(value, 2) if 0 < abs(value) < 0.095 else beside_limit(value, 100, 1)


def mean(risk: TargetRisk, name: str) -> float:
    """Return a figure of a target, mean over the syntheses."""
    return float(risk.figures(name).mean())


def mean_records(n: float) -> str:
    """Return a mean number of records; a small one with its tenths."""
    return fixed(n, 0 if n == int(n) or n >= 10 else 1)
