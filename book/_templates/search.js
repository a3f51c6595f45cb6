// The search page: looks through window.SEARCH_SECTIONS (book/_ext/searching.py), titles before text before code.
const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/ß/g, "ss");
const SAME = { erratum: "errata", errata: "erratum", kapitel: "chapter", svms: "svm", fehler: "errata", trennlinie: "hyperplane",
  abstand: "margin", spielplatz: "playground" };
// Spelled one way on both sides of the ocean; what has a long name and a short one is written short in headings.
const short = (text) => text.replace(/is(ation|ing)/g, "iz$1").replace(/karush\W+kuhn\W+tucker/g, "kkt")
  .replace(/sequential minimal optimization/g, "smo");
const tokens = (text) => short(plain(text)).match(/[\p{L}\p{N}]+(?:\.\p{N}+)*/gu) ?? [];
const stem = (word) => (word.length > 4 && !/\d/.test(word) ? word.replace(/(?:ies|es|s|ing|ed)$/, "") : word);

function prepare(pages) {
  return Object.values(pages).flat().map((entry, place) => {
    const names = [entry.title, entry.alias, entry.german ?? "", entry.number].join(" ");
    const chapter = entry.kind === "page" && entry.number ? ` chapter ${entry.number}` : "";
    return { ...entry, place, inTitle: tokens(names + chapter), inPage: tokens(entry.page), inText: tokens(entry.text),
      inCode: tokens(entry.code), name: tokens(entry.title).join(" "),
      foreign: (entry.german ?? "").split(/,\s*/).map((name) => tokens(name).join(" ")),
      // A theorem is called by what stands in brackets after its number.
      called: entry.kind === "theorem" ? tokens(entry.title.match(/\((.*)\)$/)?.[1] ?? "").join(" ") : "" };
  });
}

// How often each word stands in the book; one in a title or a German term counts like a hundred.
let VOCABULARY = new Map();
function count(entries) {
  const found = new Map();
  for (const { inTitle, inText } of entries) for (const [list, worth] of [[inTitle, 100], [inText, 1]]) for (const word of list) found.set(word, (found.get(word) ?? 0) + worth);
  return found;
}

// How many letters differ, are missing, too many or in each other's place; anything above `most` is more.
function distance(one, other, most) {
  let [before, row] = [[], Array.from({ length: other.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[other.length];
}

// A word that stands nowhere is read as the nearest one that does: a letter off, or two in a long word.
function nearest(word) {
  if (word.length < 4 || /\d/.test(word) || SAME[word] || VOCABULARY.has(word)) return word;
  for (const other of VOCABULARY.keys()) if (other.startsWith(stem(word))) return word;
  const most = word.length > 6 ? 2 : 1;
  let [off, often, best] = [most + 1, 0, word];
  for (const [other, times] of VOCABULARY) {
    if (Math.abs(other.length - word.length) > most || other.length < 3) continue;
    const d = distance(word, other, most);
    if (d < off || (d === off && d <= most && times > often)) [off, often, best] = [d, times, other];
  }
  return best;
}

// Whether a word is another one with a German ending: Stützvektoren, Kerne.
const inflected = (word, other) => other.length > 3 && word.startsWith(other) && /^(?:e|en|n|s|es|er|ern)$/.test(word.slice(other.length));

// 1 for the word itself, less for a word that only begins so.
function fit(list, word) {
  let best = 0;
  let count = 0;
  for (const other of list) {
    if (other === word || stem(other) === stem(word)) { best = 1; count += 1; }
    else if (inflected(word, other)) { best = Math.max(best, 0.9); count += 0.9; }
    else if (word.length > 2 && !/\d/.test(word) && other.startsWith(stem(word))) { best = Math.max(best, 0.6); count += 0.6; }
  }
  return [best, count];
}

// Whether a term of the glossary is called so in German.
const foreign = (entry, phrase) => entry.foreign.some((name) => name === phrase || inflected(phrase, name));

// How many words of the query an entry has, and how well it fits.
function judge(entry, query, phrase) {
  let [words, score] = [0, 0];
  for (const word of query) {
    let best = 0;
    for (const [form, worth] of [[word, 1], ...(SAME[word] ? [[SAME[word], 0.9]] : [])]) {
      const [title] = fit(entry.inTitle, form);
      const [page] = fit(entry.inPage, form);
      const [, text] = fit(entry.inText, form);
      const [, code] = fit(entry.inCode, form);
      const rarity = title ? 4 / (2 + entry.inTitle.length) : 0;
      best = Math.max(best, worth * (title * (40 + 20 * rarity) + (page ? 6 : 0) + 8 * Math.log1p(text) + Math.min(2, Math.log1p(code))));
    }
    if (best > 0) words += 1;
    score += best;
  }
  if (entry.kind === "page" && entry.alias && (entry.alias === phrase || entry.alias === SAME[phrase])) score += 250;
  if (entry.called && entry.called === phrase) score += 280;
  else if (entry.name === phrase || entry.number === phrase || foreign(entry, phrase)) score += 120;
  else if (phrase.includes(" ") && entry.name.includes(phrase)) score += 50;
  else if (phrase.includes(" ") && plain(entry.text).includes(phrase)) score += 12;
  // A chapter explains what its exercises use.
  const exercise = entry.url.startsWith("notebooks/exercises/") && !query.some((word) => stem(word) === "exercise");
  // Who looks for a word wants to read about it first, not who wrote about it or what the function is called.
  const list = /^book\/(?:bibliography|reference|svmlib)\.html/.test(entry.url);
  return [words, score * { page: 1.35, theorem: 0.95, term: 1.05, section: 1 }[entry.kind] * (exercise ? 0.75 : list ? 0.5 : 1)];
}

const ENOUGH = 5;        // so many entries have a word less, if need be

function search(entries, text) {
  const query = tokens(tokens(text).map(nearest).join(" "));
  const phrase = query.join(" ");
  const judged = entries.map((entry) => [...judge(entry, query, phrase), entry]);
  const found = [];
  for (let words = query.length; words > 0 && found.length < ENOUGH; words -= 1) {
    const best = judged.filter(([has]) => has === words).sort(([, a, x], [, b, y]) => b - a || x.place - y.place);
    found.push(...best.map(([, score, entry]) => [words * 1e6 + score, entry]));
  }
  // A German term stands for its English one, too.
  const term = entries.find((entry) => entry.kind === "term" && foreign(entry, phrase));
  if (term) {
    const english = tokens(term.title);
    for (const entry of entries) {
      const [words, score] = judge(entry, english, english.join(" "));
      if (words === english.length && !found.some(([, other]) => other === entry)) found.push([query.length * 1e6 + 0.3 * score, entry]);
    }
  }
  return found.sort(([a, x], [b, y]) => b - a || x.place - y.place).map(([, entry]) => entry);
}

function snippet(entry, query) {
  const at = Math.max(0, ...query.map((word) => plain(entry.text).indexOf(stem(word))).filter((i) => i >= 0).slice(0, 1));
  const from = at < 60 ? 0 : entry.text.lastIndexOf(" ", at - 50) + 1;
  const to = entry.text.length - from < 190 ? entry.text.length : entry.text.lastIndexOf(" ", from + 180);
  return (from ? "… " : "") + entry.text.slice(from, to) + (to < entry.text.length ? " …" : "");
}

function show(text, list, status) {
  const typed = tokens(text);
  const query = typed.map(nearest);
  const meant = query.some((word, k) => word !== typed[k]) ? `, read as “${query.join(" ")}”` : "";
  const found = query.length ? search(ENTRIES, text) : [];
  const most = 40;
  status.textContent = query.length ? `${found.length || "No"} result${found.length === 1 ? "" : "s"} for “${text}”${meant}`
    + (found.length > most ? `; here are the first ${most}` : "") : "";
  list.replaceChildren(...found.slice(0, most).map((entry) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = document.documentElement.dataset.content_root + entry.url;
    const dot = entry.kind === "page" && entry.number ? "." : "";
    link.textContent = (entry.number ? `${entry.number}${dot} ` : "") + entry.title + (entry.german ? ` (${entry.german})` : "");
    const where = document.createElement("span");
    where.className = "search-where";
    where.textContent = entry.kind === "page" ? "" : entry.page;
    const words = document.createElement("p");
    const shown = snippet(entry, query);
    const marked = new RegExp(`(${query.map((word) => stem(word).replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("|")})`, "iu");
    for (const [i, part] of shown.split(marked).entries()) {
      words.append(i % 2 ? Object.assign(document.createElement("mark"), { textContent: part }) : part);
    }
    item.append(link, where, words);
    return item;
  }));
}

let ENTRIES = [];
document.addEventListener("DOMContentLoaded", () => {
  const list = document.getElementById("search-results");
  if (!list || !window.SEARCH_SECTIONS) return;
  ENTRIES = prepare(window.SEARCH_SECTIONS);
  VOCABULARY = count(ENTRIES);
  const field = document.querySelector(".search-page input[type=search]");
  const status = document.getElementById("search-status");
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  show(field.value, list, status);
  field.addEventListener("input", () => {
    show(field.value, list, status);
    history.replaceState(null, "", field.value ? `?q=${encodeURIComponent(field.value)}` : location.pathname);
  });
  if (!field.value) field.focus();
});
