// The words of a figure in German: what the figures say is English, and here is each sentence that the pages in German need.

/** A sentence, {} for what changes, and its German, {1} for the first of that. @type {Record<string, string>} */
const SENTENCES = {
  // Buttons, sliders, titles
  "Start again": "Von vorn",
  Reset: "Von vorn",
  Remove: "Wegnehmen",
  "Other class": "Andere Sorte",
  "new points:": "neue Punkte:",
  turn: "drehen",
  "look down": "von oben",
  width: "Breite",
  "Turn to the widest": "Zum breitesten",
  "The machine's plane": "Die Ebene der Maschine",
  "Width over the angle": "Breite über dem Winkel",
  "Width of the band over the angle": "Breite des Streifens über dem Winkel",
  "The plank": "Das Brett",
  "f as a landscape": "Die Landschaft",
  "training points wrong": "gelernte Punkte falsch",
  "fresh points wrong": "frische Punkte falsch",
  "By mouse, finger and keyboard": "Mit Maus, Finger und Tastatur",
  point: "Punkt",
  place: "Ort",
  torque: "Drehmoment",
  sum: "Summe",
  // The hand and the keyboard
  "Drag a point.": "Zieh an einem Punkt.",
  "Click where there is none to add one.": "Klick dorthin, wo keiner ist, und es kommt einer dazu.",
  "arrow keys": "Pfeiltasten",
  "move the point that has the focus; with Shift, a fifth as far": "bewegen den Punkt, der ausgewählt ist; mit Umschalt ein Fünftel so weit",
  "Page Up, Page Down, Home, End": "Bild auf, Bild ab, Pos1, Ende",
  "go to another point": "wählen einen anderen Punkt aus",
  "Enter or A": "Eingabe oder A",
  "add a point beside it": "legt einen Punkt daneben",
  "T or Space": "T oder Leertaste",
  "give it the other class": "gibt ihm die andere Sorte",
  Delete: "Entf",
  "remove it": "nimmt ihn weg",
  "Drag any point.": "Zieh an irgendeinem Punkt.",
  "With the keyboard: Tab to the points, Page Up and Page Down to another one, and the arrow keys move it, with Shift a fifth as far.":
    "Mit der Tastatur: Tabulator zu den Punkten, Bild auf und Bild ab zu einem anderen, und die Pfeiltasten bewegen ihn, mit Umschalt ein Fünftel so weit.",
  "Delete removes it.": "Entf nimmt ihn weg.",
  "Drag the tip of the arrow round.": "Zieh die Pfeilspitze herum.",
  "With the keyboard: Tab to the tip, then the arrow keys turn it by a degree, with Shift by a fifth of one.":
    "Mit der Tastatur: Tabulator zur Spitze, dann drehen die Pfeiltasten um ein Grad, mit Umschalt um ein Fünftel.",
  // A line that one turns
  "Angle of the normal": "Winkel der Normalen",
  "The width of the band over the angle of the normal, at the angles that you have tried.":
    "Die Breite des Streifens über dem Winkel der Normalen, bei allen Winkeln, die du probiert hast.",
  "Your hand draws this curve, where it has been.": "Deine Hand zeichnet diese Kurve, wo sie war.",
  "Below zero no line with this normal has class +1 on the side of the arrow.":
    "Unter null trennt keine Gerade quer zu diesem Pfeil die Sorten so, dass er zur richtigen zeigt.",
  "{} degrees, the band is {} wide": "{1} Grad, der Streifen ist {2} breit",
  "{} degrees, {} on the wrong side": "{1} Grad, {2} auf der falschen Seite",
  "Normal at {}°:": "Pfeil bei {1}°:",
  "the band is": "Der Streifen ist",
  "wide and rests on the {} ringed points.": "breit und liegt an den {1} Punkten mit Ring an.",
  "no line with this normal has class +1 on the arrow's side.": "Keine Gerade quer zu diesem Pfeil trennt die Sorten so herum.",
  "This one has": "Diese hat",
  "on the wrong side.": "auf der falschen Seite.",
  "The solver's band is {} wide, proved to be within": "Der Streifen des Lösers ist {1} breit, bewiesen bis auf",
  "of the optimum of ½‖w‖², {}.": "vom Optimum von ½‖w‖², {1}.",
  "widest so far: {} at {}°": "am breitesten bisher: {1} bei {2}°",
  // Points and the band
  "{} points": "{1} Punkte",
  "{} points, {} of class +1; {} of them carry the boundary.": "{1} Punkte, {2} von Klasse +1; {3} davon tragen die Grenze.",
  "{} points, {} of class +1.": "{1} Punkte, {2} von Klasse +1.",
  "1 point": "1 Punkt",
  "no point": "kein Punkt",
  "Point {} of {}, class {}, at ({}, {}), {}": "Punkt {1} von {2}, Klasse {3}, bei ({4}; {5}), {6}",
  "Point {} of {}, class {}, at ({}, {}), {}.": "Punkt {1} von {2}, Klasse {3}, bei ({4}; {5}), {6}.",
  "not a support vector": "kein Stützvektor",
  "support vector with α = C": "Stützvektor mit α = C",
  "on the margin": "Stützvektor am Rand",
  "Point added, class {}, at {}.": "Punkt dazugelegt, Klasse {1}, bei {2}.",
  "Point removed, class {}.": "Punkt weggenommen, Klasse {1}.",
  "Point {} is now of class {}.": "Punkt {1} hat jetzt die Klasse {2}.",
  "Back at the start.": "Wieder am Anfang.",
  "The band is": "Der Streifen ist",
  "wide, held by {}, proved to be within": "breit, gehalten von {1}, bewiesen bis auf",
  "The band is {} wide; proved to be within": "Der Streifen ist {1} breit, bewiesen bis auf",
  "Point {} does not hold it: without that point it is the same.": "Punkt {1} hält ihn nicht: Ohne ihn ist er derselbe.",
  "Point {} holds it: without that point it is {} % wider and turned by {}° (grey).":
    "Punkt {1} hält ihn: Ohne ihn ist er um {2} % breiter und um {3}° gedreht (grau).",
  "less than 0.01": "weniger als 0.01",
  "Class +1 pushes with {}, class −1 with {}.": "Klasse +1 drückt mit {1}, Klasse −1 mit {2}.",
  "No line separates the classes: there is no hard margin.": "Keine Gerade trennt die Sorten.",
  "A machine needs points of both classes.": "Eine Maschine braucht Punkte beider Sorten.",
  "The band, turned until class +1 is above.": "Der Streifen, gedreht, bis Klasse +1 oben ist.",
  "Places are measured from the bridge, where the pushes of each class act together.":
    "Orte zählen von der Stelle an, an der die Kräfte jeder Klasse zusammen angreifen.",
  "point {} pushes from above with {} at {}": "Punkt {1} drückt von oben mit {2} bei {3}",
  "point {} pushes from below with {} at {}": "Punkt {1} drückt von unten mit {2} bei {3}",
  "No band, no forces.": "Kein Streifen, keine Kräfte.",
  // Machines
  "{} of {} points carry the boundary.": "{1} von {2} Punkten tragen die Grenze.",
  "Proved to be within": "Bewiesen bis auf",
  "of the optimum, {}.": "vom Optimum, {1}.",
  "Proved to be within {} of the optimum, {}.": "Bewiesen bis auf {1} vom Optimum, {2}.",
  "Not finished: the gap is": "Noch nicht fertig: Die Lücke ist",
  "Not finished: the gap is {}.": "Noch nicht fertig: Die Lücke ist {1}.",
  "Half the band is {} wide.": "Der halbe Streifen ist {1} breit.",
  "{} on its edge, {} with α = C; {}.": "{1} am Rand, {2} mit α = C; {3}.",
  "{} training errors": "{1} gelernte Punkte falsch",
  "1 training error": "1 gelernter Punkt falsch",
  "{} % of the training points and {} % of the fresh points are wrong.": "{1} % der gelernten und {2} % der frischen Punkte sind falsch.",
  "The decision function as hills and hollows; the shore, f = 0, is the boundary.": "Hügel und Gruben; das Ufer ist die Grenze.",
  "Turn the landscape, in degrees": "Die Landschaft drehen, in Grad",
  "f as a landscape, from {} to {}.": "Die Landschaft, von {1} bis {2}.",
  // The bowl
  "turn, in degrees": "drehen, in Grad",
  "look down, in degrees": "von oben, in Grad",
  "The same from above: the points and the circle": "Dasselbe von oben: die Punkte und der Kreis",
  "The cut lies above a circle about {} with radius {}.": "Der Schnitt liegt über einem Kreis um {1} mit Radius {2}.",
  "The plane passes below the bowl: no circle, everything is class +1.": "Die Ebene läuft unter der Schüssel durch: kein Kreis, alles ist orange.",
  "{} of {} points on the wrong side.": "{1} von {2} Punkten auf der falschen Seite.",
  "Your plane is proved to be within": "Deine Ebene ist bewiesen bis auf",
  "of the optimum, {} at C = {}.": "vom Optimum, {1} bei C = {2}.",
  "Height of the plane, arrow keys up and down.": "Höhe der Ebene, Pfeiltasten auf und ab.",
  "Tilt along t₁, arrow keys up and down.": "Neigung längs t₁, Pfeiltasten auf und ab.",
  "Tilt along t₂, arrow keys up and down.": "Neigung längs t₂, Pfeiltasten auf und ab.",
  "Rim of the circle.": "Rand des Kreises.",
  "Centre of the circle.": "Mitte des Kreises.",
};
const SPOKEN = ["aria-label", "aria-valuetext"];

/** What changes in a sentence, as patterns, the longest first; none reaches over the end of a sentence. @type {[RegExp, string][]} */
const PATTERNS = Object.entries(SENTENCES).filter(([english]) => english.includes("{}")).sort(([one], [other]) => other.length - one.length)
  .map(([english, words]) => [new RegExp(`^${english.split("{}").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("((?:(?!\\. ).)+?)")}$`), words]);

/**
 * A text in German; what is not known stays as it is.
 * @param {string} text
 * @returns {string}
 */
export function german(text) {
  const [, before, core, after] = /** @type {RegExpMatchArray} */ (text.match(/^(\s*)([^]*?)(\s*)$/));
  return core ? before + commas(sentence(core)) + after : text;
}

/** @param {string} core @returns {string} */
function sentence(core) {
  if (Object.hasOwn(SENTENCES, core)) return SENTENCES[core];
  const rest = core.match(/^A plank; (.+)\.$/);
  if (rest) return `Ein Brett; ${rest[1].split(", ").map(sentence).join(", ")}.`;
  for (const [pattern, words] of PATTERNS) {
    const found = core.match(pattern);
    if (found) return words.replace(/\{(\d)\}/g, (_, k) => sentence(found[Number(k)]));
  }
  for (const end of [/(?<=\.) /, /(?<=:) /]) {
    const parts = core.split(end);
    if (parts.length > 1) return parts.map(sentence).join(" ");
  }
  return core;
}

/** Numbers with a comma, places with a semicolon. @param {string} text */
function commas(text) {
  return text.replace(/\(([−\d.]+), ([−\d.]+)\)/g, "($1; $2)").replace(/(\d)\.(?=\d)/g, "$1,");
}

/**
 * Keep a figure German: what it says is put into German before it is seen.
 * @param {HTMLElement} root
 * @returns {() => void} ends it
 */
export function keepGerman(root) {
  /** @param {Node} node */
  const turn = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const words = german(node.nodeValue ?? "");
      if (words !== node.nodeValue) node.nodeValue = words;
      return;
    }
    if (!(node instanceof Element)) return;
    for (const name of SPOKEN) say(node, name);
    for (const child of node.childNodes) turn(child);
  };
  /** @param {Element} element @param {string} name */
  const say = (element, name) => {
    const english = element.getAttribute(name);
    const words = english && german(english);
    if (words && words !== english) element.setAttribute(name, words);
  };
  const watch = new MutationObserver((records) => {
    for (const { type, target, addedNodes, attributeName } of records) {
      if (type === "attributes") say(/** @type {Element} */ (target), String(attributeName));
      else if (type === "characterData") turn(target);
      else addedNodes.forEach(turn);
    }
    watch.takeRecords(); // those of our own
  });
  turn(root);
  watch.observe(root, { subtree: true, childList: true, characterData: true, attributeFilter: SPOKEN });
  return () => watch.disconnect();
}
