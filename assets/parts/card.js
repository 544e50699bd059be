// The chosen target: its figure, whether it could be guessed, and the levels and pairs that can be excluded, with
// evidence and reasons. Its data are pages/review/card.py.
//
// Rows are changed in place, and only what differs: one that is replaced between press and release loses the click.
import { goingOn, mounted } from "./acts.js"
import { el, svg } from "./elements.js"
import { arranged, figure, menu, sorting } from "./table.js"

export default function (component) {
  const me = mounted(component, "card", fill, shows => shows.target)
  const { target, title, syntheses, one_way, missing, pairs } = me.shows
  const drawn = JSON.stringify([target, title, syntheses.length, one_way.rows.map(r => r.level), !!missing, pairs.rows.map(r => r.id), pairs.alike.map(r => r.id)])
  if (me.drawn !== drawn) { goingOn(me.root, () => build(me)); me.drawn = drawn }
  fill(me)
  whyChosen(me)
  me.watch ??= new ResizeObserver(() => figures(me))  // a column has its width when the styles are there
  for (const each of [me.root, ...me.root.querySelectorAll("th.lift")]) me.watch.observe(each)
  return () => { me.watch?.disconnect(); me.watch = null }
}

const act = (me, what) => me.line.act({ target: me.shows.target, ...what })
const id = pair => JSON.stringify(pair)

// What the server shows, with what was done since on top.
function now(me) {
  const { pairs, one_way, missing, target, synthesis } = me.shows
  const every = [...pairs.rows, ...pairs.alike]
  const found = { pairs: new Set(every.filter(r => r.on).map(r => id(r.id))), levels: new Set(one_way.rows.filter(r => r.on).map(r => r.level)), missing: !!missing?.on, reasons: new Map(), synthesis }
  for (const act of me.line.waiting) {
    if (act.target !== target) continue
    if ("pairs" in act) for (const pair of act.pairs) act.on ? found.pairs.add(id(pair)) : found.pairs.delete(id(pair))
    if ("level" in act) act.on ? found.levels.add(act.level) : found.levels.delete(act.level)
    if ("missing" in act) found.missing = act.missing
    if ("why" in act) found.reasons.set(act.why, act.text)
    if ("synthesis" in act) found.synthesis = act.synthesis
  }
  return found
}

function build(me) {
  const { title, target, syntheses, one_way, missing, pairs } = me.shows, p = (name, tag = "div", at = {}) => el(tag, { "data-p": name, ...at })
  const head = el("div", { class: "head" }, el("h2", {}, title))
  if (syntheses.length) {
    const choose = el("select", { "aria-label": "Synthesis", "data-f": "synthesis" }, ...syntheses.map(([value, words]) => el("option", { value }, words)))
    choose.onchange = () => act(me, { synthesis: choose.value === "mean" ? "mean" : +choose.value })
    head.append(choose)
  }
  const lead = el("button", { type: "button", class: "link" }, "the records →")
  lead.onclick = () => act(me, { records: {} })
  head.append(lead)
  const kids = [head, p("bar"), p("waits", "p", { class: "waits" }), el("h3", {}, "Could it be guessed? ", p("better", "span", { class: "mut" })), p("strip")]
  kids.push(el("h3", {}, "Does one answer carry it? ", p("head1", "span", { class: "mut" })))
  if (one_way.rows.length || missing) {
    const body = el("tbody")
    one_way.rows.forEach((r, i) => body.append(level(me, r.label, r.exclusion, on => act(me, { level: r.level, on }), `l${i}`)))
    if (missing) body.append(level(me, missing.label, missing.exclusion, on => act(me, { missing: on }), "missing"))
    kids.push(el("table", { class: "levels", "aria-label": `Levels of ${title} that can be excluded` }, body))
  }
  if (one_way.others.length) kids.push(another(me))
  me.places = {}
  const taken = () => [me.shows.pairs.lines, [...(me.places.r ?? []), ...(me.places.a ?? []).map(i => i + me.shows.pairs.rows.length)]]
  const any = pairs.rows.length + pairs.alike.length
  kids.push(el("div", { class: "over" }, el("h3", {}, "Does one key tell it? ", p("head2", "span", { class: "mut" })), any > 0 && menu(taken)))
  if (pairs.rows.length) kids.push(table(me, pairs.rows, "r", `Pairs of ${title}; a tick excludes`))
  if (pairs.alike.length) {
    const fold = el("details", {}, p("fold", "summary"), table(me, pairs.alike, "a", `Pairs of ${title} without lift; a tick excludes`))
    fold.open = !!me.line.kept[`open ${target}`]
    fold.ontoggle = () => { me.line.kept[`open ${target}`] = fold.open; figures(me) }
    kids.push(fold)
  }
  const more = p("more", "button", { type: "button", class: "link" })
  more.onclick = () => act(me, { more: true })
  kids.push(more, p("sum", "p", { class: "sum", role: "status" }), p("none1", "p", { class: "mut small" }), p("none2", "p", { class: "mut small" }), el("datalist", { id: "used" }))
  me.root.replaceChildren(...kids)
  me.width = 0
}

// A level without a row: chosen from a list, or typed.
function another(me) {
  const { others, cut } = me.shows.one_way, name = "Exclude another level"
  const field = el("input", { type: "text", list: "others", autocomplete: "off", placeholder: `${name} …`, "aria-label": name })
  const found = () => others.find(each => each.label === field.value)
  const take = () => {
    const level = found()?.level ?? (cut ? field.value : "")
    field.setCustomValidity(field.value && !level ? "Choose a level from the list." : "")
    if (!level) return
    field.value = ""
    me.chosen = level
    act(me, { level, on: true })
  }
  field.onchange = take
  field.onkeydown = e => { if (e.key === "Enter") { take(); field.reportValidity() } }  // who goes on is not held
  field.oninput = e => {  // picked from the list, which tells no letter that was typed
    field.setCustomValidity("")
    if ((e.inputType ?? "insertReplacementText") === "insertReplacementText" && found()) take()
  }
  return el("div", { class: "another" }, field, el("datalist", { id: "others" }, ...others.map(each => el("option", { value: each.label }))))
}

function level(me, words, exclusion, take, at) {
  const on = el("input", { type: "checkbox", role: "switch", "aria-label": words })
  const cell = why(me, exclusion)
  on.onchange = () => { take(on.checked); if (on.checked) ask(cell) }
  return el("tr", { "data-x": at }, el("td", { class: "tick" }, on), el("th", { scope: "row" }, el("span", { class: "flag", "aria-hidden": "true" }), words), el("td", { class: "evidence mut" }), cell)
}

function table(me, rows, kind, caption) {
  const all = el("input", { type: "checkbox", class: "all", "data-k": kind, "aria-label": "Exclude all of these pairs" })
  all.onchange = () => act(me, { pairs: rows.map(r => r.id), on: all.checked })
  const th = (words, at, by, down) => el("th", { scope: "col", class: at, "data-sorts": by, "data-down": down }, ...[].concat(words)), body = el("tbody")
  rows.forEach((r, i) => {
    const name = `${r.key} ${r.level}, ${r.answer}`, cell = why(me, r.exclusion), tick = el("input", { type: "checkbox", "aria-label": `Exclude ${name}` })
    tick.onchange = () => { act(me, { pairs: [r.id], on: tick.checked }); if (tick.checked) ask(cell) }
    const words = el("span", { class: "nw", title: `${r.key} ${r.level}` }, `${r.key} `, el("b", {}, r.level))
    const look = el("button", { type: "button", class: "look", title: `The records of ${name}`, "aria-label": `The records of ${name}` }, "→")
    look.onclick = () => act(me, { records: { [r.id[0]]: r.id[1], [me.shows.target]: r.id[2] } })
    body.append(el("tr", { "data-x": `${kind}${i}` }, el("td", { class: "tick" }, tick),
      el("th", { scope: "row", class: "key" }, words), el("td", { class: "answer", title: r.answer }, r.answer),
      el("td", { class: "r people" }), el("td", { class: "r pct" }), el("td", { class: "lift" }), el("td", { class: "r records" }, me.shows.lists && look, el("span")), el("td", { class: "r points" }), cell))
  })
  const heads = el("tr", {}, el("th", { scope: "col", class: "tick" }, all), th("key level", "key", "key"), th("answer", "answer", "answer"), th("people", "r people", "people", true), th("% so", "r pct", "pct", true),
    th([el("span", { class: "out" }, "│ of all"), el("br"), el("span", { class: "this" }, "● this level")], "lift", "lift", true), th("records taken", "r records", "records", true), th("DiSCO, points", "r points", "points", true), th("reason", "why", "reason"))
  const trs = [...body.rows], kept = () => me.line.kept[`sort ${kind}`] ??= {}, arrange = () => {  // asked for by a head: what a tick changes moves no row
    me.places[kind] = arranged(kept(), me.shows.pairs[kind === "r" ? "rows" : "alike"], (r, by) => OF[by](r))
    body.append(...me.places[kind].map(i => trs[i]))
  }
  sorting(kept, heads, arrange)
  arrange()
  return el("table", { class: "pairs" }, el("caption", { class: "sr" }, caption), el("thead", {}, heads), body)
}

const OF = {
  key: r => `${r.key} ${r.level}`, answer: r => r.answer, people: r => figure(r.people), pct: r => r.pct?.[0], lift: r => figure(r.lift),
  records: r => figure(r.records), points: r => Math.abs(figure(r.points)), reason: r => r.reason,
}

function why(me, exclusion) {
  const text = el("input", { type: "text", list: "used", placeholder: "Reason, printed", "aria-label": `Reason: ${exclusion.replaceAll(" = ", " ")}` })
  text.onchange = text.onblur = () => { if (text.value !== (text.told ?? "")) act(me, { why: exclusion, text: (text.told = text.value) }) }
  text.onkeydown = e => { if (e.key === "Enter") text.onchange() }
  const confirm = el("button", { type: "button", class: "confirm" }, "Confirm")
  confirm.onclick = () => act(me, { confirm: exclusion })
  return el("td", { class: "why" }, el("div", {}, text, confirm))
}

// A level that was chosen has a row when the server has heard of it: who has not gone on meanwhile is asked why there.
function whyChosen(me) {
  const { target, one_way } = me.shows
  if (me.target !== target) [me.target, me.chosen] = [target, null]
  const row = one_way.rows.findIndex(r => r.on && r.level === me.chosen)
  if (row < 0) return
  me.chosen = null
  const at = me.root.getRootNode().activeElement
  if (at ? at.matches("[list=others]") && !at.value : document.activeElement === document.body) ask(me.root.querySelector(`tr[data-x=l${row}] .why`))
}

// What is excluded asks why at once.
function ask(cell) {
  const text = cell.querySelector("input")
  if (!text.value) text.focus({ preventScroll: true })
}

function reason(row, on, r, mine, root) {
  const [text, confirm] = row.querySelector(".why div").children
  text.style.visibility = on ? "visible" : "hidden"  // its place is kept: what a tick changes moves no other tick
  text.tabIndex = on ? 0 : -1
  const held = root.getRootNode().activeElement === text
  if (!held) text.value = text.told = mine.reasons.get(r.exclusion) ?? r.reason
  text.title = r.asks || text.value
  confirm.hidden = !(on && r.asks)
  confirm.title = r.asks
}

function waits(line, words) {  // its place is kept: what a tick changes moves no other tick
  line.textContent = line.title = words
  line.style.visibility = words ? "visible" : "hidden"
}

function fill(me) {
  const { shows, root } = me, mine = now(me), put = (name, words) => { const e = root.querySelector(`[data-p=${name}]`); if (e && e.textContent !== words) e.textContent = words; if (e) e.hidden = words === "" }
  const choose = root.querySelector("select[data-f=synthesis]")
  if (choose && choose.value !== `${mine.synthesis}`) choose.value = `${mine.synthesis}`
  waits(root.querySelector("[data-p=waits]"), shows.bar.waits); put("head1", shows.one_way.head); put("better", shows.guess.better || shows.guess.words); put("none1", shows.one_way.none); put("head2", shows.pairs.head)
  put("fold", shows.pairs.fold); put("more", shows.pairs.more); put("none2", shows.pairs.none)
  const sum = root.querySelector("[data-p=sum]")
  if (sum.textContent !== shows.pairs.sum) sum.textContent = shows.pairs.sum
  root.querySelector("#used").replaceChildren(...shows.used.map(value => el("option", { value })))
  const levels = [...shows.one_way.rows.map((r, i) => [`l${i}`, r, mine.levels.has(r.level)]), ...(shows.missing ? [["missing", shows.missing, mine.missing]] : [])]
  for (const [at, r, on] of levels) {
    const row = root.querySelector(`tr[data-x=${at}]`)
    row.classList.toggle("on", on)
    row.querySelector("input").checked = on
    row.querySelector(".flag").textContent = r.flagged ? "⚑ " : ""
    row.querySelector(".evidence").textContent = r.words
    row.querySelector(".evidence").title = r.words
    reason(row, on, r, mine, root)
  }
  for (const [kind, rows] of [["r", shows.pairs.rows], ["a", shows.pairs.alike]]) {
    rows.forEach((r, i) => {
      const row = root.querySelector(`tr[data-x=${kind}${i}]`), on = mine.pairs.has(id(r.id)), set = (name, words) => { const e = row.querySelector(name); if (e.textContent !== words) e.textContent = words }
      row.className = on ? "on" : r.covered ? "covered" : ""
      row.querySelector("input").checked = on
      set(".people", r.people ?? ""); set(".pct", r.pct?.[1] ?? ""); set(".records span", r.records); set(".points", r.points)
      
      reason(row, on, r, mine, root)
    })
    const all = root.querySelector(`.all[data-k=${kind}]`), n = rows.filter(r => mine.pairs.has(id(r.id))).length
    if (all) { all.checked = n === rows.length; all.indeterminate = n > 0 && n < rows.length }
  }
  figures(me)
}

function figures(me) {
  const { root, shows } = me, W = Math.max(220, root.clientWidth), key = JSON.stringify([W, shows.bar, shows.guess])
  for (const [kind, rows] of [["r", shows.pairs.rows], ["a", shows.pairs.alike]]) rows.forEach((r, i) => {
    const cell = root.querySelector(`tr[data-x=${kind}${i}] .lift`)
    if (!r.pct) { cell.textContent = ""; return }
    const w = cell.clientWidth - 10, drawn = `${w} ${r.pct} ${r.base}`
    if (cell.dataset.drawn === drawn || !cell.clientWidth) return
    cell.dataset.drawn = drawn
    cell.replaceChildren(w < 50 ? el("span", { "aria-hidden": "true" }, r.base[1]) : lift(r, w), el("span", { class: "sr" }, `${r.pct[1]} % at this level, ${r.base[1]} % of all, lift ${r.lift}`))
    cell.title = `${r.base[1]} % of all; lift ${r.lift}`
  })
  if (me.figures === key) return
  me.figures = key
  root.querySelector("[data-p=bar]").replaceChildren(bar(shows.bar, W))
  const place = root.querySelector("[data-p=strip]")
  if (shows.guess.marks) strip(place, shows.guess, W); else place.replaceChildren(el("span"))
}

function bar(b, W) {
  const w = share => (W - 2) * share / 100, [people, keys, one, right] = b.steps, top = 17, h = 26
  const s = svg("svg", { width: W, height: 62, role: "img", "aria-label": b.words })
  const text = (x, y, words, at, anchor = "start") => svg("text", { x, y, class: at, "text-anchor": anchor }, words)
  s.append(svg("rect", { x: 1, y: top, width: W - 2, height: h, class: "b0" }))
  for (const [i, step] of [keys, one, right].entries()) s.append(svg("rect", { x: 1, y: top, width: Math.max(0, w(step[1])), height: h, class: `b${i + 1}` }))
  if (b.preview) s.append(svg("defs", {}, svg("pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, svg("rect", { width: 2.5, height: 6, class: "hatch" }))),
    svg("rect", { x: 1 + w(Math.min(b.preview[0], right[1])), y: top, width: Math.abs(w(right[1]) - w(b.preview[0])), height: h, fill: "url(#hatch)", class: "hatched" }))
  if (b.also[0] > 0) s.append(svg("line", { x1: 1 + w(b.also[0]), x2: 1 + w(b.also[0]), y1: top, y2: top + h, class: "also" }))
  // A number stands in its own band alone, for its ink is of that ground. Bands of one width have one number and both names.
  const bands = [people, keys, one], ends = bands.map(([, share]) => w(share)), next = [...ends.slice(1), w(right[1])]
  const empty = i => ends[i] - next[i] < 0.5
  bands.forEach(([, , n], i) => { if (ends[i] - next[i] > 7 * n.length + 8) s.append(text(ends[i] - 4, top + 18, n, i ? "dk" : "", "end")) })
  const first = `right: DiSCO ${b.moved || b.figure}`
  if (w(right[1]) > 7 * right[2].length + 12) s.append(text(7, top + 18, right[2], "on"))
  s.append(text(1, 12, first, "syn-t"))
  // Names from the right to the left; one that has no room is left out, and stands in the words.
  const least = 6 * first.length + 8
  let free = W + 1, names = ""
  bands.forEach(([words, share], i) => {
    names = names ? `${words} = ${names}` : words
    if (i < 2 && empty(i)) return
    const x = share === 100 ? W : w(share) - 2, size = 5.8 * names.length
    if (x - size > least && x <= free) { s.append(text(x, 12, names, "mut", "end")); free = x - size - 8 }
    names = ""
  })
  s.append(text(1, 58, `${w(right[1]) > 7 * right[2].length + 12 ? "" : `${right[2]} right; `}${b.also[1]}`, "mut"))
  return s
}

function strip(place, g, W) {
  const { chance, best, right } = g.marks, values = [chance[0], best[0], right[0]]
  const wide = W > 420, left = wide ? 130 : 8, lo = Math.max(0, Math.min(...values) - 15), hi = Math.min(100, Math.max(...values) + 10)
  const x = v => left + (W - left - 12) * (v - lo) / (hi - lo || 1), s = svg("svg", { width: W, height: 46, role: "img", "aria-label": g.words })
  place.replaceChildren(s)  // where letters have their size
  const half = (words, kind) => { const probe = svg("text", { class: kind }, words); s.append(probe); const wide = probe.getComputedTextLength(); probe.remove(); return wide / 2 + 1 }
  const inside = (at, words, kind) => Math.min(Math.max(at, left + half(words, kind)), W - half(words, kind))
  // A long answer is cut, its figure never.
  const tail = best[2].lastIndexOf("”")
  let everybody = best[2]
  for (let most = Math.min(tail, Math.ceil(W)); most > 0 && 2 * half(everybody, "out-t") > W - left; most--) everybody = `${best[2].slice(0, most)}…${best[2].slice(tail)}`
  const text = (at, y, words, kind) => svg("text", { x: inside(at, words, kind), y, class: kind, "text-anchor": "middle" }, words)
  s.append(svg("line", { x1: left, x2: W - 12, y1: 23, y2: 23, class: "grid" }))
  if (wide) s.append(svg("text", { x: 0, y: 27, class: "mut" }, g.claims))
  const tick = v => svg("line", { x1: x(v), x2: x(v), y1: 16, y2: 30, class: "outside" })
  s.append(tick(chance[0]), tick(best[0]), svg("path", { d: `M${x(right[0]) - 6},23l6,-6l6,6l-6,6z`, class: "syn" }))
  // Two names in a line, never one on the other: that of chance stands on its own side of what is right, or where room is.
  const own = inside(x(right[0]), right[2], "syn-t"), apart = half(chance[2], "out-t") + half(right[2], "syn-t") + 4
  const before = Math.min(x(chance[0]), own - apart), after = Math.max(x(chance[0]), own + apart)
  const fits = at => Math.abs(inside(at, chance[2], "out-t") - own) >= apart - 0.1
  const named = fits(before) && !(chance[0] > right[0] && fits(after)) ? before : after
  s.append(text(x(right[0]), 11, right[2], "syn-t"), text(x(best[0]), 43, everybody, "out-t"), text(named, 11, chance[2], "out-t"))
}

function lift(r, W) {
  const x = share => 4 + (W - 8) * share / 100, s = svg("svg", { width: W, height: 16, "aria-hidden": "true" })
  s.append(svg("rect", { x: x(0), y: 5, width: x(100) - x(0), height: 6, class: "track" }), svg("line", { x1: x(r.base[0]), x2: x(r.pct[0]), y1: 8, y2: 8, class: "lifted" }),
    svg("line", { x1: x(r.base[0]), x2: x(r.base[0]), y1: 1, y2: 15, class: "outside" }), svg("circle", { cx: x(r.pct[0]), cy: 8, r: 4.2, class: "dot" }))
  return s
}
