// Where the reader is in the book: chapters read and tasks solved, kept in this browser alone, and the time that is left.
(() => {
  const KEY = "svmlib-progress";
  let memory = { read: [], solved: [] }; // where the browser keeps nothing, the page remembers until it is closed
  const known = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY));
      return Array.isArray(kept?.read) && Array.isArray(kept?.solved) ? kept : memory;
    } catch {
      return memory;
    }
  };
  const keep = (kind, name, on) => {
    const now = known();
    memory = { ...now, [kind]: [...new Set(on ? [...now[kind], name] : now[kind].filter((one) => one !== name))] };
    try {
      localStorage.setItem(KEY, JSON.stringify(memory));
    } catch { /* a browser that keeps nothing */ }
    show();
  };
  const made = (name, attributes, ...children) => {
    const element = Object.assign(document.createElement(name), attributes);
    element.append(...children);
    return element;
  };
  const nameOf = (address) => new URL(address, location.href).pathname.split("/").slice(-2).join("/").replace(/\.html$/, "");
  const page = nameOf(location.href);
  const article = document.querySelector(".bd-article");
  const map = document.querySelector(".course-map");
  const chapters = [...document.querySelectorAll(".course-map a, .bd-sidebar-primary .toctree-l1 > a")];

  // A chapter has been read when its last section has been in sight.
  const minutes = Number(document.querySelector("meta[name=minutes]")?.content);
  if (minutes && article) {
    let last = article.querySelector("section > section:last-of-type > h2");
    const left = made("p", { className: "left-to-read" });
    document.querySelector(".header-article-items__end")?.before(left);
    let waiting = false;
    const tell = () => {
      waiting = false;
      if (last && scrollY > innerHeight && last.getBoundingClientRect().top < innerHeight) {
        last = null;
        keep("read", page, true);
      }
      const { top, height } = article.getBoundingClientRect();
      const part = Math.max(0, Math.min(1, (innerHeight / 2 - top) / height));
      const rest = 5 * Math.ceil((minutes * (1 - part)) / 5);
      left.textContent = scrollY < 10 ? `about ${minutes} min` : rest > 5 ? `about ${rest} min left` : "nearly done";
    };
    addEventListener("scroll", () => {
      if (!waiting) requestAnimationFrame(tell);
      waiting = true;
    }, { passive: true });
    tell();
  }

  // A task is solved when its reader says so: it is solved in a notebook, which this page does not see.
  for (const box of document.querySelectorAll(".task-solved input")) {
    const name = `${page}#${box.closest("section").id}`;
    box.checked = known().solved.includes(name);
    box.addEventListener("change", () => keep("solved", name, box.checked));
  }

  // On the first page: how much it is, and a way to forget it.
  const told = made("p", { className: "course-progress" });
  map?.after(told);

  function show() {
    const { read, solved } = known();
    for (const link of chapters) {
      const on = read.includes(nameOf(link.href));
      link.classList.toggle("is-read", on);
      if (on) link.setAttribute("aria-description", "read");
      else link.removeAttribute("aria-description");
    }
    if (!map) return;
    told.hidden = !read.length && !solved.length;
    const forget = made("button", { type: "button", textContent: "Forget this" });
    forget.addEventListener("click", () => {
      memory = { read: [], solved: [] };
      try {
        localStorage.removeItem(KEY);
      } catch { /* a browser that keeps nothing */ }
      show();
    });
    const all = map.querySelectorAll("a").length;
    told.replaceChildren(`You have read ${read.length} of ${all} chapters and solved ${solved.length} task${solved.length === 1 ? "" : "s"}. Only this browser knows.`, forget);
  }
  show();
})();
