// Brings the script of the live figures to a page when one of them comes near; until then, its picture stands there.
(() => {
  const panels = [...document.querySelectorAll(".live-panel")];
  if (!panels.length) return;
  let script = null;

  // Whoever asks gets the figure of a panel, or waits for the script.
  function wake(panel) {
    if (!script) {
      script = document.createElement("script");
      script.src = panel.dataset.script;
      document.head.append(script);
    }
    if (window.svmlibLive) window.svmlibLive.mount(panel);
    else script.addEventListener("load", () => window.svmlibLive.mount(panel));
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
    const tasks = document.createElement("script");
    tasks.src = panel.dataset.script.replace("figures-", "challenges-");
    tasks.addEventListener("load", () => {
      const begin = () => window.svmlibChallenges.mount(challenges, window.svmlibLive.mount(panel),
        JSON.parse(panel.querySelector('script[type="application/json"]').textContent).sets);
      wake(panel);
      if (window.svmlibLive) begin();
      else script.addEventListener("load", begin);
    });
    document.head.append(tasks);
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
