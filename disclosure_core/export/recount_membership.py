"""What a review says of membership, asked of the second counter.

Which subset of the keys is the worst is the search's to say: that no other has more is not counted again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from disclosure_core.errors import NotEvaluated
from disclosure_core.export.figures_file import same
from disclosure_core.holdout.membership_figures import ANY_SYNTHESIS, Membership
from disclosure_core.review.combined import stated
from disclosure_core.verify import counter, outside

if TYPE_CHECKING:
    from typing import Any

    from disclosure_core.export.recount import Recount

    Row = dict[str, float]
    Named = dict[tuple[Any, ...], Row]


class Members:
    """Counts again how well members can be told from others, for the counter of a review."""

    def __init__(self, recount: Recount) -> None:
        self.recount = recount

    def of_all_keys_and_worst(self) -> Named:
        """Return F, F_naive and F_rel of all keys, and of the subsets named as the worst; not whether they are."""
        found = self.recount.opened.printed.membership()
        if isinstance(found, NotEvaluated) or self.recount.data.outside is None:
            return {}
        worst = _worst(found)
        rows = {(beta,): self._f(found, self.recount.keys, beta) for beta in worst}
        for beta, keys in worst.items():
            rows[beta,] |= {f"worst_{m}": v for m, v in self._f(found, keys, beta).items() if m != "F_naive"}
            own = found.worst(beta)
            each = [self._f(found, own[i].keys, beta, i)["F_rel"] for i in range(1, self.recount.data.m + 1)]
            rows[beta,] |= {"mean_of_worst": counter.mean(each), **counter.spread(each)}
        return rows

    def of_all_keys(self) -> Named:
        """Return what a match of all keys tells for each β: in one synthesis, and in any of several."""
        found, data = self.recount.opened.printed.membership(), self.recount.data
        if isinstance(found, NotEvaluated) or data.outside is None:
            return {}
        every = tuple(range(1, data.m + 1))
        of = {i: (i,) for i in every} | ({ANY_SYNTHESIS: every} if data.m > 1 else {})
        return {
            (beta, i): outside.matches(data, self.recount.keys, _share(found), beta, syntheses)
            for beta in _worst(found)
            for i, syntheses in of.items()
        }

    def _f(self, found: Membership, keys: tuple[str, ...], beta: float, *syntheses: int) -> Row:
        return outside.membership(self.recount.data, keys, _share(found), beta, syntheses)

    def on_page_1(self, answer: Mapping[str, Any]) -> Row | None:
        """Return the β that counts, and F, F_naive and F_rel of the keys that page 1 names.

        Whether another subset has more is not counted. Of released syntheses, the largest F_rel of all keys.
        """
        row = answer.get("membership") or {}
        keys = tuple(row.get("keys") or ())
        known = next((k for k in self.recount.review.intruders if k.name == row.get("intruder")), None)
        if (
            known is None
            or not keys
            or row.get("F") is None
            or self.recount.data.outside is None
            or self.recount.unread(keys, True)
        ):
            return None
        if known.grouping(self.recount.review.groups) != self.recount.review.grouping:
            return Members(self.recount.of_intruder(known.name)).on_page_1(answer)
        found = self.recount.opened.of_intruder(known.name).finished_membership()
        if found is None or isinstance(found, NotEvaluated):
            return None
        beta = self._beta(found, row.get("beta"))
        own = [self._f(found, found.keys, beta, i)["F_rel"] for i in stated(self.recount.opened)]
        return {"beta": beta} | self._f(found, keys, beta) | ({"released": max(own)} if own else {})

    def _beta(self, found: Membership, named: Any) -> float:
        """Return the β that fits the motive; without one that of the largest F_rel, the one named of several such."""
        if found.threat_model.beta is not None:
            return found.threat_model.beta
        of = {beta: self._f(found, keys, beta)["F_rel"] for beta, keys in _worst(found).items()}
        largest = max(of, key=of.__getitem__)
        return float(named) if named in of and same(of[named], of[largest]) else largest


def _share(found: Membership) -> float:
    """Return t = n / N."""
    return found.n_records / (found.threat_model.population_size or 1)


def _worst(found: Membership) -> dict[float, tuple[str, ...]]:
    """Return by β the subset that the search found worst."""
    return {float(row["beta"]): tuple(row["worst_keys"]) for row in found.summary().to_dict("records")}
