"use strict";
// The deck on a projector, and, after P, the presenter's view of it in a second window. The two tell each other where
// they are; nothing leaves the browser. Without this script all slides stand below one another, with whole figures.
// A figure of rows begins without one; each step shows the next.
const presenting = location.hash === "#presenter";
const slides = [...document.querySelectorAll("section")];
let at = 0, rows = 0, other = null;
document.documentElement.classList.add(presenting ? "presenter" : "deck");

function fitted(slide) {
  // Text that is too long for its slide is made smaller until it is whole.
  for (let size = 1; size > 0.4; size -= 0.05) {
    slide.style.setProperty("--fit", size);
    if (slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth) return;
  }
}
function cuts(slide) {
  const drawn = slide && slide.querySelector("[data-cuts]");
  return drawn ? drawn.dataset.cuts.split(" ").map(Number) : [1];
}
function reveal(slide, n) {
  const of = cuts(slide), cover = slide.querySelector(".cover");
  if (!cover) return;
  cover.style.display = n < of.length - 1 ? "block" : "none";
  cover.style.top = `${100 * of[n]}%`;
  cover.style.bottom = `${100 * (1 - of[of.length - 1])}%`;
}
function put(slide, place, n) {
  place.replaceChildren();
  if (!slide) return;
  const copy = slide.cloneNode(true);
  copy.classList.add("at");
  place.append(copy);
  fitted(copy);
  reveal(copy, n);
}
function show(to, shown = 0, tell = true) {
  at = Math.max(0, Math.min(slides.length - 1, to));
  rows = Math.max(0, Math.min(cuts(slides[at]).length - 1, shown));
  if (presenting) {
    put(slides[at], document.getElementById("now"), rows);
    if (rows < cuts(slides[at]).length - 1) put(slides[at], document.getElementById("next"), rows + 1);
    else put(slides[at + 1], document.getElementById("next"), 0);
    document.getElementById("notes").innerHTML = (slides[at].querySelector(".say") || { innerHTML: "" }).innerHTML;
    document.getElementById("where").textContent = `${at + 1} of ${slides.length}`;
  } else {
    slides.forEach((slide, i) => slide.classList.toggle("at", i === at));
    fitted(slides[at]);
    reveal(slides[at], rows);
  }
  if (tell && other && !other.closed) other.postMessage({ at, rows }, "*");
}
function forward() {
  if (rows < cuts(slides[at]).length - 1) show(at, rows + 1);
  else if (at < slides.length - 1) show(at + 1);
}
function back() {
  if (rows > 0) show(at, rows - 1);
  else if (at > 0) show(at - 1, Infinity);
}
addEventListener("message", (told) => {
  if (!told.data || !Number.isInteger(told.data.at) || !Number.isInteger(told.data.rows)) return;
  other = told.source;
  show(told.data.at, told.data.rows, told.data.hello === true);
});
addEventListener("keydown", (key) => {
  if (key.target.closest("button") && key.key === " ") return;
  if (["ArrowRight", "PageDown", " "].includes(key.key)) forward();
  else if (["ArrowLeft", "PageUp"].includes(key.key)) back();
  else if (key.key === "Home") show(0);
  else if (key.key === "End") show(slides.length - 1);
  else if (key.key.toLowerCase() === "p" && !presenting) other = open(location.pathname + "#presenter", "presenter", "width=1366,height=768");
  else return;
  key.preventDefault();
});
addEventListener("resize", () => show(at, rows, false));

if (presenting) {
  const plan = [...document.querySelectorAll("#plan tbody tr")];
  let spent = 0, since = null;
  const button = document.getElementById("pause");
  button.addEventListener("click", () => {
    if (since === null) since = Date.now();
    else { spent += Date.now() - since; since = null; }
    tick();
  });
  function tick() {
    const seconds = Math.floor((spent + (since === null ? 0 : Date.now() - since)) / 1000);
    document.getElementById("clock").textContent =
      `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    button.textContent = since === null ? (seconds ? "Go on" : "Start the clock") : "Pause";
    for (const row of plan) {
      const [from, to] = row.cells[0].textContent.split("–").map(Number);
      row.classList.toggle("now", since !== null && seconds >= 60 * from && seconds < 60 * to);
    }
  }
  setInterval(tick, 500);
  tick();
  if (opener) { other = opener; opener.postMessage({ at: 0, rows: 0, hello: true }, "*"); }
}
show(0, 0, false);
