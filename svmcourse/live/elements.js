// Elements of a page: how they are made and changed.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, string | number>} attributes
 * @param {Element | null} parent
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(name, attributes = {}, parent = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  parent?.append(element);
  return element;
}

/**
 * Set an attribute where that changes it: reading is cheap, and of three hundred points one has moved.
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
export function put(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function html(name, attributes = {}, children = []) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/**
 * A number for a font that has no raised digits: 6·10⁻¹⁴ with its exponent in <sup>.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function raised(text) {
  return text.split(/([⁻⁰¹²³⁴-⁹]+)/).filter(Boolean).map((part) => (/[⁻⁰¹²³⁴-⁹]/.test(part)
    ? html("sup", {}, [[...part].map((c) => (c === "⁻" ? "−" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c))).join("")]) : part));
}

/**
 * What stands in an element, to be spoken: digits in <sup> are raised ones again, since "10−14" would be read as a range.
 * @param {Node} element
 * @returns {string}
 */
export function spokenText(element) {
  if (element.nodeName === "SUP") return [...(element.textContent ?? "")].map((c) => (c === "−" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)])).join("");
  return element.childNodes.length ? [...element.childNodes].map(spokenText).join("") : element.textContent ?? "";
}
