// The table of columns, on Data and on Keys: a row a column of the data, a cell under each head, all of it from what
// pages/keys/roles.py and pages/data/columns.py show. Rows are changed in place: focus, typing and scroll stay.
import { acts } from "./acts.js"
import { el } from "./elements.js"
import { arranged, menu, sorting } from "./table.js"

const MANY = 12  // columns above which one is found by typing
const PAUSE = 350  // ms that an arrow key waits: one that goes on to the next role chooses nothing on its way
const TABLES = new WeakMap()

const number = n => n.toLocaleString("en")

// Cells by kind: `make` gives what changes a cell to another value; `of` the value that it is sorted by.
const KINDS = {
  text: {
    make: td => value => td.textContent !== value.text && (td.textContent = value.text, td.title = value.text),
    of: value => value.text,
  },
  number: { make: td => value => { td.textContent = number(value.number) }, of: value => value.number },
  pair: {
    make: td => value => {
      const [a, b] = value.pair
      td.replaceChildren(a, b === a || b === "" ? "" : el("span", { class: "mut" }, ` / ${b}`))
    },
    of: value => value.sort,
  },
  bars: {
    make: td => {
      const bars = ["original", "synthetic"].map(side => el("i", { class: side }))
      td.append(el("span", { class: "bars", "aria-hidden": "true" }, ...bars))
      return value => bars.forEach((bar, i) => { bar.style.width = `${value.shares[i]}%` })
    },
    of: value => value.shares[0],
  },
  choice: { make: choice },
  select: { make: select, of: value => value.value },
  field: { make: field, of: value => value.value },
}

function choice(tds, head, row, table, nth) {
  let keyboard = false, timer = 0, due = null
  const chosen = () => {
    clearTimeout(timer)
    const value = due
    due = null
    if (value !== null) table.act({ do: head.id, column: row.name, value })
  }
  const radios = Object.entries(head.texts).map(([value, text], i) => {
    const radio = el("input", { type: "radio", name: `${head.id} ${nth}`, value, "aria-label": `${row.whole}: ${text}` })
    tds[i].append(radio)
    radio.addEventListener("keydown", event => { keyboard = event.key.startsWith("Arrow") })
    radio.addEventListener("pointerdown", () => { keyboard = false })
    radio.addEventListener("change", () => {
      clearTimeout(timer)
      due = radio.value
      if (keyboard) timer = setTimeout(chosen, PAUSE); else chosen()
    })
    radio.addEventListener("blur", event => { if (!radios.includes(event.relatedTarget)) chosen() })  // who goes on has chosen
    return radio
  })
  return value => {
    if (due !== null) return  // a choice by the keyboard is not done yet
    for (const radio of radios) {
      radio.checked = radio.value === value.value
      const hint = value.hint === radio.value
      radio.classList.toggle("hint", hint)
      radio.title = hint ? value.why : ""
      radio.setAttribute("aria-label", `${row.whole}: ${head.texts[radio.value]}${hint ? `, suggested: ${value.why}` : ""}`)
    }
  }
}

function select(td, head, row, table) {
  const list = el("select", { "aria-label": `${row.whole}: ${head.text}` })
  td.append(list)
  list.addEventListener("change", () => table.act({ do: head.id, column: row.name, value: list.value }))
  let options = ""
  return value => {
    const now = JSON.stringify(value.options)
    if (now !== options) list.replaceChildren(...value.options.map(([of, text]) => el("option", { value: of }, text)))
    options = now
    list.value = value.value
    list.title = value.why ?? ""
  }
}

function field(td, head, row, table) {
  const input = el("input", { type: "text", "aria-label": `${row.whole}: ${head.text}`, placeholder: head.placeholder, autocomplete: "off", spellcheck: "false" })
  const place = `${head.id} ${row.name}`, typing = table.kept.typing ??= {}
  let shown = ""
  td.append(input)
  if (place in typing) input.value = typing[place]  // the table was drawn anew while it was typed
  input.addEventListener("input", () => { typing[place] = input.value })
  input.addEventListener("keydown", event => {
    if (event.key === "Enter") input.blur()
    if (event.key === "Escape") { delete typing[place]; input.value = shown; input.blur() }
  })
  input.addEventListener("blur", () => {
    if (!(place in typing)) return
    const text = typing[place]
    delete typing[place]
    if (text !== shown) table.act({ do: head.id, column: row.name, value: text })
  })
  return value => {
    shown = value.value
    input.title = value.note || value.value || head.help || ""
    input.classList.toggle("hint", !!value.hint)
    input.placeholder = value.hint || head.placeholder || ""
    if (!(place in typing) && input.value !== value.value) input.value = value.value
  }
}

export default function (component) {
  const { data, parentElement } = component
  const root = parentElement
  let table = TABLES.get(root)
  if (!table) TABLES.set(root, (table = made(root)))
  table.shows = data.shows
  const line = acts(component, () => table.draw())
  table.act = line.act
  table.line = line
  table.kept = line.kept
  table.build()
  table.draw()
  return () => {}
}

function made(root) {
  const table = { root, signature: "", rows: new Map() }
  table.build = () => build(table)
  table.draw = () => draw(table)
  return table
}

function build(table) {
  const { shows, root, kept } = table
  const signature = JSON.stringify([shows.caption, shows.heads, shows.rows.map(row => [row.name, row.label])])
  if (signature === table.signature && root.querySelector("table")) return
  table.signature = signature
  table.rows.clear()
  const find = el("input", { type: "search", class: "find", placeholder: `Find one of ${number(shows.rows.length)} columns`, "aria-label": "Find a column", hidden: shows.rows.length <= MANY })
  find.value = kept.find ?? ""
  find.addEventListener("input", () => { table.kept.find = find.value; draw(table) })
  table.find = find
  table.counts = el("span", { class: "counts", role: "status" })
  table.offer = el("button", { type: "button", class: "offer" })
  table.offer.addEventListener("click", () => table.shows.offer && table.act({ do: table.shows.offer.act }))
  const taken = () => [table.shows.lines, table.places.filter(i => !table.rows.get(table.shows.rows[i].name).tr.hidden)]
  const top = el("div", { class: "top" }, table.counts, find, table.offer, menu(taken))
  const heads = el("tr")
  const sorted = (id, text, at, help) => el("th", { scope: "col", "data-sorts": id, title: help, ...at }, text)
  heads.append(sorted("", shows.rows.length === 1 ? "column" : `${number(shows.rows.length)} columns`, { class: "name" }))
  for (const head of shows.heads) {
    if (head.kind === "choice") for (const [value, text] of Object.entries(head.texts)) heads.append(sorted(`${head.id} ${value}`, text, { class: "choice", "data-of": value }))
    else if (head.kind === "bars") heads.append(el("th", { scope: "col", class: "bars" }, el("span", { class: "key original" }, "original"), " ", el("span", { class: "key synthetic" }, "synth.")))
    else heads.append(sorted(head.id, head.text, { class: [head.kind, head.wide && "wide", head.id].filter(Boolean).join(" ") }, head.help))
  }
  const body = el("tbody")
  table.body = body
  shows.rows.forEach((row, nth) => {
    const th = el("th", { scope: "row", class: "name", title: row.label ? `${row.whole}: ${row.label}` : row.whole }, el("b", {}, row.shown), row.label ? el("small", {}, row.label) : null)
    const tr = el("tr", {}, th), cells = {}
    for (const head of shows.heads) {
      const n = head.kind === "choice" ? Object.keys(head.texts).length : 1
      const tds = Array.from({ length: n }, () => el("td", { class: [head.kind, head.wide && "wide", head.id].filter(Boolean).join(" ") }))
      tr.append(...tds)
      cells[head.id] = cell(tds, head, row, table, nth)
    }
    table.rows.set(row.name, { tr, cells, nth })
  })
  body.append(...[...table.rows.values()].map(row => row.tr))
  sorting(() => table.kept, heads, () => draw(table, true))
  const letters = Math.max(...shows.rows.map(row => row.shown.length + (row.label ? Math.min(row.label.length, 16) * 0.85 + 1 : 0)))
  const grid = el("table", { style: `--name: ${Math.min(Math.max(letters, 10), 36) * 0.6 + 1.4}em` }, el("caption", { class: "sr" }, shows.caption), el("thead", {}, heads), body)
  table.none = el("p", { class: "none", hidden: true }, "No column has such a name or label.")
  root.querySelector(".columns")?.remove()
  root.append(el("div", { class: `columns ${shows.heads.some(head => head.kind === "choice") ? "roles" : "facts"}` }, top, grid, table.none))
}

// Return what changes a cell to another value. What a row has none of is left empty, and made where it has it: a field
// that a choice brings or takes away leaves all others as they are, with the focus and what is being typed in them.
function cell(tds, head, row, table, nth) {
  let made = "", change = null
  return value => {
    const kind = value ? value.kind ?? head.kind : ""
    if (kind !== made) tds[0].querySelector("input[type=text]:focus")?.blur()  // hands on what was typed
    if (kind !== made) {
      made = kind
      for (const td of tds) { td.replaceChildren(); td.title = "" }
      change = kind ? KINDS[kind].make(tds.length > 1 ? tds : tds[0], head, row, table, nth) : null
    }
    change?.(value)
  }
}

// The rows with what was done and not heard yet on top.
function ahead(table) {
  const rows = table.shows.rows.map(row => ({ ...row, cells: { ...row.cells } }))
  const named = new Map(rows.map(row => [row.name, row]))
  for (const act of table.line.waiting) {
    const row = named.get(act.column)
    if (row?.cells[act.do]) row.cells[act.do] = { ...row.cells[act.do], value: act.value, hint: row.cells[act.do].hint === act.value ? "" : row.cells[act.do].hint }
  }
  return rows
}

function draw(table, asked = false) {
  const { shows, kept } = table
  const rows = ahead(table), wanted = (kept.find ?? "").trim().toLowerCase()
  let found = 0
  for (const row of rows) {
    const { tr, cells } = table.rows.get(row.name)
    for (const id in cells) cells[id](row.cells[id])
    tr.hidden = !!wanted && !`${row.whole}\n${row.label}`.toLowerCase().includes(wanted)
    tr.className = row.mark
    found += !tr.hidden
  }
  table.none.hidden = !!found
  order(table, rows, asked)
  const counts = shows.counts
  const parts = counts ? Object.entries(counts.words).map(([value, [one, many]]) => {
    const n = rows.filter(row => row.cells[counts.of].value === value).length
    return n ? `${number(n)} ${n === 1 ? one : many}` : ""
  }) : []
  const words = [...parts, wanted ? `${number(found)} found` : ""].filter(Boolean).join(" · ")
  if (table.counts.textContent !== words) table.counts.textContent = words
  table.offer.hidden = !shows.offer
  if (shows.offer) table.offer.textContent = `${shows.offer.text}: ${number(shows.offer.n)}`
}

// Rows move when a head asks for it, or while nobody is in one of them.
function order(table, rows, asked) {
  const { shows, root, body } = table
  const value = (row, by) => {
    if (by === "") return row.whole
    const head = shows.heads.find(each => by === each.id || by.startsWith(`${each.id} `)), cell = head && row.cells[head.id]
    if (!cell) return null
    if (head.kind === "choice") return cell.value === by.slice(head.id.length + 1) ? 0 : 1
    return KINDS[cell.kind ?? head.kind].of(cell, head)
  }
  table.places = arranged(table.kept, rows, value)
  const wanted = table.places.map(i => table.rows.get(rows[i].name).tr)
  if (wanted.some((tr, i) => body.children[i] !== tr) && (asked || !body.contains(root.getRootNode().activeElement))) body.append(...wanted)
}
