// What every table of ours can: heads that sort it, and a menu that copies the rows in sight or hands them out as a file.
//
// The lines of both come from the server, guarded as every table that leaves it (export/tables.py: to_lines); here they
// are put together, in the order and with the rows that are in sight.
import { el } from "./elements.js"

// Let the heads of a table sort it: those with data-sorts, by the mouse, or with the arrows and Enter from one of them,
// which are one stop of Tab. `order` of what `kept` returns is [head, whether down], or null as the server has them; then
// `again` is called.
export function sorting(kept, row, again) {
  const heads = [...row.children].filter(th => th.dataset.sorts !== undefined)
  heads.forEach((th, i) => {
    const sort = () => {
      const [by, down] = kept().order ?? [null, false], first = th.dataset.down !== undefined
      kept().order = by !== th.dataset.sorts ? [th.dataset.sorts, first] : down === first ? [by, !first] : null
      sorted(kept, row)
      again()
    }
    th.tabIndex = i ? -1 : 0
    th.classList.add("sorts")
    th.addEventListener("click", event => { if (!event.target.closest("button, input")) sort() })
    th.addEventListener("keydown", event => {
      if (event.target !== th) return
      const to = heads[i + ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? NaN)]
      if (event.key === "Enter" || event.key === " ") sort()
      else if (to) { th.tabIndex = -1; to.tabIndex = 0; to.focus() } else return
      event.preventDefault()
    })
  })
  sorted(kept, row)
}

function sorted(kept, row) {
  const [by, down] = kept().order ?? [null, false]
  for (const th of row.children) if (th.dataset.sorts !== undefined) th.setAttribute("aria-sort", th.dataset.sorts !== by ? "none" : down ? "descending" : "ascending")
}

// The places of rows in the order that a head asks for: `value(row, head)`; what has none comes last.
export function arranged(kept, rows, value) {
  const places = rows.map((_, i) => i), [by, down] = kept.order ?? [null, false]
  if (by === null) return places
  const of = rows.map(row => value(row, by)), none = x => x === null || x === undefined || x === "" || Number.isNaN(x)
  return places.sort((a, b) => {
    const [x, y] = [of[a], of[b]]
    if (none(x) || none(y)) return none(x) - none(y)
    const less = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true })
    return down ? -less : less
  })
}

export const figure = text => parseFloat(String(text ?? "").replaceAll(",", "").replace("\u2212", "-"))

// The menu: `taken` returns what leaves, { file, csv, tsv } with the heads first, and the places of the rows in sight.
export function menu(taken) {
  const said = el("span", { role: "status" }), button = (words, act) => {
    const made = el("button", { type: "button" }, words)
    made.addEventListener("click", () => act(...taken()))
    return made
  }
  const of = (lines, places) => [lines[0], ...places.map(i => lines[i + 1])]
  const rows = n => `${n.toLocaleString("en")} ${n === 1 ? "row" : "rows"}`
  const copy = button("Copy", async ({ tsv }, places) => {
    const done = await copied(`${of(tsv, places).join("\n")}\n`, box)
    said.textContent = done ? `Copied: ${rows(places.length)}, confidential.` : "This browser does not let the page copy: download the file."
  })
  const save = button("Download CSV", ({ file, csv }, places) => {
    const url = URL.createObjectURL(new Blob([`\ufeff${of(csv, places).join("\n")}\n`], { type: "text/csv" }))
    el("a", { href: url, download: file }).click()
    setTimeout(() => URL.revokeObjectURL(url), 60000)
    said.textContent = `${file}: ${rows(places.length)}.`
  })
  const opens = el("summary", { "aria-label": "Copy or download this table", title: "Copy or download this table" }, "⋯")
  const box = el("details", { class: "take" }, opens, el("div", {}, copy, save, said))
  const elsewhere = event => { if (!event.composedPath().includes(box)) box.open = false }
  const listens = () => document.addEventListener("pointerdown", elsewhere, true)
  opens.addEventListener("click", () => { if (!box.open) listens() }) // "toggle" comes later than a fast hand
  box.addEventListener("toggle", () => {
    if (box.open) listens()
    else { document.removeEventListener("pointerdown", elsewhere, true); said.textContent = "" }
  })
  box.addEventListener("keydown", event => { if (event.key === "Escape" && box.open) { box.open = false; opens.focus() } })
  box.addEventListener("focusout", event => { if (event.relatedTarget && !box.contains(event.relatedTarget)) box.open = false })
  return box
}

async function copied(text, place) {
  try { await navigator.clipboard.writeText(text); return true } catch { /* an address without https, or not allowed */ }
  const area = el("textarea", { "aria-hidden": "true", tabindex: "-1" }), held = place.getRootNode().activeElement
  area.value = text
  place.append(area)
  area.select()
  try { return document.execCommand("copy") } catch { return false } finally { area.remove(); held?.focus() }
}
