// The verdict on the chosen target, or on those that are ticked, with its reason. Its data are pages/review/verdict.py.
import { mounted } from "./acts.js"
import { el } from "./elements.js"

export default function (component) {
  const me = mounted(component, "verdict", fill, shows => JSON.stringify(shows.targets))
  if (!me.built) build(me)
  fill(me)
}

const act = (me, what) => me.line.act({ targets: me.shows.targets, ...what })
const of = me => `draft ${JSON.stringify(me.shows.targets)}`  // a reason that was written before its verdict

function build(me) {
  const { verdicts } = me.shows, p = (name, tag = "span", at = {}, ...more) => el(tag, { "data-p": name, ...at }, ...more)
  const reason = p("reason", "input", { type: "text", placeholder: "Reason, printed", "aria-label": "Reason for the verdict", class: "reason" })
  reason.oninput = () => { me.line.kept[of(me)] = reason.value }
  reason.onchange = () => { if (me.shows.given) { delete me.line.kept[of(me)]; act(me, { why: reason.value }) } }
  reason.onkeydown = e => { if (e.key === "Enter" && me.shows.given && reason.value !== me.shows.reason) reason.onchange() }
  const buttons = verdicts.map(([value, words]) => {
    const button = el("button", { type: "button", "data-v": value, "aria-pressed": "false" }, words)
    button.onclick = () => { const why = reason.value; delete me.line.kept[of(me)]; act(me, { verdict: value, reason: why }) }
    return button
  })
  const officer = p("officer", "input", { type: "text", placeholder: "Your name (optional)", "aria-label": "Your name, recorded with verdicts", class: "officer" })
  officer.onchange = () => { if (officer.value !== me.officer) act(me, { officer: (me.officer = officer.value) }) }
  officer.onkeydown = e => { if (e.key === "Enter") officer.onchange() }
  const confirm = p("confirm", "button", { type: "button", class: "quiet primary" })
  confirm.onclick = () => act(me, { confirm: true, targets: me.shows.confirm?.targets ?? [] })
  const back = p("back", "button", { type: "button", class: "quiet" }, "Take it back")
  back.onclick = () => act(me, { back: true })
  me.root.replaceChildren(
    el("div", { class: "line" }, p("heading", "h2", { id: "heading" }), p("note", "span", { class: "note" }), confirm, back, officer),
    el("div", { class: "line", role: "group", "aria-labelledby": "heading" }, reason, ...buttons))  // a verdict leads on: what is written after it is of the next target
  me.built = true
}

function fill(me) {
  const { shows, root, line } = me, get = name => root.querySelector(`[data-p=${name}]`), put = (name, words) => { const e = get(name); if (e.textContent !== words) e.textContent = words }
  const focus = root.getRootNode().activeElement
  let { given, reason, officer } = shows
  for (const act of line.waiting) {
    if ("officer" in act) { officer = act.officer; continue }
    if (JSON.stringify(act.targets) !== JSON.stringify(shows.targets)) continue
    if ("verdict" in act) { given = act.verdict; reason = act.reason }
    if ("why" in act) reason = act.why
    if ("back" in act) given = ""
  }
  put("heading", shows.heading); put("note", shows.note)
  get("note").title = shows.note
  for (const button of root.querySelectorAll("button[data-v]")) button.setAttribute("aria-pressed", `${button.dataset.v === given}`)
  const text = line.kept[of(me)] ?? reason
  // What is being typed stays; what was handed on is the server's to say, also while the field has the focus: Undo.
  if (focus !== get("reason") || me.of !== of(me) || get("reason").value === me.text) get("reason").value = text
  if (focus !== get("officer") || get("officer").value === me.officer) get("officer").value = officer
  me.text = text; me.officer = officer
  me.of = of(me)
  get("confirm").hidden = !shows.confirm
  put("confirm", shows.confirm?.words ?? "")
  get("back").hidden = !shows.back
}
