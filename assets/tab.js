// Which tab this is, told as its line to the server opens: tabs that are loaded again at one moment get each its own
// review. The browser keeps the name only while the page is away, so that a tab that is duplicated has another. It runs
// before Streamlit's scripts (pages/server/frontend.py); the server's side is pages/server/returning.py.
const KEY = "disclosure.tab"
const tab = sessionStorage.getItem(KEY) ?? `tab-${[...crypto.getRandomValues(new Uint32Array(6))].map(n => n.toString(36).padStart(7, "0")).join("")}`
addEventListener("pageshow", () => sessionStorage.removeItem(KEY))
addEventListener("pagehide", () => sessionStorage.setItem(KEY, tab))
window.WebSocket = class extends WebSocket {
  constructor(url, protocols) { super(url, [protocols ?? [], tab].flat()) }
}
