// Predict boxes that take an answer: yours first, then the truth beside it. Kept in this browser alone; at the end of a
// chapter stands how often you were right.
(() => {
  const places = [...document.querySelectorAll(".prediction[data-answer]")];
  const figures = [...document.querySelectorAll(".live-panel[data-asks]")].map((panel) => panel.dataset.asks); // they ask by themselves
  if (!places.length && !figures.length) return;
  const KEY = `svmlib-predict:${location.pathname.split("/").pop()}`;
  let memory = {}; // where the browser keeps nothing, the page remembers until it is closed
  const read = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY));
      return kept && typeof kept === "object" ? kept : memory;
    } catch {
      return memory;
    }
  };
  const write = (answers) => {
    memory = answers;
    try {
      localStorage.setItem(KEY, JSON.stringify(answers));
    } catch { /* a browser that keeps nothing */ }
  };
  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const text = (value) => String(value).replace("-", "−");
  const withUnit = (value, { unit }) => (unit ? `${text(value)} ${unit}` : text(value));

  // Whether what has been said is right, and the sentence that says so.
  function judged(answer, said) {
    if (answer.choices) {
      const right = said === answer.choices[answer.right];
      return { right, words: right ? `You said: ${said}. Right.` : `You said: ${said}. It is: ${answer.choices[answer.right]}.` };
    }
    const off = Math.abs(Number(said) - answer.number);
    const right = off <= answer.within + 1e-9 * Math.abs(answer.number);
    const [yours, truth] = [withUnit(Number(said), answer), withUnit(answer.number, answer)];
    return { right, words: off === 0 ? `You said ${yours}. Exactly right.` : `You said ${yours}. It is ${truth}${right ? ": near enough." : "."}` };
  }

  const valid = (answer, said) => (answer.choices ? answer.choices.includes(said) : said !== "" && said !== undefined && Number.isFinite(Number(said)));

  const questions = places.map((place, k) => {
    const answer = JSON.parse(place.dataset.answer);
    const name = `predict-${answer.id}-${k}`;
    const inputs = answer.choices
      ? answer.choices.map((choice) => element("input", { type: "radio", name, value: choice, required: "", autocomplete: "off" }))
      : [element("input", { type: "number", step: "any", id: name, required: "", autocomplete: "off", inputmode: "decimal" })];
    const fields = answer.choices
      ? inputs.map((input, i) => element("label", {}, input, ` ${answer.choices[i]}`))
      : [element("label", { for: name }, "a number"), inputs[0], ...(answer.unit ? [element("span", {}, answer.unit)] : [])];
    const set = element("fieldset", {}, element("legend", {}, "Your answer"), ...fields);
    const commit = element("button", { type: "submit", class: "predict-button" }, "Commit");
    const result = element("p", { class: "predict-result", role: "status" });
    const form = element("form", { class: `predict-form ${answer.choices ? "predict-choices" : "predict-number"}` }, set, commit, result);
    const said = () => (answer.choices ? inputs.find((input) => input.checked)?.value : inputs[0].value);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const answers = { ...read() };
      if (answers[answer.id] === undefined && valid(answer, said())) answers[answer.id] = said();
      else delete answers[answer.id]; // ask again
      write(answers);
      show();
      if (answers[answer.id] === undefined) inputs[0].focus();
    });
    place.append(form);
    return { answer, show(given) {
      const known = valid(answer, given);
      set.disabled = known;
      commit.textContent = known ? "Ask me again" : "Commit";
      inputs.forEach((input) => {
        if (answer.choices) input.checked = known && input.value === given;
        else input.value = known ? given : "";
        if (answer.choices) input.parentElement.classList.toggle("predict-truth", known && input.value === answer.choices[answer.right]);
      });
      result.textContent = known ? judged(answer, given).words : "";
      form.classList.toggle("predict-right", known && judged(answer, given).right);
      return known ? [judged(answer, given).right] : [];
    } };
  });

  const count = element("p", { class: "predict-count" });
  (document.querySelector(".bd-article section#summary") ?? document.querySelector(".bd-article > section") ?? document.body).append(count);

  function show() {
    const answers = read();
    const marks = questions.flatMap((question) => question.show(answers[question.answer.id]));
    for (const id of figures) if (typeof answers[id]?.right === "boolean") marks.push(answers[id].right);
    const right = marks.filter(Boolean).length;
    const open = questions.length + figures.length - marks.length;
    count.textContent = marks.length
      ? `Your predictions in this chapter: you were right in ${right} of ${marks.length}${open ? `; ${open} more ${open === 1 ? "waits" : "wait"} for your answer` : ""}.`
      : "";
  }
  // For the figures that ask: what has been said, and a new answer, or none.
  window.svmlibPredictions = {
    read,
    note(id, answer) {
      write({ ...read(), [id]: answer });
      show();
    },
  };
  show();
  addEventListener("storage", (event) => { if (event.key === KEY) show(); });
})();
