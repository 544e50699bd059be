// A button whose question cannot get lost, and that says that a file is here only when it is.
//
// What is typed is committed first: the field is left before the server is asked. The question is a state, not an event:
// a number that counts up goes with every message until the answer bears it, so that no run that is dropped, merged or
// overtaken loses it. A file comes over this page's own line, a large one from an address of this page's own, once; what
// is acknowledged is the sum of the bytes that arrived. This module is loaded once for a page: MINE outlives a button
// that is drawn anew. The server's side is pages/shared/handing.py.
const PAGE = [...crypto.getRandomValues(new Uint32Array(6))].map(n => n.toString(36).padStart(7, "0")).join("")
const MINE = new Map()
const AGAIN = 3000  // ms without an answer until it is asked again, twice as long each time; the server does it once
const BUSY = 60000  // the same while the page is being drawn, which asking again would begin anew
const LEFT = 6000  // ms after which a button that was not drawn has been left: what it asked for is not wanted any more
const CRC = new Uint32Array(256).map((_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xEDB88320 ^ (n >>> 1) : n >>> 1; return n })
const more = (c, bytes) => { for (let i = 0; i < bytes.length; i++) c = CRC[(c ^ bytes[i]) & 255] ^ (c >>> 8); return c }

function unpack(data) {
  if (!(data instanceof Uint8Array)) data = new Uint8Array(data)
  const end = data.indexOf(10)
  return [JSON.parse(new TextDecoder().decode(data.subarray(0, end))), data.subarray(end + 1)]
}

const typed = new Set()  // fields that hold what they have not handed on; it is done when they are left
const texty = e => e?.isContentEditable || e?.tagName === "TEXTAREA" || e?.tagName === "INPUT" && !/^(checkbox|radio|file|button|submit|range)$/.test(e.type)

function leave() {  // true once every field has handed on what was typed; those of a page whose line is cut cannot
  const focus = document.activeElement
  for (const field of typed) {
    if (!field.isConnected) typed.delete(field)
    else if (!field.disabled) { field.focus({ preventScroll: true }); field.blur() }
  }
  if (focus !== document.activeElement && focus?.closest(".disclosure-hand")) focus.focus({ preventScroll: true })
  return typed.size === 0
}

function keep(parts, name, mime) {
  const a = document.createElement("a"), url = URL.createObjectURL(new Blob(parts, { type: mime }))
  a.href = url; a.download = name; a.click()
  setTimeout(() => URL.revokeObjectURL(url), 60000)
}

// The page that is left and the one that comes both draw a button for a moment, in no order: it is where it stays.
function here(me) {
  if (!me.root?.isConnected) Object.assign(me, me.places.find(place => place.root.isConnected))
  return me.root?.isConnected
}
const drawing = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "running"

function tell(me) {
  me.at = performance.now(); me.tries++
  me.send("told", { page: PAGE, of: me.head.of, n: me.n, open: !!me.waiting, tries: me.tries, inputs: me.left, got: me.got })
}

function ask(me) {  // what leaving the fields has set off is sent before the question
  if (!here(me) || !leave()) return
  me.left = me.inputs; me.asked = true
  setTimeout(() => here(me) && tell(me))
}

function go(me) {
  here(me)
  if (me.head.disabled) return
  if (me.waiting) { me.again = me.again || me.touched; return }  // a second click asks nothing new, unless all else was touched
  me.waiting = ++me.n; me.touched = false; me.pause = AGAIN; me.says = ""; me.at = -AGAIN; me.asked = false
  show(me)
  ask(me)
}

function show(me) {
  const { head, button, live } = me
  if (!button) return
  const open = head.unsaved || head.mark && me.inputs > me.told, busy = me.waiting && head.doing
  if (!busy) button.style.minWidth = ""
  else if (!button.style.minWidth) button.style.minWidth = `${button.getBoundingClientRect().width}px`  // what stands beside it stays where it is
  button.querySelector(".words").textContent = busy ? head.doing : head.label
  button.querySelector(".mark").textContent = open && !busy ? head.mark : ""
  const icon = button.querySelector(".icon")
  icon.textContent = head.icon; icon.hidden = !head.icon || !!busy
  button.setAttribute("aria-busy", !!me.waiting)
  button.className = `${head.primary ? "primary" : "secondary"}${open ? " open" : ""}`
  button.disabled = !!head.disabled; button.title = head.help
  if (live.textContent !== me.says) live.textContent = me.says
}

function arrived(me, parts, sum, file) {
  if (me.waiting !== file.n) return
  if (sum !== file.crc) { tell(me); return }  // broken on the way: once more
  keep(parts, file.name, file.mime)
  me.waiting = 0; me.got = [file.n, sum]; me.says = `${file.shown}: ${me.head.said}`
  if (here(me)) { show(me); tell(me) }
  if (me.again) { me.again = false; go(me) }
}

async function fetched(me, file) {
  me.fetching = file.address
  let sum = -1
  const parts = []
  try {
    const answer = await fetch(new URL(`../../../handed/${file.address}`, import.meta.url), { headers: { "X-Page": PAGE }, cache: "no-store" })
    if (!answer.ok) throw new Error(answer.status)
    for (const reader = answer.body.getReader(); ;) {
      const { done, value } = await reader.read()
      if (done) break
      parts.push(value); sum = more(sum, value)
    }
    sum = (sum ^ -1) >>> 0
  } catch { sum = null }  // the network, or an address that was used: asked again in a while, for another address
  me.fetching = ""; me.at = performance.now()
  if (sum !== null) arrived(me, parts, sum, file)
}

const every = act => { for (const me of MINE.values()) act(me) }
const own = (me, e) => e.composedPath().includes(me.button) || e.type === "click" && performance.now() - me.released < 100
const touch = e => every(me => { if (me.waiting && !own(me, e)) me.touched = true })
addEventListener("input", touch, true); addEventListener("click", touch, true)
// What is typed is not saved, though the server does not know of it yet: the mark says so at once. It is the server's to
// say again once it has answered a message sent after the field was left, which came after what the field had sent.
addEventListener("input", e => {
  const field = e.composedPath()[0]
  if (!texty(field)) return
  typed.add(field)
  every(me => { if (me.head.mark && here(me)) { me.inputs++; show(me) } })
}, true)
addEventListener("focusout", e => {
  const field = e.composedPath()[0]
  if (!typed.has(field) || field.disabled) return
  typed.delete(field)
  if (!typed.size) every(me => {
    const left = me.inputs  // what was typed until now; the next field may be typed in before what follows is done
    setTimeout(() => { me.left = Math.max(me.left, left); if (me.left > me.told && !me.waiting && here(me)) tell(me) })
  })
}, true)
// Another page is asked for at once, but what a field hands on when it is left a moment later (Streamlit's setTimeout of
// 0): it came last, named the page that was left, and led back to it. The link is followed after it.
let follows = false
addEventListener("click", e => {
  const link = e.target.closest?.("a[href]")
  const elsewhere = !link || link.target === "_blank" || link.download || link.origin !== location.origin
  if (elsewhere || follows || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return
  e.preventDefault()
  e.stopImmediatePropagation()
  setTimeout(() => {
    const now = link.isConnected ? link : [...document.links].find(each => each.href === link.href)
    follows = true
    now?.click()
    follows = false
  })
}, true)
setInterval(() => every(me => {
  const now = performance.now()
  if (!here(me)) { if (me.waiting && now - me.seen > LEFT) { me.waiting = 0; me.says = "" } return }
  me.seen = now
  if (me.fetching || now - me.at < (drawing() ? Math.max(BUSY, me.pause) : me.pause)) return
  const unheard = me.got && me.head.file && me.head.file.page === PAGE && me.head.file.n === me.got[0]
  if (me.waiting ? me.doing : !unheard) return
  if (me.waiting && !me.asked) { ask(me); return }  // a field could not be left: its page had lost the server
  me.pause = Math.min(2 * me.pause, 48000)
  tell(me)
}), 500)
// A button that moves between press and release, since what was left was drawn anew, gets no click: release counts.
addEventListener("pointerup", e => every(me => {
  const at = me.press
  me.press = null
  if (!at || Math.hypot(e.clientX - at.x, e.clientY - at.y) >= 12) return
  me.released = performance.now()
  me.due = setTimeout(() => go(me), 60)
}), true)

function build(me, parent) {
  const button = document.createElement("button"), live = document.createElement("div")
  button.type = "button"
  for (const part of ["icon", "words", "mark"]) { const span = document.createElement("span"); span.className = part; button.append(span) }
  button.querySelector(".icon").setAttribute("aria-hidden", "true"); button.querySelector(".icon").translate = false
  live.className = "live"; live.setAttribute("role", "status")
  button.onpointerdown = e => { if (e.button === 0) me.press = { x: e.clientX, y: e.clientY } }
  button.onclick = () => { clearTimeout(me.due); me.press = null; go(me) }
  const box = document.createElement("div")
  box.className = "disclosure-hand"; box.append(button, live); parent.append(box)
}

export default function ({ data, parentElement, setStateValue }) {
  const [head, body] = unpack(data), now = performance.now()
  let me = MINE.get(head.key)
  if (!me) MINE.set(head.key, (me = { places: [], n: 0, waiting: 0, tries: 0, inputs: 0, left: 0, told: 0, says: "", at: 0, released: -1000, pause: AGAIN, got: null, seen: now }))
  if (me.head && me.head.of !== head.of) {  // other data, or a server that was started again: it knows of no question
    Object.assign(me, { n: 0, waiting: 0, got: null, again: false, fetching: "", told: me.inputs, left: me.inputs, says: me.waiting ? head.lost : "" })
  }
  if (me.waiting && !here(me) && now - me.seen > LEFT) me.waiting = 0
  if (!parentElement.querySelector("button")) build(me, parentElement)
  const [button, live] = ["button", ".live"].map(which => parentElement.querySelector(which))
  const place = { head, send: setStateValue, root: parentElement.host ?? parentElement, button, live }
  me.places = [place, ...me.places.filter(other => other.root !== place.root && other.root.isConnected)]
  Object.assign(me, place, { seen: now })
  const of = it => it && it.page === PAGE ? it.n : 0
  if (head.heard && head.heard.page === PAGE) me.told = Math.max(me.told, head.heard.inputs)
  me.doing = me.waiting > 0 && of(head.begun) === me.waiting
  const file = head.file
  if (me.waiting && of(file) === me.waiting) {
    if (!file.address) arrived(me, [body], body.length === file.size ? (more(-1, body) ^ -1) >>> 0 : -1, file)
    else if (!me.fetching) fetched(me, file)
  } else if (me.waiting && of(head.answered) === me.waiting) {  // done, stopped, or it could not be made
    me.waiting = 0; me.says = head.answered.says
    if (me.again) { me.again = false; go(me) }
  }
  show(me)
}
