// What the data make one ask, in one box: pages/data/answers.py has what it shows. What is answered is greyed until the
// server says what is asked now; the focus goes on to the next question.
import { acts } from "./acts.js"
import { el } from "./elements.js"

export default function (component) {
  const { data, parentElement: root } = component
  const shows = data.shows
  const line = acts(component, () => draw())
  draw()

  function draw() {
    const all = line.waiting.some(act => act.do === "mend all")
    const done = name => line.waiting.find(act => act.do === "answer" && act.name === name)
    const back = name => line.waiting.some(act => act.do === "back" && act.name === name)
    const signature = JSON.stringify([shows, line.waiting])
    const box = root.querySelector(".answers")
    if (box?.dataset.signature === signature) return
    const at = root.getRootNode().activeElement
    const focus = box?.contains(at) ? [...box.querySelectorAll("button")].indexOf(at) : -1
    const entry = each => {
      const given = done(each.name)
      const buttons = each.options.map(option => {
        const button = el("button", { type: "button", class: option.dashed ? "dashed" : null, "aria-pressed": String(given?.value === option.value) }, option.text)
        button.addEventListener("click", () => done(each.name) || line.act({ do: "answer", name: each.name, value: option.value }))
        return button
      })
      const rows = each.table.map(([figure, before, after]) => el("tr", {}, el("th", { scope: "row" }, figure), el("td", {}, before), el("td", {}, after)))
      const table = rows.length ? el("table", {}, el("thead", {}, el("tr", {}, ...["", "as it is, %", "mended, %"].map(text => el("th", { scope: "col" }, text)))), el("tbody", {}, ...rows)) : null
      return el("li", { class: given || (all && each.options.some(option => option.dashed)) ? "given" : null },
        el("div", { class: "words" }, el("b", {}, each.question), each.detail ? el("small", {}, each.detail) : null),
        el("div", { class: "options", role: "group", "aria-label": each.question }, ...buttons), table)
    }
    const taken = each => {
      const button = el("button", { type: "button", class: "back", "aria-label": `Take back: ${each.question}` }, "take back")
      button.addEventListener("click", () => back(each.name) || line.act({ do: "back", name: each.name }))
      return el("li", { class: [each.warns ? "warns" : "", back(each.name) ? "given" : ""].join(" ") },
        el("span", {}, each.warns ? "⚠ " : "✓ ", each.question, each.detail ? el("small", {}, each.detail) : null), button)
    }
    const mend = el("button", { type: "button", class: "dashed all", hidden: !shows.n_dashed }, `Mend all: ${shows.n_dashed}`)
    mend.addEventListener("click", () => all || line.act({ do: "mend all" }))
    const n = shows.entries.filter(each => !done(each.name)).length
    const made = el("div", { class: "answers", "data-signature": signature },
      el("div", { class: "asked", hidden: !shows.entries.length && !shows.notes.length },
        el("div", { class: "head" }, el("h2", {}, `${shows.title}: ${n}`), mend),
        el("ul", {}, ...shows.entries.map(entry), ...shows.notes.map(entry)),
        el("p", { class: "mut", hidden: !shows.n_dashed }, "Dashed: suggested, not applied. “Mend all” takes every dashed answer; each can be taken back.")),
      el("p", { class: "all", hidden: !!shows.entries.length }, "✓ Nothing is left to answer."),
      el("ul", { class: "decided", "aria-label": "What was answered" }, ...shows.decided.map(taken)))
    box?.remove()
    root.append(made)
    if (focus >= 0) {
      const buttons = [...made.querySelectorAll("button:not([hidden])")]
      buttons[Math.min(focus, buttons.length - 1)]?.focus({ preventScroll: true })
    }
  }
}
