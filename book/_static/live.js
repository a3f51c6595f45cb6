// Brings the script of the live figures to a page when one of them comes near; until then, its picture stands there.
(() => {
  const panels = [...document.querySelectorAll(".live-panel")];
  if (!panels.length) return;
  const scripts = new Map();

  // A script, once; its name in the place of the figures' own.
  function bring(panel, name = "figures") {
    const address = panel.dataset.script.replace(/figures(?=[^/]*$)/, name);
    if (!scripts.has(address)) {
      scripts.set(address, new Promise((done) => {
        const script = document.createElement("script");
        script.src = address;
        script.addEventListener("load", done);
        document.head.append(script);
      }));
    }
    return scripts.get(address);
  }

  // Whoever asks gets the figure of a panel, when its scripts are there.
  async function wake(panel) {
    const { apart } = panel.dataset;    // its kind, where that has a script of its own
    await Promise.all([bring(panel), ...("typed" in panel.dataset ? [bring(panel, "typed")] : []), ...(apart ? [bring(panel, apart)] : [])]);
    return window.svmlibLive.mount(panel);
  }

  const watch = new IntersectionObserver((entries) => entries.forEach(({ isIntersecting, target }) => {
    if (!isIntersecting) return;
    watch.unobserve(target);
    wake(target);
  }), { rootMargin: "700px" });
  panels.forEach((panel) => watch.observe(panel));

  // Challenges have a script of their own: when their figure is there, it makes tasks of their sentences.
  const challenges = document.querySelector(".live-challenges");
  if (challenges) {
    const [panel] = panels;
    Promise.all([wake(panel), bring(panel, "challenges")]).then(([figure]) => window.svmlibChallenges.mount(challenges, figure,
      JSON.parse(panel.querySelector('script[type="application/json"]').textContent).sets));
  }

  // An address such as #fig-pull?C=10 names a figure and its setting: to that figure, which is no anchor by this name.
  function follow() {
    const [id, query] = location.hash.slice(1).split("?");
    const panel = query === undefined ? null : document.getElementById(id)?.querySelector(".live-panel");
    if (!panel) return;
    wake(panel);
    panel.scrollIntoView();
  }
  follow();
  addEventListener("hashchange", follow);
})();
