"""What each column is asked to be: a key, which an intruder knows; a target, to be learnt; or neither."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

from disclosure_core.errors import not_found
from disclosure_core.review.intruders import with_keys

if TYPE_CHECKING:
    from disclosure_core.review.value import Review

Role = Literal["key", "target", "left out"]
ROLES: tuple[Role, ...] = get_args(Role)


def role_of(review: Review, column: str) -> Role:
    """Return the role of a column for the intruder that figures speak of."""
    if column in review.keys:
        return "key"
    return "target" if review.targets is None or column in review.targets else "left out"


def with_role(review: Review, column: str, role: str, columns: Collection[str]) -> Review:
    """Return the review with another role of one of the `columns`; a new key comes last.

    A key of the present intruder stays a target for those who do not know it.
    """
    if column not in columns:
        raise not_found("Column", column, "one of the data", columns)
    if role not in ROLES:
        raise not_found("Role", role, "one that a column can have", ROLES)
    if role == role_of(review, column):
        return review
    keys = [k for k in review.keys if k != column]
    if role == "key":
        return with_keys(review, [*keys, column])
    named = {*columns} if review.targets is None else {*review.targets}
    named = named | {column} if role == "target" else named - {column}
    targets = None if named >= {*columns} else tuple(sorted(named))
    return replace(with_keys(review, keys), targets=targets)
