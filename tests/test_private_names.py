"""Every name of Streamlit and uvicorn that they do not document, and that a page or the server around it uses.

One table: in which file it is used, whose it is, and the test of behaviour that fails when it does something else. That
it is there at all is seen here.
"""

import ast
import dataclasses
import importlib
import inspect
import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
HOUSE = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]


class Private(NamedTuple):
    """What is used of one owner, in one file, and the test that fails when it changes."""

    file: str
    owner: str
    members: str
    test: str


RUNS, HEARD, SESSIONS, MESSAGES, LINES, FRAMES = (
    f"pages/server/{name}.py" for name in ("streamlit_private", "heard", "sessions", "messages", "lines", "frames")
)
RUN = "streamlit.runtime.scriptrunner"
IN_RUN = "streamlit.runtime.scriptrunner_utils"
CHOSEN = "server/test_page_chosen.py::test_a_part_of_the_page_that_is_left_leads_nowhere_else"
TURNS = "server/test_turns.py::test_reruns_that_are_overtaken_are_no_threads"
DUE = "server/test_page_chosen.py::test_what_a_part_was_told_before_another_page_is_chosen_is_done"
WAITS = "server/test_turns.py::test_what_is_changed_while_a_run_waits_is_in_it"
TAKEN = "server/test_downloads.py::test_what_was_typed_is_in_the_file_though_the_question_comes_before_the_server_has_taken_it_in"
PLACE = "server/test_uploads.py::test_where_a_file_may_be_put_is_told_though_a_run_begins"
PARTS = "browser/test_fast_clicks.py::test_roles_clicked_and_a_reason_typed_at_once_are_all_kept"
DRAWN = "pages/test_drawn.py::test_what_an_overtaken_run_told_is_told_again_however_late"
WHOLE = "server/test_turns.py::test_an_answer_leaves_whole_and_not_message_by_message"
FORGOTTEN = "browser/test_hands.py::test_a_change_taken_back_while_the_browser_is_slow_to_hear_is_drawn"
UNHEARD = "server/test_unheard.py::test_a_value_of_before_undo_is_an_act_only_of_who_has_heard_of_it"
ON_ITS_WAY = "browser/test_hands.py::test_a_click_on_its_way_when_undo_is_pressed_does_not_make_the_change_again"
INTERRUPTED = "server/test_engines.py::test_a_closed_tab_ends_what_the_engine_still_counts"
CUT = "server/test_threats.py::test_an_upload_cut_in_mid_transfer_leaves_nothing"
SO_MANY = "server/test_left.py::test_so_many_sessions_are_kept_and_each_for_its_time"
LEFT = "server/test_forgotten.py::test_nobody_needs_to_search_for_what_was_left"
PUT_OUT = "server/test_threats.py::test_who_does_not_touch_the_page_is_forgotten_though_the_tab_is_open"
CLOSED = "server/test_returning.py::test_close_and_forget_ends_it_at_once_for_whoever_comes_next"
RETURNS = "server/test_returning.py::test_a_reload_brings_review_and_widgets_back"
EMPTY = "server/test_returning.py::test_a_page_loaded_again_while_it_is_drawn_gets_nothing_of_what_was_drawn_for_the_one_before"
KEPT = "server/test_left.py::test_lines_that_ask_for_nothing_push_out_no_review"
ROOM = "server/test_uploads.py::test_one_visitor_has_a_bound_and_is_told_before_and_when_it_is_reached"
PLACES = "server/test_bounds.py::test_nobody_is_told_where_to_put_more_files_than_anybody_chooses"
SAYS = "server/test_frames.py::test_a_page_says_what_a_page_needs_and_nothing_else"
HEAD = "server/test_bounds.py::test_a_head_that_does_not_arrive_ends_its_line_and_one_that_comes_slowly_does_not"
ROOM_FOR_OTHERS = "server/test_bounds.py::test_lines_that_never_ask_leave_room_for_those_who_do"
POURED = "server/test_frames.py::test_frames_that_are_no_message_take_no_time_from_others"

TABLE = [
    # What runs the page: which session, which part of it, whether it is to end.
    Private(RUNS, f"{RUN}:get_script_run_ctx", "", CHOSEN),
    Private(
        RUNS,
        f"{IN_RUN}.script_run_context:ScriptRunContext",
        "session_id fragment_ids_this_run page_script_hash query_string",
        CHOSEN,
    ),
    Private(RUNS, f"{IN_RUN}.script_run_context:get_run_yield_check", "", INTERRUPTED),
    Private(RUNS, f"{RUN}:StopException", "", DRAWN),
    # Changes are taken in whole.
    Private(
        RUNS,
        "streamlit.runtime.state:SafeSessionState",
        "__init__ on_script_will_rerun on_script_finished _yield_callback _state",
        TAKEN,
    ),
    Private(RUNS, f"{RUN}:ScriptRunner", "_execing", TAKEN),
    Private(
        RUNS, f"{IN_RUN}.script_requests:ScriptRequests", "on_scriptrunner_ready on_scriptrunner_yield _rerun_data", DUE
    ),
    # The page that was chosen is kept.
    Private(RUNS, f"{IN_RUN}.script_requests:ScriptRequests", "_request_rerun_locked _rerun_data _state", CHOSEN),
    Private(RUNS, f"{IN_RUN}.script_requests:ScriptRequestType", "RERUN CONTINUE", CHOSEN),
    Private(
        RUNS,
        f"{IN_RUN}.script_requests:RerunData",
        "fragment_id fragment_id_queue is_fragment_scoped_rerun page_script_hash page_name query_string",
        CHOSEN,
    ),
    Private(RUNS, f"{RUN}:ScriptRunner", "_run_script", CHOSEN),
    # A run waits for its turn.
    Private(
        RUNS,
        f"{RUN}:ScriptRunner",
        "start _run_script_thread _maybe_handle_execution_control_request _requests _session_id "
        "_is_in_script_thread request_rerun request_stop",
        TURNS,
    ),
    Private(
        RUNS,
        "streamlit.runtime.app_session:AppSession",
        "id request_rerun _create_scriptrunner _scriptrunner _client_state",
        TURNS,
    ),
    Private(RUNS, f"{IN_RUN}.script_requests:RerunData", "widget_states", WAITS),
    Private(RUNS, "streamlit.proto.WidgetStates_pb2:WidgetStates", "widgets", WAITS),
    # What a session draws leaves in one go.
    Private(
        RUNS,
        "streamlit.runtime:Runtime",
        "instance _enqueued_some_message _get_async_objs _send_message _session_mgr",
        WHOLE,
    ),
    Private(RUNS, "streamlit.runtime.runtime:AsyncObjects", "need_send_data", WHOLE),
    Private(
        RUNS,
        "streamlit.runtime.websocket_session_manager:WebsocketSessionManager",
        "get_active_session_info",
        WHOLE,
    ),
    Private(RUNS, "streamlit.runtime.app_session:AppSession", "flush_browser_queue", WHOLE),
    Private(RUNS, "streamlit.runtime.session_manager:SessionClientDisconnectedError", "", WHOLE),
    # What a browser has forgotten is sent whole.
    Private(HEARD, "streamlit.runtime.forward_msg_cache:create_reference_msg", "", FORGOTTEN),
    Private(HEARD, "streamlit.proto.ForwardMsg_pb2:ForwardMsg", "hash metadata", FORGOTTEN),
    Private(HEARD, "streamlit.runtime.session_manager:ActiveSessionInfo", "client session", FORGOTTEN),
    Private(HEARD, "streamlit.runtime:Runtime", "_send_message", FORGOTTEN),
    Private(HEARD, "streamlit.runtime.app_session:AppSession", "request_rerun", FORGOTTEN),
    # A value of before Undo, that was on its way, is no act.
    Private(HEARD, "streamlit.proto.WidgetStates_pb2:WidgetStates", "widgets", UNHEARD),
    Private(
        "pages/shared/session.py", "streamlit.runtime.state:SessionState", "_old_state _new_widget_state", ON_ITS_WAY
    ),
    Private("pages/shared/session.py", "streamlit.runtime.state.session_state:WStates", "states", ON_ITS_WAY),
    # The answer to where a file may be put is not dropped; the scripts of our parts are found.
    Private(RUNS, "streamlit.runtime.forward_msg_queue:ForwardMsgQueue", "clear _queue", PLACE),
    Private(RUNS, "streamlit.components.v2.get_bidi_component_manager:get_bidi_component_manager", "", PARTS),
    Private(
        RUNS,
        "streamlit.components.v2.component_manager:BidiComponentManager",
        "get_component_asset_root register_from_manifest",
        PARTS,
    ),
    Private(RUNS, "streamlit.components.v2.manifest_scanner:ComponentConfig", "", PARTS),
    Private(RUNS, "streamlit.components.v2.manifest_scanner:ComponentManifest", "", PARTS),
    # Sessions from outside their runs.
    Private(SESSIONS, "streamlit.runtime:Runtime", "exists instance is_active_session", KEPT),
    Private(SESSIONS, "streamlit.runtime:Runtime", "_session_mgr", KEPT),
    Private(
        SESSIONS,
        "streamlit.runtime.websocket_session_manager:WebsocketSessionManager",
        "_session_storage get_active_session_info",
        KEPT,
    ),
    Private(SESSIONS, "streamlit.runtime.session_manager:SessionStorage", "get save delete list", RETURNS),
    Private(SESSIONS, "streamlit.runtime.session_manager:SessionInfo", "session", RETURNS),
    Private(SESSIONS, "streamlit.runtime.app_session:AppSession", "id shutdown", SO_MANY),
    Private(SESSIONS, "streamlit.runtime.app_session:AppSession", "request_rerun _client_state", ROOM),
    Private(SESSIONS, "streamlit.proto.ClientState_pb2:ClientState", "CopyFrom", ROOM),
    Private(SESSIONS, "streamlit.runtime.app_session:AppSession", "_scriptrunner _browser_queue", EMPTY),
    Private(SESSIONS, "streamlit.runtime.forward_msg_queue:ForwardMsgQueue", "clear", EMPTY),
    Private(SESSIONS, "streamlit.runtime.app_session:AppSession", "_fragment_storage", LEFT),
    Private(SESSIONS, "streamlit.runtime.fragment:FragmentStorage", "clear", LEFT),
    Private(SESSIONS, "streamlit.runtime.state:SessionState", "_new_widget_state", CLOSED),
    Private(SESSIONS, "streamlit.runtime.state.session_state:WStates", "widget_metadata", CLOSED),
    Private(SESSIONS, "streamlit.runtime:Runtime", "uploaded_file_mgr", ROOM),
    Private(
        SESSIONS,
        "streamlit.runtime.memory_uploaded_file_manager:MemoryUploadedFileManager",
        "file_storage remove_session_files",
        PUT_OUT,
    ),
    Private("pages/shared/session.py", "streamlit.runtime.app_session:AppSession", "session_state", PUT_OUT),
    # Messages of a line.
    Private(MESSAGES, "streamlit.proto.BackMsg_pb2:BackMsg", "DESCRIPTOR", SAYS),
    Private(MESSAGES, "streamlit.proto.BackMsg_pb2:BackMsg", "file_urls_request", PLACES),
    Private(MESSAGES, "streamlit.proto.ForwardMsg_pb2:ForwardMsg", "new_session", RETURNS),
    # The server around the app.
    Private("pages/server/environment.py", "starlette.formparsers:MultiPartParser", "spool_max_size", CUT),
    Private(LINES, "uvicorn.lifespan.on:LifespanOn", "config", HEAD),
    Private(LINES, "uvicorn:Config", "http_protocol_class", HEAD),
    Private(LINES, "uvicorn:Config", "ws_max_size", PLACES),
    Private(LINES, "uvicorn:Config", "ws_protocol_class", POURED),
    Private(LINES, "uvicorn:Config", "backlog", ROOM_FOR_OTHERS),
    Private(
        LINES,
        "uvicorn.protocols.http.h11_impl:H11Protocol",
        "connection_made data_received connection_lost cycle connections transport loop",
        HEAD,
    ),
    Private(LINES, "uvicorn.protocols.http.h11_impl:RequestResponseCycle", "response_complete", HEAD),
    Private(
        FRAMES,
        "uvicorn.protocols.websockets.websockets_sansio_impl:WebSocketsSansIOProtocol",
        "data_received connection_lost receive conn read_paused transport loop",
        POURED,
    ),
]


def used_in(path: Path) -> tuple[set[str], set[str], set[str]]:
    """Return what a file imports of the two libraries' inside, the private attributes that are not its own, and all."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = [n for n in ast.walk(tree) if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"]
    out = {id(n) for part in typing_only for n in ast.walk(part)}
    imported = {
        f"{node.module}:{each.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and id(node) not in out
        if re.match(r"(streamlit|uvicorn)(\.|$)", node.module or "")
        for each in node.names
    }
    methods = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}
    fields = {ast.unparse(n.target) for n in ast.walk(tree) if isinstance(n, ast.AnnAssign)}
    attributes = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute)]
    set_here = {n.attr for n in attributes if isinstance(n.ctx, ast.Store) and ast.unparse(n.value) == "self"}
    own = methods | fields | set_here
    private = {
        n.attr
        for n in attributes
        if n.attr.startswith("_") and not n.attr.startswith("__")
        if n.attr not in own or ast.unparse(n.value) not in ("self", "s", "cls")
    }
    words = {n.attr for n in attributes} | {n.arg for n in ast.walk(tree) if isinstance(n, ast.keyword)}
    return imported, private, words | methods | {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}


@pytest.mark.parametrize("path", HOUSE, ids=lambda p: str(p.relative_to(ROOT)))
def test_what_is_not_documented_stands_in_the_table(path):
    imported, private, _ = used_in(path)
    rows = [row for row in TABLE if row.file == path.relative_to(ROOT).as_posix()]
    assert imported <= {row.owner for row in rows}
    assert private <= {member for row in rows for member in row.members.split()}


@pytest.mark.parametrize("file", sorted({row.file for row in TABLE}))
def test_what_stands_in_the_table_is_used(file):
    imported, _, words = used_in(ROOT / file)
    for row in (row for row in TABLE if row.file == file):
        assert set(row.members.split()) <= words, row.owner
        assert row.members or row.owner in imported, row.owner


def owned(owner: type) -> set[str]:
    """Return the attributes of a class, with those that its methods set."""
    found = set(dir(owner))
    if owner.__module__.startswith("streamlit.proto"):
        return found | set(owner.DESCRIPTOR.fields_by_name)
    if dataclasses.is_dataclass(owner):
        found |= {each.name for each in dataclasses.fields(owner)}
    for each in owner.__mro__[:-1]:
        if each.__module__.startswith(("streamlit", "uvicorn")):
            found |= set(re.findall(r"\bself\.(\w+)(?:: [^=\n]+)? =", inspect.getsource(each)))
            found |= set(re.findall(r'object\.__setattr__\(self, "(\w+)"', inspect.getsource(each)))
            found |= set(inspect.get_annotations(each))
    return found


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.owner.rpartition(':')[2]} {row.members}".strip())
def test_each_name_is_there_and_so_is_its_test(row):
    module, _, name = row.owner.partition(":")
    owner = getattr(importlib.import_module(module), name)
    assert set(row.members.split()) <= (owned(owner) if row.members else set())
    file, _, test = row.test.partition("::")
    assert re.search(rf"^def {test}\(", (ROOT / "tests" / file).read_text(encoding="utf-8"), re.MULTILINE)


def test_a_name_that_is_not_in_the_table_is_seen(tmp_path):
    planted = tmp_path / "planted.py"
    planted.write_text(
        "from streamlit.runtime import Runtime\n"
        "class Own:\n    def __init__(self):\n        self._mine = 1\n"
        "def f(self):\n    return self._mine, self._theirs, Runtime._instance, Own()._mine\n"
    )
    assert used_in(planted)[:2] == ({"streamlit.runtime:Runtime"}, {"_theirs", "_instance", "_mine"})
