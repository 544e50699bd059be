// Elements made of data: as text and attributes alone, never as HTML.
const NS = "http://www.w3.org/2000/svg"

function made(node, at, children) {
  for (const [name, value] of Object.entries(at)) if (value != null && value !== false) node.setAttribute(name, value === true ? "" : value)
  node.append(...children.filter(child => child != null && child !== false))
  return node
}

export const el = (tag, at = {}, ...children) => made(document.createElement(tag), at, children)
export const svg = (tag, at = {}, ...children) => made(document.createElementNS(NS, tag), at, children)

// Whether the page is dark: components are told its colours, not its name.
export function isDark(root) {
  const [r, g, b] = getComputedStyle(root).getPropertyValue("--st-background-color").match(/^#(..)(..)(..)/)?.slice(1).map(h => parseInt(h, 16)) ?? [255, 255, 255]
  return 0.299 * r + 0.587 * g + 0.114 * b < 128
}
