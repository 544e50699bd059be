"""Widgets made of the parameters of a result: one for each field, by its type; a change goes into the review."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import streamlit as st

from disclosure_core.errors import DisclosureError
from disclosure_core.results.declared import OneOf
from disclosure_core.review.inputs import Inputs
from pages.shared import show
from pages.shared.numbers import number
from pages.shared.session import bound

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from disclosure_core.results import Kind
    from pages.shared.open_review import Session

ALL = "All of them"


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _parts(text: str | None) -> list[str]:
    """Return the parts of a list that was typed."""
    if re.search(r"(?<![\d.])0,\d", text or ""):
        raise DisclosureError("Write a decimal with a point, as in 0.5, and a blank behind each comma of a list.")
    if not (text or "").strip(" ,"):
        raise DisclosureError("Write at least one number.")
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def ask_parameters(s: Session, kind: Kind) -> None:
    """Ask for each parameter of a result."""
    now = kind.asked_of(s.review)
    plain = now.model_dump(mode="json")
    for name, info in kind.asks.model_fields.items():
        _widget(s, kind, name, info, getattr(now, name), plain[name])


def _widget(s: Session, kind: Kind, name: str, info: FieldInfo, value: Any, plain: Any) -> None:
    def take(given: Any) -> None:
        s.change(kind.with_asked(s.review, **{name: given}))

    key, label = f"analyses.{kind.short}.{name}", info.title or name
    one_of = next((each for each in info.metadata if isinstance(each, OneOf)), None)
    of = [each for each in get_args(info.annotation) or (info.annotation,) if each is not type(None)]
    if one_of is not None:
        names = [ALL, *one_of.names(Inputs(s.now.printed))]
        if value is not None and value not in names:
            names.append(value)  # it was there when it was chosen; the answer says that it is not now
        st.selectbox(
            label,
            names,
            format_func=lambda name: name if name == ALL else s.named(name),
            help=info.description,
            width=220,
            **bound(key, value or ALL, lambda name: take(None if name == ALL else name)),
        )
    elif get_origin(info.annotation) is tuple:
        shown = ", ".join(map(_text, plain))
        st.text_input(label, help=info.description, width=240, **bound(key, shown, lambda text: take(_parts(text))))
    elif get_origin(info.annotation) is Literal:
        st.selectbox(label, list(of), help=info.description, width=220, **bound(key, value, take))
    elif of == [bool]:
        st.toggle(label, help=info.description, **bound(key, value, take))
    else:
        st.number_input(
            **number(info, 1 if of == [int] else 0.05),
            value=None,
            placeholder="Not given",
            help=show.literal(info.description or ""),
            width=200,
            **bound(key, value, lambda given: take(info.default if given is None else given)),
        )
