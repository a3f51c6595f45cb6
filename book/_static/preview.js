// What a reference leads to is shown beside it, under the pointer or the keyboard's focus: equations, theorems,
// figures, entries of the bibliography, the glossary and the errata.  Escape closes it.  Other pages of the site are
// fetched when asked for; a page opened from a file shows what is on itself.
queueMicrotask(() => {
  const article = document.querySelector("article.bd-article");
  if (!article) return;
  const pages = new Map();
  const box = Object.assign(document.createElement("div"), { id: "preview", hidden: true });
  box.setAttribute("role", "tooltip");
  let link = null;   // whose preview is shown or on its way
  let coming = 0;    // timers
  let going = 0;

  async function page(url) {
    const here = url.pathname === location.pathname && url.host === location.host;
    if (here) return document;
    if (url.origin !== location.origin || !url.protocol.startsWith("http")) return null;
    if (!pages.has(url.pathname)) {
      pages.set(url.pathname, fetch(url.pathname)
        .then((answer) => (answer.ok ? answer.text() : ""))
        .then((text) => (text ? new DOMParser().parseFromString(text, "text/html") : null), () => null));
    }
    return pages.get(url.pathname);
  }

  // The part of a page that a link names, as far as it is one thing that can be read by itself.
  function parts(target) {
    const numbered = target.closest("div.math.display, figure, div.citation, .proof.admonition");
    if (numbered) return [numbered];
    if (target.matches("dt")) return [target, target.nextElementSibling];
    const section = target.closest("section");
    if (!section || (section !== target && !target.matches("span"))) return [];
    const inside = [...section.children].filter((child) => !child.matches("span, section"));
    return section.querySelector(":scope > h1") ? [] : inside.slice(0, 3);
  }

  function copy(part, base) {
    const made = document.importNode(part, true);
    made.querySelectorAll(".headerlink, script, details, .explore-controls, .explore-status, button").forEach((e) => e.remove());
    for (const e of [made, ...made.querySelectorAll("*")]) {
      for (const name of ["id", "tabindex", "aria-live"]) e.removeAttribute(name);
      if (e.getAttribute("role") === "listitem") e.removeAttribute("role");    // its list stays behind
      for (const name of ["href", "src", "srcset"]) {
        if (e.hasAttribute(name)) e.setAttribute(name, new URL(e.getAttribute(name), base).href);
      }
      if (e.tagName === "A") e.tabIndex = -1;
    }
    return made;
  }

  function seen(target) {
    const { top, bottom } = target.getBoundingClientRect();
    return bottom > top && top > 0 && bottom < innerHeight;
  }

  function place() {
    const words = link.getClientRects()[0];
    const frame = box.offsetParent.getBoundingClientRect();
    const left = Math.max(8, Math.min(words.left - 16, document.documentElement.clientWidth - box.offsetWidth - 8));
    const below = words.bottom + box.offsetHeight + 8 < innerHeight || words.top < box.offsetHeight + 60;
    const top = below ? link.getBoundingClientRect().bottom + 4 : words.top - box.offsetHeight - 4;
    box.style.translate = `${left - frame.left}px ${top - frame.top}px`;
  }

  async function show(asked) {
    const url = new URL(asked.href);
    const from = await page(url);
    const target = from?.getElementById(decodeURIComponent(url.hash.slice(1)));
    const found = target ? parts(target).filter(Boolean) : [];
    if (link !== asked || !found.length || (from === document && found.every(seen))) return;
    box.replaceChildren(...found.map((part) => copy(part, url)));
    if (!box.isConnected) article.append(box);
    box.hidden = false;
    asked.setAttribute("aria-describedby", "preview");
    place();
  }

  function hide() {
    clearTimeout(coming);
    clearTimeout(going);
    link?.removeAttribute("aria-describedby");
    link = null;
    box.hidden = true;
    box.replaceChildren();
  }

  const reference = (e) => e.target.closest?.("a.reference.internal[href*='#']:not(#preview a)");

  function ask(asked, wait) {
    clearTimeout(going);
    if (asked === link) return;
    hide();
    link = asked;
    coming = setTimeout(() => show(asked), wait);
  }

  article.addEventListener("pointerover", (e) => {
    if (e.pointerType !== "mouse") return;
    const asked = reference(e);
    if (asked) ask(asked, 250);
    else if (link && box.contains(e.target)) clearTimeout(going);
    else if (link && !link.matches(":focus-visible")) {
      clearTimeout(going);
      going = setTimeout(hide, 250);
    }
  });
  article.addEventListener("pointerleave", () => { if (link && !link.matches(":focus-visible")) hide(); });
  article.addEventListener("focusin", (e) => {
    const asked = reference(e);
    if (asked?.matches(":focus-visible")) ask(asked, 400);
  });
  article.addEventListener("focusout", () => { if (link && !box.matches(":hover")) hide(); });
  article.addEventListener("click", (e) => { if (reference(e)) hide(); });
  addEventListener("keydown", (e) => { if (e.key === "Escape" && link) hide(); });
});
