// Figures whose sliders choose among pictures computed when the book was built (svmlib.classroom.explore).
function startExplore(figure) {
  const { frames, frameOf, texts } = JSON.parse(figure.querySelector("script").textContent);
  const controls = figure.querySelector(".explore-controls");
  const sliders = [...controls.querySelectorAll("input")];
  const picture = figure.querySelector("img");
  const setting = figure.querySelector(".explore-setting");
  const text = figure.querySelector(".explore-text");
  const first = picture.src;
  const values = sliders.map((s) => JSON.parse(s.dataset.values));

  // The line of text may hold `code` and $mathematics$, as in Python's frames.prose.
  function write(line) {
    text.replaceChildren(...line.split(/(`[^`]+`|\$[^$]+\$)/).filter(Boolean).map((part) => {
      if (!/^[`$]/.test(part)) return document.createTextNode(part);
      const node = document.createElement(part[0] === "`" ? "code" : "span");
      node.textContent = part[0] === "`" ? part.slice(1, -1) : `\\(${part.slice(1, -1)}\\)`;
      return node;
    }));
    if (line.includes("$") && window.MathJax?.typesetPromise) window.MathJax.typesetPromise([text]);
  }

  // The longest line decides the height, so that the page below stays still while the text changes.
  function reserve() {
    const ghost = document.createElement("p");
    ghost.className = text.className;
    ghost.style.cssText = "visibility: hidden; min-height: 0";
    ghost.textContent = texts.reduce((a, b) => (b.length > a.length ? b : a)).replace(/[`$]/g, "");
    text.after(ghost);
    text.style.minHeight = `${ghost.offsetHeight}px`;
    ghost.remove();
  }

  function show() {
    let point = 0;
    sliders.forEach((slider, i) => {
      const value = values[i][slider.value];
      point = point * values[i].length + Number(slider.value);
      slider.setAttribute("aria-valuetext", value);
      slider.nextElementSibling.value = value;
    });
    const frame = frames[frameOf[point]];
    picture.src = frame === null ? first : `data:image/png;base64,${frame}`;
    setting.textContent = sliders
      .map((s) => `${s.getAttribute("aria-label")} = ${s.getAttribute("aria-valuetext")}`).join(", ");
    if (text) write(texts[point]);
  }

  sliders.forEach((slider) => {
    slider.value = slider.dataset.start;
    slider.addEventListener("input", show);
  });
  controls.hidden = false;
  if (text) {
    reserve();
    new ResizeObserver(reserve).observe(controls);
  }
  figure.classList.add("explore-live");
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("figure.explore").forEach(startExplore);
});
