// All targets as one table: a row opens, a tick joins it to one verdict on several. Its data are pages/review/bench.py.
//
// Rows are changed in place, and only what differs: one that is replaced between press and release loses the click.
import { mounted } from "./acts.js"
import { el, svg } from "./elements.js"
import { arranged, menu, sorting } from "./table.js"

const MANY = 12  // rows from which a field to find one by typing stands above them
const WAIT = 250  // ms that an arrow key waits before it opens a row: one run, not ten

export default function (component) {
  const me = mounted(component, "bench", fill)
  const drawn = JSON.stringify([me.shows.rows.map(r => [r.name, r.title]), me.shows.outside, me.shows.own !== null, me.shows.original, me.shows.synthetic])
  if (me.drawn !== drawn) { build(me); me.drawn = drawn; me.was = {} }
  fill(me)
  me.watch ??= new ResizeObserver(() => { if (width(me) !== me.width) fill(me) })
  me.watch.observe(me.root)
  return () => { me.watch?.disconnect(); me.watch = null }
}

const width = me => Math.max(96, me.root.querySelector("td.fig")?.clientWidth ?? 0)

// What the server shows, with what was done since on top.
function now(me) {
  let { chosen, measure, order } = me.shows
  const ticked = new Set(me.shows.ticked)
  for (const act of me.line.waiting) {
    if ("open" in act) chosen = act.open
    if ("tick" in act) for (const t of act.tick) act.on ? ticked.add(t) : ticked.delete(t)
    if ("measure" in act) measure = act.measure
    if ("order" in act) order = act.order
  }
  return { chosen, measure, order, ticked }
}

function build(me) {
  const { rows, original, synthetic, outside, own, measures, orders } = me.shows
  const head = el("div", { class: "head" })
  for (const [name, choices, label] of [["measure", measures, "Measure"], ["order", orders, "Order of the targets"]]) {
    const choose = el("select", { "aria-label": label, "data-f": name }, ...choices.map(([value, words]) => el("option", { value }, words)))
    choose.onchange = () => { if (name === "order") me.line.kept.order = null; me.line.act({ [name]: choose.value }); if (name === "order") arrange(me) }
    head.append(choose)
  }
  if (rows.length > MANY) {
    const find = el("input", { type: "search", placeholder: `Find one of ${rows.length} targets`, "aria-label": "Find a target" })
    find.value = me.line.kept.find ?? ""
    find.oninput = () => { me.line.kept.find = find.value; hide(me) }
    find.onkeydown = e => {
      const first = me.root.querySelector("tbody tr:not([hidden]) button")
      if (e.key === "Enter" && first) open(me, first.dataset.t)
      if (e.key === "ArrowDown" && first) { e.preventDefault(); first.focus() }
    }
    head.append(find)
  }
  head.append(menu(() => [me.shows.lines, me.places.filter(i => !me.rows[i].hidden)]))
  const body = el("tbody"), all = el("input", { type: "checkbox", "aria-label": "Tick all targets without a verdict", class: "all" })
  all.onchange = () => me.line.act({ tick: all.checked ? unjudged(me) : visible(me), on: all.checked })
  const key = el("span", { class: "key" }, ...[outside && ["│ people outside", "out"], [`◆ ${synthetic}`, "syn"], [`○ ${original}`, "org"]]
    .filter(Boolean).map(([words, kind]) => el("span", { class: kind }, words)))
  const th = (at, ...children) => el("th", { scope: "col", ...at }, ...children)
  const gain = el("button", { type: "button", class: "sort", "data-f": "gain" }, "gain over ", el("span", { class: "nw" }, "chance"))
  gain.onclick = () => { me.line.kept.order = null; me.line.act({ order: "gain" }); arrange(me) }
  const columns = el("tr", {}, th({ class: "tick" }, all), th({ class: "name", "data-sorts": "target" }, "target"), th({ class: "fig", "data-sorts": "figure", "data-down": true }, key), th({ class: "r gain", "aria-sort": "none" }, gain),
    own && th({ class: "own", "data-sorts": "own", "data-down": true }, "own answers, points"), th({ class: "verdict", "data-sorts": "verdict" }, "verdict"))
  rows.forEach((r, i) => {
    const tick = el("input", { type: "checkbox", "aria-label": `Tick ${r.name} for one verdict on several` })
    tick.onchange = () => me.line.act({ tick: [r.target], on: tick.checked })
    const button = el("button", { type: "button", "data-i": i, "data-t": r.target, tabindex: -1, title: r.title === r.name ? null : r.title }, r.name, r.label && el("small", {}, r.label))
    const row = el("tr", { "data-i": i }, el("td", { class: "tick" }, tick),
      el("th", { scope: "row", class: "name" }, button, el("small", { class: "flag" }), el("small", { class: "elsewhere" })),
      el("td", { class: "fig" }), el("td", { class: "r gain" }), own && el("td", { class: "own" }), el("td", { class: "verdict" }, el("span", { class: "chip" })))
    row.onclick = e => { if (e.target.tagName !== "INPUT") open(me, r.target) }
    body.append(row)
  })
  body.onkeydown = e => {
    const at = e.target.closest?.("button[data-t]"), go = { ArrowDown: 1, ArrowUp: -1 }[e.key]
    if (!at || !go) return
    e.preventDefault()
    const shown = [...body.querySelectorAll("tr:not([hidden]) button")], to = shown[shown.indexOf(at) + go]
    if (!to) return
    to.focus()
    clearTimeout(me.soon)
    me.soon = setTimeout(() => open(me, to.dataset.t), WAIT)
  }
  me.root.replaceChildren(head, el("table", {}, el("caption", { class: "sr" }), el("thead", {}, columns), body), el("div", { class: "axis", "aria-hidden": "true" }), el("div", { class: "under" }))
  me.rows = [...body.rows]
  me.body = body
  sorting(() => me.line.kept, columns, () => arrange(me))
  me.heads = columns
  arrange(me)
  hide(me)
}

// Rows stand as the server has them, or as a head asked for when it was chosen: what changes then moves no row.
const OF = { target: r => r.title, figure: r => r.synthetic[0], own: r => r.own?.at?.[0], verdict: r => r.kind && r.verdict }
function arrange(me) {
  me.places = arranged(me.line.kept, me.shows.rows, (r, by) => OF[by](r))
  me.body.append(...me.places.map(i => me.rows[i]))
  const own = me.line.kept.order
  if (!own) for (const th of me.heads.children) if (th.dataset.sorts) th.setAttribute("aria-sort", "none")
  me.heads.querySelector(".gain").setAttribute("aria-sort", !own && now(me).order === "gain" ? "descending" : "none")
}

function open(me, target) {
  clearTimeout(me.soon)
  if (now(me).chosen !== target) me.line.act({ open: target })
}

const seen = me => me.shows.rows.filter((_, i) => !me.rows[i].hidden)
const visible = me => seen(me).map(r => r.target)

// Those that wait for a verdict; all of them, where none does.
function unjudged(me) {
  const wait = seen(me).filter(r => !r.kind || r.waits).map(r => r.target)
  return wait.length ? wait : visible(me)
}

function hide(me) {
  const find = (me.line.kept.find ?? "").trim().toLowerCase()
  me.shows.rows.forEach((r, i) => { me.rows[i].hidden = me.shows.rows.length > MANY && find !== "" && !r.title.toLowerCase().includes(find) })
}

function fill(me) {
  const { shows, root } = me, { chosen, measure, order, ticked } = now(me), W = width(me)
  const same = me.width === W
  me.width = W
  root.querySelector("caption").textContent = shows.caption
  for (const [name, value] of [["measure", measure], ["order", order]]) { const f = root.querySelector(`select[data-f=${name}]`); if (f.value !== value) f.value = value }
  root.querySelector("thead .gain").setAttribute("aria-sort", order === "gain" && !me.line.kept.order ? "descending" : "none")
  const all = root.querySelector(".all"), shown = visible(me), n = shown.filter(t => ticked.has(t)).length
  all.checked = n > 0 && unjudged(me).every(t => ticked.has(t))
  all.indeterminate = n > 0 && !all.checked
  shows.rows.forEach((r, i) => {
    const row = me.rows[i], is = r.target === chosen, button = row.querySelector("button")
    row.querySelector("input").checked = ticked.has(r.target)
    row.classList.toggle("chosen", is)
    is ? button.setAttribute("aria-current", "true") : button.removeAttribute("aria-current")
    button.tabIndex = is ? 0 : -1
    const words = JSON.stringify([r, shows.axis, shows.own, shows.limit])
    if (same && me.was[r.target] === words) return
    me.was[r.target] = words
    row.querySelector(".flag").textContent = r.flag
    row.querySelector(".flag").title = r.flag
    row.querySelector(".elsewhere").textContent = r.elsewhere
    row.querySelector("td.fig").replaceChildren(dumbbell(r, shows, W), el("span", { class: "sr" }, r.words))
    row.querySelector("td.gain").textContent = r.gain
    row.querySelector("td.own")?.replaceChildren(...(r.own ? [own(r.own, shows.own), el("span", { class: "sr" }, r.own.words)] : ["–"]))
    if (r.own) row.querySelector("td.own").title = r.own.words
    const chip = row.querySelector(".chip")
    chip.textContent = r.verdict
    chip.className = `chip v-${r.kind.split(" ")[0] || "none"}${r.waits ? " waits" : ""}`
  })
  if (!shown.includes(chosen)) me.rows[0]?.querySelector("button").setAttribute("tabindex", 0)
  if (me.looked !== chosen) { me.looked = chosen; me.rows[shows.rows.findIndex(r => r.target === chosen)]?.scrollIntoView({ block: "nearest" }) }
  root.querySelector(".axis").replaceChildren(axis(me))
  root.querySelector(".under").replaceChildren(...shows.under.map(words => el("p", {}, words)), ...(shows.not_outside ? [el("p", { class: "not" }, shows.not_outside)] : []))
}

const scale = (shows, W) => v => 8 + (W - 52) * v / shows.axis.end

function axis(me) {
  const cell = me.root.querySelector("td.fig"), W = me.width, x = scale(me.shows, W)
  const s = svg("svg", { width: W, height: 16 })
  s.style.marginLeft = `${cell ? cell.offsetLeft : 0}px`
  me.shows.axis.ticks.forEach((t, i, all) => s.append(svg("text", { x: x(t), y: 12, "text-anchor": "middle", class: "mut" }, i === all.length - 1 ? `${t} %` : `${t}`)))
  return s
}

function dumbbell(r, shows, W) {
  const x = scale(shows, W), y = 22, s = svg("svg", { width: W, height: 40, "aria-hidden": "true" })
  const line = (x1, x2, at, y1 = y, y2 = y) => svg("line", { x1, x2, y1, y2, class: at })
  const diamond = (v, at, size = 6) => svg("path", { d: `M${x(v) - size},${y}l${size},${-size}l${size},${size}l${-size},${size}z`, class: at })
  const text = (v, dx, dy, words, at, anchor = "start") => svg("text", { x: x(v) + dx, y: dy, class: at, "text-anchor": anchor }, words)
  for (const t of shows.axis.ticks) s.append(line(x(t), x(t), t ? "grid" : "zero", 0, 40))
  if (shows.limit && shows.limit.at <= shows.axis.end) s.append(line(x(shows.limit.at), x(shows.limit.at), "limit", 0, 40))
  const [syn, synWords] = r.synthetic, [org, orgWords] = r.original, [low, high] = r.range
  if (r.before) {
    s.append(line(x(syn), x(r.before[0]), "moved"), diamond(r.before[0], "hollow", 5))
    if (r.before[1] !== org) s.append(svg("circle", { cx: x(r.before[1]), cy: y, r: 4.5, class: "org thin" }))
  }
  s.append(line(x(syn), x(org), "link"))
  if (high > low) s.append(svg("rect", { x: x(low), y: y - 4, width: Math.max(1, x(high) - x(low)), height: 8, class: "range" }))
  if (r.preview) s.append(line(x(r.preview[0]), x(syn), "moved"), diamond(r.preview[0], "preview"))
  if (r.outside) {
    s.append(line(x(r.outside[0]), x(r.outside[0]), "outside", y - 9, y + 9))
    if (x(Math.min(r.outside[0], syn)) > 42) s.append(text(Math.min(r.outside[0], r.preview?.[0] ?? syn, syn), -9, y + 5, r.outside[1], "out-t", "end"))
  }
  s.append(svg("circle", { cx: x(org), cy: y, r: 5.5, class: "org" }), diamond(syn, r.above ? "syn above" : "syn"))
  s.append(text(syn, 4, 11, r.above ? `▲ ${synWords}` : synWords, "syn-t", x(syn) > W - 60 ? "end" : "start"))
  const crowded = r.before && r.before[1] > org  // the mark of before stands where the figure would
  s.append(text(Math.max(org, syn), crowded ? -6 : 10, crowded ? 38 : y + 5, orgWords, "org-t"))
  return s
}

function own(o, axis) {
  const W = 78, y = 22, x = v => 8 + (W - 16) * (v - axis.start) / (axis.end - axis.start), s = svg("svg", { width: W, height: 40, "aria-hidden": "true" })
  s.append(svg("line", { x1: x(0), x2: x(0), y1: 8, y2: 36, class: "zero" }))
  if (!o.at) { s.append(svg("text", { x: x(0) + 6, y: y + 4, class: "mut" }, o.short)); return s }
  const [points, low, high] = o.at, kind = o.shown ? "shown" : "not"
  s.append(svg("line", { x1: x(low), x2: x(high), y1: y, y2: y, class: kind }), svg("path", { d: `M${x(points) - 5},${y}l5,-5l5,5l-5,5z`, class: kind }))
  if (o.short) s.append(svg("text", { x: Math.min(Math.max(x(points), 16), W - 16), y: 12, class: "syn-t", "text-anchor": "middle" }, o.short))
  return s
}
