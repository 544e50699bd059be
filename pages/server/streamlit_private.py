"""What this app asks of Streamlit's runs, and changes in them, beyond its documented face: there is no public way.

`tests/test_private_names.py` lists every such name, here and elsewhere, with the test that fails when it changes.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, field, replace
from itertools import count
from threading import RLock
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import ScriptRunner, StopException, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests, ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import get_run_yield_check
from streamlit.runtime.session_manager import SessionClientDisconnectedError
from streamlit.runtime.state import SafeSessionState

from pages.server import turns
from pages.server.logs import kind_and_place
from pages.server.sessions import call_on_the_loop, open_session, running

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_LOG = logging.getLogger(__name__)
STOPPED = StopException  # by st.stop


def session_id() -> str:
    """Return the id of the session that runs the page now; empty where none does."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def end_if_unwanted() -> None:
    """End this run where it was stopped, or a click overtook it, or its tab closed: as any drawing would."""
    check = get_run_yield_check()
    if check is not None:
        check()


def is_overtaken() -> bool:
    """Return whether another run of this session has taken the place of the one that draws now."""
    run = getattr(get_run_yield_check(), "__self__", None)
    session = open_session(session_id()) if running() else None
    return session is not None and run is not None and session._scriptrunner is not run  # noqa: SLF001


def is_part_alone() -> bool:
    """Return whether a fragment runs now without the page around it."""
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)


def take_changes_whole() -> None:
    """Let no other message disturb a run while it takes in what its own message changed, as callbacks do.

    Streamlit stops a run for the next message wherever it looks at the session, in a callback too, and begins the next
    run beside it. A callback that was due was then called by neither: the widget held its new value, so nothing seemed
    to have changed, and what was typed was gone. Here the next run waits. What a run was told and has not begun to take
    in is `due`: the run that takes its place takes that in, too, and this one then changes nothing.
    """
    order = count()
    begin, take = SafeSessionState.__init__, SafeSessionState.on_script_will_rerun
    finish = SafeSessionState.on_script_finished

    def due(tell: Callable[[ScriptRequests], Any]) -> Callable[[ScriptRequests], Any]:
        def told(self: ScriptRequests) -> Any:
            if (states := _next_states(self)) is not None:
                self.due = states  # type: ignore[attr-defined]
            return tell(self)

        return told

    def begun(self: SafeSessionState, *given: Any, **named: Any) -> None:  # one for each run, in the order of messages
        begin(self, *given, **named)
        object.__setattr__(self, "order", next(order))
        object.__setattr__(self, "taking", _TAKING.setdefault(id(self._state), _Taking()))

    def whole(self: SafeSessionState, *given: Any, **named: Any) -> None:
        run = getattr(self._yield_callback, "__self__", None)  # of a test of pages there may be none
        with self.taking.one:
            if run is not None and _due(run) is None:  # the run that stopped this one has it
                self._yield_callback()
                return
            self.taking.last = self.order
            if run is not None:
                run._execing = False  # noqa: SLF001 - it looks for other messages next, before the page is drawn
            try:
                take(self, *given, **named)
            finally:
                if run is not None:
                    run._execing = True  # noqa: SLF001

    def finished(self: SafeSessionState, *given: Any, **named: Any) -> None:  # it takes what was pressed as done
        with self.taking.one:
            if self.taking.last <= self.order:
                finish(self, *given, **named)

    SafeSessionState.__init__ = begun  # type: ignore[method-assign]
    SafeSessionState.on_script_will_rerun = whole  # type: ignore[method-assign]
    SafeSessionState.on_script_finished = finished  # type: ignore[method-assign]
    for name in ("on_scriptrunner_ready", "on_scriptrunner_yield"):
        setattr(ScriptRequests, name, due(getattr(ScriptRequests, name)))


def keep_the_page_chosen() -> None:
    """Let what a page's part says after its visitor chose another page be heard on that page, and lead to no other.

    Such a message names the page that was left. Streamlit then forgot what the visitor had chosen, where the run of it
    had not begun; or ran the part, which is no more, and the browser cleared the page that it had just drawn.
    """
    ask, draw = ScriptRequests._request_rerun_locked, ScriptRunner._run_script  # noqa: SLF001

    def asked(self: ScriptRequests, new_data: RerunData) -> bool:
        due = self._rerun_data
        waits = self._state == ScriptRequestType.RERUN and not (due.fragment_id or due.fragment_id_queue)
        if waits and new_data.fragment_id and new_data.page_script_hash != due.page_script_hash:
            new_data = _heard_on(new_data, due.page_script_hash, due.page_name, due.query_string)
        return ask(self, new_data)

    def drawn(self: ScriptRunner, rerun_data: RerunData) -> None:
        context = get_script_run_ctx()
        now = context.page_script_hash if context else ""
        if rerun_data.fragment_id_queue and now and rerun_data.page_script_hash not in ("", now):
            rerun_data = _heard_on(rerun_data, now, "", context.query_string if context else "")
        draw(self, rerun_data)

    ScriptRequests._request_rerun_locked = asked  # type: ignore[method-assign]  # noqa: SLF001
    ScriptRunner._run_script = drawn  # type: ignore[method-assign]  # noqa: SLF001


def take_turns() -> None:
    """Let a run wait for its turn before it becomes a thread, and take in what its session asks for meanwhile.

    Streamlit makes a thread of each message, and stops the run before it. Of a run that was stopped before it had
    begun, what was changed went with it; here it stays, since the next message is added to the run that waits.
    """
    begin_thread, work = ScriptRunner.start, ScriptRunner._run_script_thread  # noqa: SLF001
    check = ScriptRunner._maybe_handle_execution_control_request  # noqa: SLF001
    ask, create = AppSession.request_rerun, AppSession._create_scriptrunner  # noqa: SLF001
    looks: list[asyncio.TimerHandle] = []

    def look() -> None:
        looks.clear()
        if TURNS.look():
            look_again()

    def look_again() -> None:
        if not looks:
            looks.append(asyncio.get_running_loop().call_later(turns.WAITED / 2, look))

    def started(self: ScriptRunner) -> None:
        def begin() -> None:
            try:
                begin_thread(self)
            except RuntimeError as error:  # the system gives no thread
                _LOG.error("a run did not begin: %s", kind_and_place(error))
                self._requests.due = _next_states(self._requests)  # type: ignore[attr-defined]
                self.request_stop()  # the next message makes another, which does what this one was told
                TURNS.end(run)

        if type(self) is not ScriptRunner:  # of a test of pages
            begin_thread(self)
            return
        page = self._requests._rerun_data.page_script_hash  # noqa: SLF001
        session = open_session(self._session_id)
        kind = "" if session is None else f"{page} {page == session._client_state.page_script_hash}"  # noqa: SLF001
        self.turn = run = turns.Run(self._session_id, begin, kind)  # type: ignore[attr-defined]
        if TURNS.ask(run):
            call_on_the_loop(look_again)

    def worked(self: ScriptRunner) -> None:
        run = getattr(self, "turn", None)
        if run is not None:
            run.has_thread()
        try:
            work(self)
        finally:
            if run is not None:
                run.ends()
                TURNS.end(run)

    def looked(self: ScriptRunner) -> None:
        run = getattr(self, "turn", None)
        if run is not None and self._execing and self._is_in_script_thread():
            TURNS.give_way(run, time.thread_time(), lambda: self._requests._state != ScriptRequestType.CONTINUE)  # noqa: SLF001
        check(self)

    def asked(self: AppSession, client_state: ClientState | None) -> None:
        TURNS.count(self.id)
        waits = self._scriptrunner
        run = getattr(waits, "turn", None)
        if run is None or run.since is not None:
            self.left = (waits, waits and _next_states(waits._requests))  # type: ignore[attr-defined]  # noqa: SLF001
            try:
                ask(self, client_state)
            finally:
                del self.left  # type: ignore[attr-defined]
            return
        self._scriptrunner, self.waits = None, waits  # type: ignore[attr-defined]
        try:
            ask(self, client_state)
        finally:
            del self.waits  # type: ignore[attr-defined]
            self._scriptrunner = self._scriptrunner or waits  # it asked for a part that is no more

    def created(self: AppSession, initial_rerun_data: RerunData) -> None:
        data, waits = initial_rerun_data, getattr(self, "waits", None)
        if waits is not None:
            before = _next_states(waits._requests)  # noqa: SLF001
            if waits.request_rerun(replace(data, widget_states=_with_earlier(before, data.widget_states))):
                self._scriptrunner = waits
                return
        runner, untaken = getattr(self, "left", (None, None))
        for before in (untaken, runner and _due(runner)):
            data = replace(data, widget_states=_with_earlier(before, data.widget_states))
        create(self, data)

    ScriptRunner.start = started  # type: ignore[method-assign]
    ScriptRunner._run_script_thread = worked  # type: ignore[method-assign]  # noqa: SLF001
    ScriptRunner._maybe_handle_execution_control_request = looked  # type: ignore[method-assign]  # noqa: SLF001
    AppSession.request_rerun = asked  # type: ignore[method-assign]
    AppSession._create_scriptrunner = created  # type: ignore[method-assign]  # noqa: SLF001


_IN_ONE_GO = 250
"""Messages that leave before the server's thread looks at what arrives: some 5 ms. A line takes 500 at once."""


def send_whole_answers() -> None:
    """Let all that a session draws leave in one go.

    Streamlit sends a message, and then looks at all lines before the next: where a hundred lines sent something, an
    answer of fifty messages took 7 seconds; beside three runs that draw, 200 took 1.5, for want of the interpreter.
    """
    tell, flush = Runtime._enqueued_some_message, AppSession.flush_browser_queue  # noqa: SLF001
    sent = [0]

    def told(self: Runtime) -> None:  # once is enough, and each time costs the server's thread the interpreter
        if not self._get_async_objs().need_send_data.is_set():
            tell(self)

    def flushed(self: AppSession) -> list[ForwardMsg]:
        waiting = flush(self)
        info = Runtime.instance()._session_mgr.get_active_session_info(self.id)  # noqa: SLF001
        if info is None:
            return waiting
        sent[0] += len(waiting)
        looks = sent[0] > _IN_ONE_GO  # as it does before each of those that are left
        if looks:
            sent[0] = 0
        whole = waiting[: min(_IN_ONE_GO, len(waiting) - looks)]
        for place, message in enumerate(whole):
            try:
                Runtime.instance()._send_message(info, message)  # noqa: SLF001
            except SessionClientDisconnectedError:
                return waiting[place:]  # the first of them tells Streamlit so
        return waiting[len(whole) :]

    Runtime._enqueued_some_message = told  # type: ignore[method-assign]  # noqa: SLF001
    AppSession.flush_browser_queue = flushed  # type: ignore[method-assign]


TURNS = turns.Turns()

_MANY = 10_000
"""Widgets that a run which waits may know of, so that it does not take in ever more: as many as no page has."""


def _next_states(requests: ScriptRequests) -> WidgetStates | None:
    """Return what a run is told next; a page that is chosen then speaks of its own widgets alone."""
    return requests._rerun_data.widget_states if requests._state == ScriptRequestType.RERUN else None  # noqa: SLF001


def _due(runner: ScriptRunner) -> WidgetStates | None:
    """Return what a run was told and has not begun to take in; who has it takes it in, and nobody else."""
    found: WidgetStates | None = vars(runner._requests).pop("due", None)  # noqa: SLF001
    return found


def _with_earlier(before: WidgetStates | None, now: WidgetStates | None) -> WidgetStates | None:
    """Return what a message before said of widgets of which this one says nothing, and what this one says after it."""
    if before is None or now is None:
        return now
    if len(before.widgets) > _MANY:
        return now
    known = {each.id for each in now.widgets}
    both = WidgetStates(widgets=[each for each in before.widgets if each.id not in known])
    both.MergeFrom(now)
    return both


def _heard_on(message: RerunData, page: str, name: str, query: str) -> RerunData:
    """Return a message of a page's part as one that draws another page whole."""
    return replace(
        message,
        fragment_id=None,
        fragment_id_queue=[],
        is_fragment_scoped_rerun=False,
        page_script_hash=page,
        page_name=name,
        query_string=query,
    )


@dataclass
class _Taking:
    """The run that took in changes of a session last, and what only one may hold that does."""

    one: RLock = field(default_factory=RLock)
    last: int = -1


_TAKING: WeakValueDictionary[int, _Taking] = WeakValueDictionary()
"""By the session that it is of; each run of it holds on to it."""


def keep_where_to_upload() -> None:
    """Let Streamlit not drop the answer to where a file may be put when a run begins before it was sent.

    A file chosen in that moment would never arrive, and nobody would be told.
    """
    clear = ForwardMsgQueue.clear

    def keeping(
        self: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
    ) -> None:
        waiting = [m for m in self._queue if retain_lifecycle_msgs and m.WhichOneof("type") == "file_urls_response"]
        clear(self, retain_lifecycle_msgs, fragment_ids_this_run)
        self._queue.extend(m for m in waiting if not any(m is kept for kept in self._queue))

    ForwardMsgQueue.clear = keeping  # type: ignore[method-assign]


def know_parts(name: str, folder: Path) -> None:
    """Let a component's script and style come from a folder of ours: the public way is an installed package alone."""
    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(name) is None:
        package, _, part = name.partition(".")
        described = ComponentManifest(package, "1", [ComponentConfig(part, folder.name)])
        manager.register_from_manifest(described, folder.parent)
