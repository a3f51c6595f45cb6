// Figures whose sliders choose among pictures that the build has drawn (svmcourse.shared.explore).
// The address of a position: #fig-name?C=100&sigma=0.5
(() => {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  function start(figure) {
    const panel = figure.querySelector(".explore-panel");
    const data = JSON.parse(panel.querySelector("script").textContent);
    const controls = panel.querySelector(".explore-controls");
    const setting = panel.querySelector(".explore-setting");
    const text = panel.querySelector(".explore-text");
    const forms = [...panel.querySelectorAll("picture")];
    const permalink = figure.querySelector("figcaption a.headerlink");
    const inputs = data.sliders.map((s) => {
      const range = panel.querySelector(`#${CSS.escape(`${figure.id}-${s.name}`)}`);
      return range ? [range] : [...panel.querySelectorAll(`input[name="${CSS.escape(`${figure.id}-${s.name}`)}"]`)];
    });
    const at = data.sliders.map((s) => s.start);
    const button = (does) => panel.querySelector(`button[data-does="${does}"]`);
    const moving = data.sliders.findIndex((s) => s.name === data.process);
    let near = false;
    let playing = 0;
    let writing = 0;

    const point = (where) => where.reduce((sum, k, i) => sum * data.sliders[i].texts.length + k, 0);
    const frame = (where) => data.frameOf[point(where)];
    const alike = (a, b) => frame(a) === frame(b) && data.texts[point(a)] === data.texts[point(b)];
    const moved = (i, k) => at.map((v, j) => (i === j ? k : v));

    // A process ends where nothing changes any more: later positions are left out.
    function last() {
      let k = data.sliders[moving].texts.length - 1;
      while (k > 0 && alike(moved(moving, k), moved(moving, k - 1))) k -= 1;
      return k;
    }

    // The text may hold `code`.
    function write(line) {
      text.replaceChildren(...line.split(/(`[^`]+`)/).filter(Boolean).map((part) => {
        if (part[0] !== "`") return document.createTextNode(part);
        const code = document.createElement("code");
        code.textContent = part.slice(1, -1);
        return code;
      }));
    }

    const address = (name, dark) => `${data.base}/${name}${dark ? "#dark" : ""}`;

    // Fetch what the reader may want next, so that it is there at once.
    const fetched = new Map();
    function fetch(where) {
      const names = data.files[frame(where)];
      const narrow = names.length > 1 && matchMedia(panel.querySelector("source").media).matches;
      const url = address(names[narrow ? 1 : 0], false);
      if (!fetched.has(url)) {
        const image = new Image();
        image.src = url;
        fetched.set(url, image);
      }
    }
    function fetchNeighbours() {
      at.forEach((k, i) => [k + 1, k - 1].forEach((next) => {
        if (next >= 0 && next < data.sliders[i].texts.length) fetch(moved(i, next));
      }));
    }

    function show() {
      if (moving >= 0) {
        const end = last();
        at[moving] = Math.min(at[moving], end);
        if (inputs[moving].length === 1) inputs[moving][0].max = end;
        button("back").disabled = at[moving] === 0;
        button("step").disabled = at[moving] === end;
      }
      data.sliders.forEach((s, i) => {
        if (inputs[i].length > 1) {
          inputs[i].forEach((choice, k) => { choice.checked = k === at[i]; });
        } else {
          const [range] = inputs[i];
          range.value = at[i];
          range.setAttribute("aria-valuetext", s.texts[at[i]]);
          range.nextElementSibling.value = s.texts[at[i]];
        }
      });
      const names = data.files[frame(at)];
      const line = data.texts[point(at)];
      const words = data.sliders.map((s, i) => `${s.label} = ${s.texts[at[i]]}`).join(", ");
      forms.forEach((form) => {
        const dark = form.classList.contains("dark-form");
        const source = form.querySelector("source");
        const image = form.querySelector("img");
        if (source) source.srcset = address(names[1], dark);
        image.src = address(names[0], dark);
        image.alt = `${data.alt} At ${words}${line ? `: ${line}` : "."}`;
      });
      setting.textContent = words;
      if (text && text.dataset.line !== line) {
        text.dataset.line = line;
        write(line);
      }
      if (near) fetchNeighbours();
    }

    // The page's address follows, a moment later: browsers count how often it changes.
    function note() {
      clearTimeout(writing);
      writing = setTimeout(() => {
        const still = at.every((k, i) => k === data.sliders[i].start);
        const query = data.sliders.map((s, i) => `${encodeURIComponent(s.name)}=${encodeURIComponent(s.keys[at[i]])}`);
        const hash = `#${figure.id}${still ? "" : `?${query.join("&")}`}`;
        if (permalink) permalink.href = hash;
        try {
          history.replaceState(history.state, "", hash);
        } catch { /* some browsers refuse it for files */ }
      }, 250);
    }

    function go(i, k) {
      at[i] = Math.max(0, Math.min(k, data.sliders[i].texts.length - 1));
      show();
      note();
    }

    function pause() {
      clearInterval(playing);
      playing = 0;
      button("play").textContent = "Play";
      if (text) text.setAttribute("aria-live", "polite");
    }

    function play() {
      if (playing) return pause();
      if (at[moving] >= last()) go(moving, 0);
      button("play").textContent = "Pause";
      if (text) text.setAttribute("aria-live", "off"); // only where it stops
      playing = setInterval(() => {
        if (at[moving] < last()) go(moving, at[moving] + 1);
        if (at[moving] >= last()) pause();
      }, calm.matches ? 2000 : 900);
      return undefined;
    }

    inputs.forEach((group, i) => group.forEach((input) => input.addEventListener("input", () => {
      if (playing) pause();
      go(i, Number(input.value));
    })));
    button("reset").addEventListener("click", () => {
      if (playing) pause();
      data.sliders.forEach((s, i) => { at[i] = s.start; });
      show();
      note();
    });
    if (moving >= 0) {
      button("play").addEventListener("click", play);
      [["back", -1], ["step", 1]].forEach(([does, by]) => button(does).addEventListener("click", () => {
        if (playing) pause();
        go(moving, at[moving] + by);
      }));
    }

    controls.hidden = false;
    figure.classList.add("explore-live");
    show();

    // Neighbours are fetched when the figure comes near.
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      near = true;
      fetchNeighbours();
    }, { rootMargin: "400px" });
    watch.observe(figure);

    // Go to the position that an address names; values it does not name stay, unknown ones are passed over.
    return (query) => {
      const asked = new URLSearchParams(query);
      data.sliders.forEach((s, i) => {
        const value = asked.get(s.name);
        const k = value === null ? -1 : s.keys.findIndex((key) => key === value || Number(key) === Number(value));
        if (k >= 0) at[i] = k;
      });
      show();
    };
  }

  queueMicrotask(() => {
    const go = new Map();
    document.querySelectorAll("figure.explore").forEach((figure) => go.set(figure.id, start(figure)));

    function follow() {
      const [id, query] = location.hash.slice(1).split("?");
      if (query === undefined || !go.has(id)) return;
      go.get(id)(query);
      const scroll = () => document.getElementById(id).scrollIntoView();
      scroll();
      if (document.readyState !== "complete") addEventListener("load", scroll, { once: true });
    }
    follow();
    addEventListener("hashchange", follow);
  });
})();
