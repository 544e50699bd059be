"""Options made of parameters: what a model or a dataclass declares of a field is all that click is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import click

from disclosure_core.parameters import ends

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from pydantic.fields import FieldInfo

    from disclosure_core.asking import Parameters


def options(asks: type[Parameters], *, kept: bool = True, but: Collection[str] = ()) -> Iterator[Callable[..., Any]]:
    """Give an option for each parameter."""
    for name, info in asks.model_fields.items():
        if name not in but:
            yield option(name, info, kept=kept)


def option(name: str, info: FieldInfo, *, kept: bool = True) -> Callable[..., Any]:
    """Return the option of a parameter; it is spelt as the parameter's alias, where it has one."""
    usual = None if info.is_required() or isinstance(info.default, tuple) else info.default
    text, more = info.description, {}
    if usual is not None and kept:  # what click fills in would stand in the place of the review's
        text = f"{text} [default: {f'{usual:,g}' if type(usual) in (int, float) else usual}]"
    elif usual is not None:
        more = {"default": usual, "show_default": True}
    flag = f"--{(info.alias or name).replace('_', '-')}"
    return click.option(flag, name, help=text, required=info.is_required(), **_kind(info), **more)


def _kind(info: FieldInfo) -> dict[str, Any]:
    """Return what click is told of a field: how it is read is left to the model, which says what is wrong."""
    kinds = [each for each in get_args(info.annotation) or (info.annotation,) if each is not type(None)]
    more = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    metavar = {"metavar": more["metavar"]} if "metavar" in more else {}
    if get_origin(info.annotation) is tuple:
        return {"multiple": True, **metavar}
    if get_origin(info.annotation) is Literal:
        return {"type": click.Choice(list(map(str, get_args(info.annotation))))}
    if kinds == [bool]:
        return {"is_flag": True, "default": None}
    at = ends(info)
    for of, ranged in ((int, click.IntRange), (float, click.FloatRange)):
        if kinds == [of]:
            low, high = (at.get(closed, at.get(opened)) for closed, opened in (("ge", "gt"), ("le", "lt")))
            return {"type": ranged(low, high, min_open="gt" in at, max_open="lt" in at), **metavar}
    return metavar
