// The room that live figures take on a page: states as a list of JSON from stdin, their elements as a list of HTML to stdout, for each
// state in a wide column and in a narrow one.
// The figures' own modules run here in a document that keeps elements and draws nothing; pictures are left empty, their size
// is a matter of style.  So the page keeps exactly the place that the figure will take, whatever its kind and the width.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const EMPTY = new Set(["input"]); // without an end tag
const PICTURES = new Set(["svg", "canvas"]);
const FRAGMENT = "#fragment";
const WIDTHS = [604, 340]; // of the column, as svmcourse.shared.pictures has them; only the figure itself is told
const KEPT = new Set(["class", "style", "type", "viewBox", "hidden", "rows"]); // what has a say in the size
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** What nobody here waits for: any property is a function that returns the same. */
const nothing = new Proxy(() => nothing, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => 0 : key === Symbol.iterator ? [][Symbol.iterator].bind([]) : nothing),
});
const image = (width = 1, height = 1) => ({ data: new Uint8ClampedArray(4 * width * height) });
const brush = new Proxy({}, {
  get: (_, key) => ({ createImageData: image, getImageData: (x, y, w, h) => image(w, h), measureText: () => ({ width: 0 }) })[key] ?? (() => nothing),
  set: () => true,
});

class Element {
  constructor(tag) {
    Object.assign(this, { tagName: tag, attributes: {}, childNodes: [], dataset: {}, parentNode: null, clientWidth: 0, clientHeight: 0 });
    this.style = { setProperty(name, value) { this[name] = value; } };
    const words = () => new Set((this.attributes.class ?? "").split(" ").filter(Boolean));
    const write = (set) => { this.attributes.class = [...set].join(" "); };
    this.classList = {
      add: (...names) => write(new Set([...words(), ...names])),
      remove: (...names) => write(new Set([...words()].filter((name) => !names.includes(name)))),
      contains: (name) => words().has(name),
      toggle: (name, on = !words().has(name)) => (on ? this.classList.add(name) : this.classList.remove(name)),
    };
  }

  get children() { return this.childNodes.filter((node) => node instanceof Element); }
  get firstChild() { return this.childNodes[0] ?? null; }
  get lastChild() { return this.childNodes.at(-1) ?? null; }
  get textContent() { return this.childNodes.map((node) => node.textContent ?? node).join(""); }
  set textContent(text) { this.replaceChildren(String(text)); }
  get className() { return this.attributes.class ?? ""; }
  set className(name) { this.attributes.class = name; }
  get hidden() { return "hidden" in this.attributes; }
  set hidden(on) { if (on) this.attributes.hidden = ""; else delete this.attributes.hidden; }
  get value() { return this.tagName === "output" ? this.textContent : this.attributes.value ?? ""; }
  set value(text) { if (this.tagName === "output") this.textContent = text; else this.setAttribute("value", text); }
  get id() { return this.attributes.id ?? ""; }
  set id(name) { this.attributes.id = name; }
  getAttribute(name) { return this.attributes[name] ?? null; }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  setAttributeNS(_, name, value) { this.setAttribute(name, value); }
  removeAttribute(name) { delete this.attributes[name]; }
  hasAttribute(name) { return name in this.attributes; }
  toggleAttribute(name, on = !this.hasAttribute(name)) { if (on) this.setAttribute(name, ""); else this.removeAttribute(name); }
  taken(nodes) {
    return nodes.flatMap((node) => (node?.tagName === FRAGMENT ? [...node.childNodes] : [node])).map((node) => {
      if (!(node instanceof Element)) return String(node);
      node.remove();
      node.parentNode = this;
      return node;
    });
  }
  append(...nodes) { this.childNodes.push(...this.taken(nodes)); }
  appendChild(node) { this.append(node); return node; }
  prepend(...nodes) { this.childNodes.unshift(...this.taken(nodes)); }
  replaceChildren(...nodes) {
    for (const child of this.children) child.parentNode = null;
    this.childNodes = [];
    this.append(...nodes);
  }
  beside(nodes, by) {
    const kept = this.parentNode.taken(nodes);
    this.parentNode.childNodes.splice(this.parentNode.childNodes.indexOf(this) + by, 0, ...kept);
  }
  before(...nodes) { this.beside(nodes, 0); }
  after(...nodes) { this.beside(nodes, 1); }
  insertBefore(node, next) { if (next) next.before(node); else this.append(node); return node; }
  replaceWith(...nodes) { this.before(...nodes); this.remove(); }
  remove() {
    const all = this.parentNode?.childNodes;
    if (all) all.splice(all.indexOf(this), 1);
    this.parentNode = null;
  }
  contains(other) {
    for (let node = other; node; node = node.parentNode) if (node === this) return true;
    return false;
  }
  all() { return this.children.flatMap((child) => [child, ...child.all()]); }
  matches(selector) { return selector.split(",").some((one) => one.trim() === this.tagName || this.classList.contains(one.trim().replace(/^\./, ""))); }
  querySelectorAll(selector) { return this.all().filter((child) => child.matches(selector)); }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }
  closest() { return null; }
  getBoundingClientRect() { return { left: 0, top: 0, width: 0, height: 0, right: 0, bottom: 0, x: 0, y: 0 }; }
  getBBox() { return this.getBoundingClientRect(); }
  getComputedTextLength() { return 0; }
  getContext() { return brush; }
  addEventListener() {}
  removeEventListener() {}
  focus() {}

  get outerHTML() {
    const tag = this.tagName;
    const style = Object.entries(this.style).filter(([, value]) => typeof value !== "function")
      .map(([name, value]) => `${name.startsWith("--") ? name : name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}:${value}`).join(";");
    const attributes = { ...this.attributes, ...(style ? { style } : {}) };
    const open = `<${tag}${Object.entries(attributes).filter(([name]) => KEPT.has(name)).map(([name, value]) => ` ${name}="${escaped(value)}"`).join("")}>`;
    if (EMPTY.has(tag)) return open;
    return `${open}${PICTURES.has(tag) ? "" : this.childNodes.map((node) => node.outerHTML ?? escaped(node)).join("")}</${tag}>`;
  }
}

class Watch {
  observe() {}
  unobserve() {}
  disconnect() {}
}

const body = new Element("body");
const root = new Element("html");
root.append(body);
Object.assign(globalThis, {
  Element, HTMLElement: Element, SVGElement: Element, Node: Element, ResizeObserver: Watch, MutationObserver: Watch, IntersectionObserver: Watch,
  document: {
    body, documentElement: root, head: new Element("head"), activeElement: null, addEventListener() {}, removeEventListener() {},
    createElement: (tag) => new Element(tag), createElementNS: (_, tag) => new Element(tag), createTextNode: String,
    createDocumentFragment: () => new Element(FRAGMENT),
  },
  location: { hash: "", href: "" }, getComputedStyle: () => ({ getPropertyValue: () => "" }), addEventListener() {}, removeEventListener() {},
  matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
  requestAnimationFrame: () => 0, cancelAnimationFrame() {}, devicePixelRatio: 1, setTimeout: () => 0, clearTimeout() {}, setInterval: () => 0, clearInterval() {},
});
globalThis.window = globalThis;

const { FIGURES } = await import(pathToFileURL(process.argv[2]).href);
for (const name of ["typed.js", "digits_page.js"]) await import(new URL(name, pathToFileURL(process.argv[2])).href);
const found = JSON.parse(readFileSync(0, "utf8")).map((state) => WIDTHS.map((width) => {
  const make = FIGURES[state.kind] ?? globalThis.svmlibApart[state.kind];
  if (!make) throw new RangeError(`no live figure is called ${state.kind}`);
  const element = new Element("div");
  element.clientWidth = width;
  body.append(element);
  make(element, state, { address: () => "", table: () => {} });
  return element.outerHTML;
}));
process.stdout.write(JSON.stringify(found));
