// Scripts run when the page has been read (bundling.py); microtasks, when all of them are there.
// The download button saves the notebook rather than showing its source in a new tab.
queueMicrotask(() => {
  document.querySelectorAll("a.btn-download-source-button").forEach((link) => {
    link.download = "";
    link.removeAttribute("target");
  });
  // A picture more than twice as wide as high holds panels side by side; phones show it larger than their screen.
  document.querySelectorAll(".bd-article .cell_output img, .bd-article figure img").forEach((picture) => {
    const judge = () => {
      if (picture.closest("picture") || picture.naturalWidth < 2 * picture.naturalHeight) return;  // those have a form for phones
      picture.classList.add("panels");
      picture.parentElement.classList.add("scroll-panels");
      watch(picture.parentElement);
    };
    if (picture.complete) judge();
    else picture.addEventListener("load", judge);
  });
  document.querySelectorAll(".bd-article :is(pre, .table-wrapper, .pst-scrollable-table-container, .table-scroll, .formula, .cell_output > .output)")
    .forEach(watch);
  // Where the browser cannot print a closed disclosure's text, what is printed is opened.
  if (!CSS.supports("selector(details::details-content)")) {
    addEventListener("beforeprint", () => {
      if (document.querySelector(".exercise-download")) return;   // a sheet of exercises keeps its hints
      document.querySelectorAll("details:not(.hide, .quiz-right, .quiz-wrong)").forEach((block) => { block.open = true; });
    });
  }
  // Commands that name this site have its address filled in.
  const here = new URL(document.documentElement.dataset.content_root || ".", location.href).href.replace(/\/$/, "");
  document.querySelectorAll("div.highlight pre").forEach((block) => {
    if (!block.textContent.includes("COURSE-ADDRESS")) return;
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) walker.currentNode.data = walker.currentNode.data.replace("COURSE-ADDRESS", here);
  });
  // The theme takes the focus from its button: who pressed it by a key wants to press it again.
  document.querySelectorAll(".theme-switch-button").forEach((button) => {
    button.addEventListener("click", (event) => { if (event.detail === 0) setTimeout(() => button.focus()); });
  });
  // A link into a folded block opens it.
  const open = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let block = target; block; block = block.parentElement) if (block.tagName === "DETAILS") block.open = true;
  };
  addEventListener("hashchange", open);
  open();
});

// Sections and pictures out of sight wait (page.css) until the page stands, and then come one by one: for the print of a
// page that nobody scrolled, for the other theme, and for a reader who goes offline.
const root = document.documentElement;
addEventListener("click", (event) => { if (event.target.closest?.("a[href*='#']")) root.classList.add("whole"); }, true);
const idle = window.requestIdleCallback ?? ((run) => setTimeout(run, 100));
const layOut = () => {
  const waiting = [...document.querySelectorAll(".bd-article section > section")];
  const next = () => {
    const section = waiting.shift();
    (section ?? document).querySelectorAll("img[loading=lazy]").forEach((picture) => { picture.loading = "eager"; });
    if (section) {
      section.style.contentVisibility = "visible";
      idle(next);
    } else {
      root.classList.add("whole");
    }
  };
  idle(next);
};
if (document.readyState === "complete") layOut();
else addEventListener("load", layOut);

// What is wider than its place scrolls: it fades where there is more, and only then can the keyboard reach it.
const names = { PRE: "Code", "table-wrapper": "Table", "pst-scrollable-table-container": "Table", "table-scroll": "Table", formula: "Formula", "scroll-panels": "Figure" };
const blocks = new WeakSet();
const sizes = new ResizeObserver((entries) => {
  const near = entries.flatMap(({ target }) => [target, target.parentElement, target.closest(".formula")]);
  new Set(near.filter((block) => blocks.has(block))).forEach(look);
});

function look(block) {
  const room = block.scrollWidth - block.clientWidth;
  const wide = room > 1;
  block.classList.toggle("scrolls", wide);
  block.classList.toggle("scrolls-on", wide && block.scrollLeft < room - 2);
  block.classList.toggle("scrolls-back", wide && block.scrollLeft > 2);
  if (wide && block.tabIndex !== 0) {  // the theme sets -1
    block.tabIndex = 0;
    block.setAttribute("role", "group");
    const kind = names[block.tagName] ?? [...block.classList].map((name) => names[name]).find(Boolean) ?? "Content";
    block.setAttribute("aria-label", `${kind}, scrolls sideways`);
  } else if (!wide && block.hasAttribute("tabindex")) {
    for (const name of ["tabindex", "role", "aria-label"]) block.removeAttribute(name);
  }
}

function watch(block) {
  block.addEventListener("scroll", () => look(block), { passive: true });
  blocks.add(block);
  sizes.observe(block);
  // What it holds may grow while it does not: pieces of a formula in another font, a table's letters, a picture.
  block.querySelectorAll(":scope > :not(span), .base").forEach((piece) => sizes.observe(piece));
}
