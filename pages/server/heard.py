"""What a browser has heard of what it was sent: known by the elements that it says it keeps.

There is no public way: `tests/test_private_names.py` lists the names of Streamlit's that are used here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_cache import create_reference_msg

if TYPE_CHECKING:
    from collections.abc import Callable, Set

    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
    from streamlit.runtime.session_manager import ActiveSessionInfo, SessionClient

WIDGETS_OF: list[Callable[[AppSession], Set[str]]] = []
"""What tells of which widgets a session holds a value: `pages/shared/session.py` does, once it is loaded."""


def refer_to_what_is_there() -> None:
    """Let a large element be named in place of sent only where the browser still has it when its name arrives.

    A browser says with each click which large elements it has, and forgets those that two runs did not draw. Streamlit
    took its word for a run that came after another: when that one ended, the browser had forgotten, and drew nothing
    any more. What a line carried is all that a browser goes by, so the server knows it.

    By the same sign a value of before Undo, that was on its way when a widget was told another, is known as no act.
    """
    ask, send = AppSession.request_rerun, Runtime._send_message  # noqa: SLF001

    def asked(self: AppSession, client_state: ClientState | None) -> None:
        if client_state is not None:
            says = frozenset(client_state.cached_message_hashes)
            self.says_it_has = says  # type: ignore[attr-defined]
            del client_state.cached_message_hashes[:]  # no run goes by it
            if (has := getattr(self, "has", None)) and WIDGETS_OF:
                has.drop_unheard(client_state.widget_states, says, WIDGETS_OF[0](self))
        ask(self, client_state)

    def sent(self: Runtime, session_info: ActiveSessionInfo, msg: ForwardMsg) -> None:
        has = _HAS.setdefault(session_info.client, _Has())
        session_info.session.has = has  # type: ignore[attr-defined]
        send(self, session_info, has.short(msg, getattr(session_info.session, "says_it_has", frozenset())))

    AppSession.request_rerun = asked  # type: ignore[method-assign]
    Runtime._send_message = sent  # type: ignore[method-assign]  # noqa: SLF001


@dataclass
class _Has:
    """What a line carried that its browser keeps, each with how many runs had ended when it last did.

    Attributes
    ----------
    carried, ended
        By name how many had, and how many have.
    told
        By widget what told it its value, until the browser has heard the last of it.
    values
        By widget what it was told last, or said since.
    said
        By widget a sum of what the browser said last of it.
    """

    carried: dict[str, int] = field(default_factory=dict)
    ended: int = 0
    told: dict[str, list[str]] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    said: dict[str, int] = field(default_factory=dict)

    def short(self, message: ForwardMsg, says: frozenset[str]) -> ForwardMsg:
        """Return a message as it leaves: its name alone, where the browser has it by what it says and by the count."""
        if message.WhichOneof("type") == "script_finished":  # some count in no browser: it then has more than here
            self.ended += 1
            last = self.ended - st.get_option("global.maxCachedMessageAge")
            self.carried = {name: at for name, at in self.carried.items() if at >= last}
        widget = _widget(message)
        if widget is not None:
            self._tell(message, widget)
        if not message.metadata.cacheable:
            return message
        has = message.hash in self.carried and message.hash in says
        self.carried[message.hash] = self.ended
        return create_reference_msg(message) if has else message

    def _tell(self, message: ForwardMsg, widget: Any) -> None:
        """Let a widget hold what it was told, also where the browser draws this message alone of those on their way.

        A slow browser draws two runs in one go: the second alone, which told nothing any more. A field then began with
        nothing, or held what Undo had taken away, and said so with the next click.
        """
        name = widget.id
        if widget.set_value:
            value = _value(widget)
            if self.values.get(name, _NOTHING) != value:
                self.told.pop(name, None)
            self.values[name] = value
        elif name in self.told:
            _hold(widget, _field(widget), self.values[name])
            widget.set_value = True
        elif name in self.values:
            _hold(widget, "default", self.values[name])
            message.hash += f" {self.values[name]}" * message.metadata.cacheable
        if widget.set_value:  # kept under a name of its own: who says so has heard of it
            message.metadata.cacheable, message.hash = True, f"{name} {next(_TELLING)}"
            self.told[name] = [*self.told.get(name, ()), message.hash]

    def drop_unheard(self, states: WidgetStates, says: frozenset[str], there: Set[str]) -> None:
        """Drop what a browser says as before of widgets of which it has not heard since: told a value, or not `there`.

        It says what every widget holds, whichever was touched; what is pressed it says once.
        """
        told = {widget: [name for name in names if name in self.carried] for widget, names in self.told.items()}
        self.told = {widget: names for widget, names in told.items() if names and names[-1] not in says}
        held = [each for each in states.widgets if "trigger" not in (each.WhichOneof("value") or "")]
        before, self.said = self.said, {each.id: hash(each.SerializeToString()) for each in held}
        unheard = {widget for widget, names in self.told.items() if says.isdisjoint(names)}
        late = {widget for widget, now in self.said.items() if widget in unheard or widget not in there}
        late = {widget for widget in late if before.get(widget) == self.said[widget]}
        self.values |= {each.id: _widget_value(each) for each in held if each.id in self.values and each.id not in late}
        if late:
            states.CopyFrom(WidgetStates(widgets=[each for each in states.widgets if each.id not in late]))


def _widget(message: ForwardMsg) -> Any:
    """Return the widget of a message that can be told a value; None where there is none."""
    element = message.delta.new_element
    widget = getattr(element, element.WhichOneof("type") or "", None)
    return widget if hasattr(widget, "set_value") else None


def _field(widget: Any) -> str:
    """Return where a widget has what it is told."""
    return next(name for name in ("value", "raw_value", "raw_values") if name in widget.DESCRIPTOR.fields_by_name)


def _value(widget: Any) -> Any:
    """Return what a widget is told; None where that is nothing."""
    return _plain({each.name: value for each, value in widget.ListFields()}.get(_field(widget)))


def _widget_value(state: Any) -> Any:
    """Return what a browser says that a widget holds; None where that is nothing."""
    value = getattr(state, state.WhichOneof("value") or "", None)
    return _plain(getattr(value, "data", value))


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float) else [*value]


def _hold(widget: Any, name: str, value: Any) -> None:
    """Let a widget hold a value, in one of its fields; a default names options by their numbers."""
    told = value if isinstance(value, list) else [] if value is None else [value]
    options = [getattr(each, "content", each) for each in getattr(widget, "options", ())] if name == "default" else []
    if options:
        told = [options.index(each) if isinstance(each, str) else each for each in told if each in options]
    widget.ClearField(name)
    if hasattr(getattr(widget, name), "extend"):
        getattr(widget, name).extend(told)
    elif told:
        setattr(widget, name, told[0])


_TELLING, _NOTHING = count(), object()

_HAS: WeakKeyDictionary[SessionClient, _Has] = WeakKeyDictionary()
"""By the line of a browser."""
