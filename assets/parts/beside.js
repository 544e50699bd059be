// A switch that asks why: the field that comes beside it takes the focus, once, unless its person has gone on meanwhile.
//
// Streamlit draws the field a moment after the switch; until then whatever is pressed or touched calls this off. The
// names are those that pages/review gives to both: review.out.… and review.why.….
const PATIENCE = 10000  // ms that a busy server may take to draw it
const OUT = "st-key-review-out-"
let due = null

function asked(e) {
  const row = e.target.closest?.(`[class*="${OUT}"]`), name = row && [...row.classList].find(each => each.startsWith(OUT))
  const field = name && `.${CSS.escape(name.replace(OUT, "st-key-review-why-"))} input`
  if (!field || document.querySelector(field)) return  // none, or it is switched off
  due = { field, until: performance.now() + PATIENCE }
  look()
}

for (const kind of ["pointerdown", "keydown", "wheel"]) addEventListener(kind, () => { due = null }, true)
addEventListener("click", asked, true)
addEventListener("keydown", e => { if (e.key === " ") asked(e) }, true)

function look() {
  if (!due || performance.now() > due.until) return
  const field = document.querySelector(due.field)
  if (!field) { requestAnimationFrame(look); return }
  due = null
  if (!field.value) field.focus()
}
