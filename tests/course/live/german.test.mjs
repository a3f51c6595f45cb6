// What a figure says on a German page: known sentences, alone and joined, with what changes in them; the rest as it is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { german } from "../../../svmcourse/live/german.js";

const SAID = {
  "Start again": "Von vorn",
  " wide and rests on the 2 ringed points.": " breit und liegt an den 2 Punkten mit Ring an.",
  "Normal at 75.5°: ": "Pfeil bei 75,5°: ",
  "3 points on its edge, 1 with α = C; 1 training error.": "3 Punkte am Rand, 1 mit α = C; 1 gelernter Punkt falsch.",
  "75 degrees, 3 points on the wrong side": "75 Grad, 3 Punkte auf der falschen Seite",
  "A plank; point 2 pushes from below with 0.35 at −0.4, point 3 pushes from above with 1.26 at 0, point 4 pushes from below with 0.9 at 0.3.":
    "Ein Brett; Punkt 2 drückt von unten mit 0,35 bei −0,4, Punkt 3 drückt von oben mit 1,26 bei 0, Punkt 4 drückt von unten mit 0,9 bei 0,3.",
  "Point 3 of 40, class +1, at (0.2, −1.1), not a support vector. 3 of 40 points carry the boundary.":
    "Punkt 3 von 40, Klasse +1, bei (0,2; −1,1), kein Stützvektor. 3 von 40 Punkten tragen die Grenze.",
  " of the optimum of ½‖w‖², 44.2. Point 5 holds it: without that point it is 3.1 % wider and turned by 2° (grey).":
    " vom Optimum von ½‖w‖², 44,2. Punkt 5 hält ihn: Ohne ihn ist er um 3,1 % breiter und um 2° gedreht (grau).",
};

test("sentences are said in German", () => {
  for (const [english, words] of Object.entries(SAID)) assert.equal(german(english), words);
});

test("German stays as it is, and so does what nobody knows", () => {
  for (const words of [...Object.values(SAID), "", " ", "der Eindringling", "−2", "constructor"]) assert.equal(german(words), words);
});
