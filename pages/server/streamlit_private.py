"""What this app uses of Streamlit beyond its documented face, all in one place.

There is no public way to ask for any of it. Each piece has a test in tests/server that fails when a newer Streamlit
has moved it: sessions, uploads and what widgets would call in `test_threats.py`, running a page again and where a
file may be put in `test_uploads.py`, the script of the buttons and changes that another message overtakes in
`test_downloads.py`, the look for this machine's address in `test_door.py`, what a reload needs in `test_returning.py`,
answers without a delay in `test_frontend.py`, turns of runs in `test_turns.py`, frames in `test_frames.py`, and which
sessions are kept in `test_left.py`.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from threading import RLock
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakValueDictionary

import uvicorn
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from streamlit import net_util
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.scriptrunner import ScriptRunner, StopException, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests, ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import get_run_yield_check
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.server import frames, turns
from pages.server.logs import kind_and_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

_LOG = logging.getLogger(__name__)
STOPPED = StopException  # by st.stop

BACK_MESSAGE: Any = BackMsg.DESCRIPTOR
"""How a browser's message is laid out."""


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


def running() -> bool:
    """Return whether a server runs; in Streamlit's own test of pages a stand-in takes its place."""
    return Runtime.exists() and type(Runtime.instance()) is Runtime


def never_look_up_the_address() -> None:
    """Let Streamlit not ask a host on the internet for this machine's address."""
    net_util.get_external_ip = lambda: None


def take_changes_whole() -> None:
    """Let no other message disturb a run while it takes in what its own message changed, as callbacks do.

    Streamlit stops a run for the next message wherever it looks at the session, in a callback too, and begins the next
    run beside it. A callback that was due was then called by neither: the widget held its new value, so nothing seemed
    to have changed, and what was typed was gone. Here the next run waits, and one that comes too late, after a later
    one, changes nothing.
    """
    order = count()
    begin, take = SafeSessionState.__init__, SafeSessionState.on_script_will_rerun
    finish = SafeSessionState.on_script_finished

    def begun(self: SafeSessionState, *given: Any, **named: Any) -> None:  # one for each run, in the order of messages
        begin(self, *given, **named)
        object.__setattr__(self, "order", next(order))
        object.__setattr__(self, "taking", _TAKING.setdefault(id(self._state), _Taking()))

    def whole(self: SafeSessionState, *given: Any, **named: Any) -> None:
        run = getattr(self._yield_callback, "__self__", None)  # of a test of pages there may be none
        with self.taking.one:
            if self.taking.last > self.order:
                self._yield_callback()  # it was stopped
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
                self.request_stop()  # the next message makes another
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
        try:
            work(self)
        finally:
            if (run := getattr(self, "turn", None)) is not None:
                run.used = time.thread_time()
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
            ask(self, client_state)
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
            before = waits._requests._rerun_data.widget_states  # noqa: SLF001
            if waits.request_rerun(replace(data, widget_states=_with_earlier(before, data.widget_states))):
                self._scriptrunner = waits
                return
        create(self, data)

    ScriptRunner.start = started  # type: ignore[method-assign]
    ScriptRunner._run_script_thread = worked  # type: ignore[method-assign]  # noqa: SLF001
    ScriptRunner._maybe_handle_execution_control_request = looked  # type: ignore[method-assign]  # noqa: SLF001
    AppSession.request_rerun = asked  # type: ignore[method-assign]
    AppSession._create_scriptrunner = created  # type: ignore[method-assign]  # noqa: SLF001


TURNS = turns.Turns()

_MANY = 10_000
"""Widgets that a run which waits may know of, so that it does not take in ever more: as many as no page has."""


def _with_earlier(before: WidgetStates | None, now: WidgetStates | None) -> WidgetStates | None:
    """Return what a message says of widgets, and what one before it said of others; what was pressed Streamlit adds."""
    if before is None or now is None:
        return now
    if len(before.widgets) > _MANY:
        return now
    known = {each.id for each in now.widgets}
    both = WidgetStates()
    both.CopyFrom(now)
    both.widgets.extend(each for each in before.widgets if each.id not in known)
    return both


def _heard_on(message: RerunData, page: str, name: str, query: str) -> RerunData:
    """Return a message of a page's part as one that draws another page whole."""
    return replace(
        message, fragment_id=None, fragment_id_queue=[], is_fragment_scoped_rerun=False, page_script_hash=page,
        page_name=name, query_string=query,
    )  # fmt: skip


@dataclass
class _Taking:
    """The run that took in changes of a session last, and what only one may hold that does."""

    one: RLock = field(default_factory=RLock)
    last: int = -1


_TAKING: WeakValueDictionary[int, _Taking] = WeakValueDictionary()
"""By the session that it is of; each run of it holds on to it."""


_HEADS = 256
"""Lines at most that may be in the midst of a request's head; beyond it the one that began first is closed."""

_AT_ONCE = 64
"""Lines at most that are taken up at once. asyncio would take up all that wait, 2,048, before it looks at one of them:
then no file could be opened, a module that is imported among them."""

_HEAD = 10.0
"""Seconds for the head of a request to arrive."""


def begin_bounded(message: int) -> None:
    """Let each answer leave as it is written, and bound what may arrive: a message's bytes, a head's time.

    The messages of a browser are small, but one of up to 200 MB was taken, as many as the server sends. A line that is
    opened, and sends half a request and no more, was kept for ever.

    Streamlit binds its socket without naming the protocol, so asyncio leaves the small packets together (Nagle) that
    the other side waits to acknowledge: each answer after a connection's first takes 40 ms on Linux, every change on
    a page too.
    """
    startup = uvicorn.Server.startup

    async def at_once(self: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
        for each in sockets or ():
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # who connects from now on has it too
        # Who connected before has it from asyncio, where the socket knows its protocol: a copy asks the system for it.
        self.config.ws_max_size = message
        waiting, self.config.backlog = self.config.backlog, _AT_ONCE
        self.config.http_protocol_class = _with_bounded_heads(self.config.http_protocol_class)
        self.config.ws_protocol_class = frames.bounded(self.config.ws_protocol_class)
        await startup(self, sockets and [socket.socket(fileno=each.dup().detach()) for each in sockets])
        for each in sockets or ():
            each.listen(waiting)  # as many may wait as before

    uvicorn.Server.startup = at_once  # type: ignore[method-assign]


def _with_bounded_heads(usual: Any) -> type[Any]:
    """Return uvicorn's protocol of a line with an end to requests whose head does not arrive."""
    waiting: dict[Any, asyncio.TimerHandle] = {}  # the line that began first stands first

    def done(line: Any) -> None:
        timer = waiting.pop(line, None)
        if timer is not None:
            timer.cancel()

    def end(line: Any) -> None:
        done(line)
        line.transport.close()

    class Bounded(usual):  # type: ignore[misc]
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._look()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._look()

        def connection_lost(self, exc: Exception | None) -> None:
            done(self)
            super().connection_lost(exc)

        def _look(self) -> None:
            # A WebSocket is no such line any more, and is none of the connections.
            answered = self.cycle is None or self.cycle.response_complete
            if not answered or self not in self.connections or self.transport.is_closing():
                done(self)
            elif self not in waiting:
                waiting[self] = self.loop.call_later(_HEAD, end, self)
                if len(waiting) > _HEADS:
                    end(next(iter(waiting)))

    return Bounded


def places_asked(message: bytes) -> Any:
    """Return the session, as it says, and the files for which a browser's message asks where to put them."""
    told = BackMsg()
    with suppress(DecodeError):  # Streamlit closes the line
        told.ParseFromString(message)
    return told.file_urls_request


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


def call_on_the_loop(what: Callable[[], object]) -> bool:
    """Run something in the server's own thread, where sessions come and go; return whether there still is one."""
    loop = Runtime.instance()._get_async_objs().eventloop  # noqa: SLF001
    if loop.is_closed():
        return False
    loop.call_soon_threadsafe(what)
    return True


def session_named_in(message: bytes) -> str:
    """Return the session that a message to a browser names, as its first one does; empty where it names none."""
    told = ForwardMsg()
    told.ParseFromString(message)
    return told.new_session.initialize.session_id if told.WhichOneof("type") == "new_session" else ""


def keep_only(worth: Callable[[str], bool], most: int) -> None:
    """Let a session that was left be kept only where it is worth returning to, and so many at least.

    Streamlit keeps the last 128: whoever opened as many lines, and asked for nothing, pushed out all others.
    """
    leave, begin = WebsocketSessionManager.disconnect_session, MemorySessionStorage.__init__

    def begun(self: MemorySessionStorage, maxsize: int = 128, ttl_seconds: int = 120) -> None:
        begin(self, max(maxsize, most), ttl_seconds)

    def left(self: WebsocketSessionManager, session_id: str) -> None:
        found = self.get_active_session_info(session_id)
        if found is not None and not worth(session_id):
            found.session.clear_user_info()  # it then may not be resumed, and is ended
        leave(self, session_id)

    WebsocketSessionManager.disconnect_session = left  # type: ignore[method-assign]
    MemorySessionStorage.__init__ = begun  # type: ignore[method-assign]


def left_session(who: str) -> AppSession | None:
    """Return a session that was left, and may be returned to; None where there is none of that id."""
    found = _manager()._session_storage.get(who)  # noqa: SLF001
    return None if found is None else found.session


def end(who: str) -> AppSession | None:
    """Take a session that was left out of the server, ended; give it."""
    storage = _manager()._session_storage  # noqa: SLF001
    found = storage.get(who)
    if found is None:
        return None
    storage.delete(who)
    found.session.shutdown()  # its uploads go with it
    return cast("AppSession", found.session)


def expired() -> Iterator[AppSession]:
    """Take the sessions that were left too long ago out of the server, ended; give them."""
    cache = _manager()._session_storage._cache  # noqa: SLF001
    for _, left in cache.expire():
        left.session.shutdown()  # its uploads go with it
        yield left.session


def open_session(who: str) -> AppSession | None:
    """Return a session with a tab; None where there is none of that id."""
    found = _manager().get_active_session_info(who)
    return None if found is None else found.session


def is_connected(who: str) -> bool:
    """Return whether a session has a tab whose line is open; in a test of pages each has."""
    return not running() or open_session(who) is not None


def is_gone(who: str) -> bool:
    """Return whether the server does not know a session any more."""
    return _manager().get_session_info(who) is None


def run_anew(session: AppSession) -> None:
    """Run the first page of a session though nobody touched it, with none of what its widgets held."""
    session.request_rerun(None)


def run_again(session: AppSession) -> None:
    """Run the page that a session shows, as it is, though nobody touched it."""
    now = ClientState()
    now.CopyFrom(session._client_state)  # noqa: SLF001
    session.request_rerun(now)


def forget_fragments(session: AppSession) -> None:
    """Forget a session's fragments: Streamlit keeps their functions, and with these the globals of their pages."""
    session._fragment_storage.clear()  # noqa: SLF001


def forget_callbacks(state: Any, but: str = "") -> None:
    """Forget what the widgets of a session's state would call, which knows the data; but for the one of a key."""
    widgets = state._new_widget_state.widget_metadata  # noqa: SLF001
    for widget in [found for found in widgets if not but or not found.endswith(f"-{but}")]:
        del widgets[widget]


def uploaded() -> dict[str, int]:
    """Return the bytes of the uploads that the server holds, by session."""
    if not running():
        return {}
    return {who: sum(len(file.data) for file in list(files.values())) for who, files in list(_uploads().items())}


def know_parts(name: str, folder: Path) -> None:
    """Let a component's script and style come from a folder of ours: the public way is an installed package alone."""
    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(name) is None:
        package, _, part = name.partition(".")
        described = ComponentManifest(package, "1", [ComponentConfig(part, folder.name)])
        manager.register_from_manifest(described, folder.parent)


def forget_uploads(who: str) -> None:
    """Forget a session's uploads."""
    Runtime.instance().uploaded_file_mgr.remove_session_files(who)


def _manager() -> Any:
    return Runtime.instance()._session_mgr  # noqa: SLF001


def _uploads() -> dict[str, dict[str, Any]]:
    return cast("MemoryUploadedFileManager", Runtime.instance().uploaded_file_mgr).file_storage
