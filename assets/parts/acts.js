// What a person does in a table of ours: shown as done at once, told until it was heard.
//
// An act is numbered and goes with every message until the server has heard its number, so that no run that is dropped
// or overtaken loses it. A table draws what the server shows, with `waiting` on top: a late answer undoes no later act.
// This module is loaded once for a table's script: LINES outlives a table that is drawn anew. The server's side is
// pages/shared/parts.py.
import { el, isDark } from "./elements.js"

const PAGE = [...crypto.getRandomValues(new Uint32Array(6))].map(n => n.toString(36).padStart(7, "0")).join("")
const LINES = new Map()
const MOUNTED = new WeakMap()
const AGAIN = 3000  // ms without an answer until acts are told again, twice as long each time; the server does each once
const drawing = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "running"

// The acts of a table that were not heard yet. `again` is called when there is one more, to draw it as done.
export function acts({ data, setStateValue }, again) {
  let line = LINES.get(data.key)
  if (!line || line.of !== data.of) {
    clearTimeout(line?.timer)  // what was done to other data is told no more
    LINES.set(data.key, (line = { of: data.of, n: 0, waiting: [], tries: 0, timer: 0, kept: {} }))
  }
  if (data.heard.page === PAGE) line.waiting = line.waiting.filter(act => act.n > data.heard.n)
  line.tell = () => setStateValue("told", { page: PAGE, of: line.of, tries: ++line.tries, acts: line.waiting.slice(0, 200) })
  line.again = again
  wait(line, AGAIN)
  return {
    get waiting() { return line.waiting },
    kept: line.kept,  // what the table wants to know when it is drawn anew: what is sorted, searched, opened
    act(what) {
      line.waiting.push({ n: ++line.n, ...what })
      line.again()
      line.tell()
      wait(line, AGAIN)
    },
  }
}

// What a table keeps while it is in sight: its root, what the server shows, and its acts; `fill` draws it. `of` tells of
// what its fields are: where that changes, what is being typed goes with what it was typed for.
export function mounted(component, name, fill, of = () => "") {
  const { data, parentElement } = component
  let me = MOUNTED.get(parentElement)
  if (!me) {
    const root = el("div", { class: name })
    parentElement.append(root)
    MOUNTED.set(parentElement, (me = { root, drawn: "", was: {} }))
  }
  if (me.shows && of(me.shows) !== of(data.shows)) handOn(me.root)
  me.shows = data.shows
  me.line = acts(component, () => fill(me))
  me.root.classList.toggle("dark", isDark(me.root))
  return me
}

const typing = root => {
  const at = root.getRootNode().activeElement
  return at && root.contains(at) && at.matches("input[type=text]") ? at : null
}

function handOn(root) {
  const at = typing(root)
  at?.blur()
  at?.focus({ preventScroll: true })
}

// Draw a table anew while one of its fields is typed in: the field of the same name goes on with it.
export function goingOn(root, build) {
  const at = typing(root)
  if (!at) { build(); return }
  const { value, selectionStart, selectionEnd } = at
  at.onchange = at.onblur = null  // nothing is handed on by its end
  build()
  const next = [...root.querySelectorAll("input[type=text]")].find(each => each.getAttribute("aria-label") === at.getAttribute("aria-label"))
  if (!next) return
  next.style.visibility = "visible"
  next.focus({ preventScroll: true })
  next.value = value
  next.setSelectionRange(selectionStart, selectionEnd)
}

function wait(line, pause) {
  clearTimeout(line.timer)
  if (!line.waiting.length) return
  line.timer = setTimeout(() => { if (!drawing()) line.tell(); wait(line, 2 * pause) }, pause)
}
