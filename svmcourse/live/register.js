// Every kind of live figure by the name that Python gives it. A figure is a function (root, state, home) in a file of its own.
import { centralFigure } from "./central.js";
import { cutFigure } from "./cut.js";
import { machineFigure } from "./figure.js";
import { galleryFigure } from "./gallery.js";
import { hardFigure } from "./hard.js";
import { pairsFigure } from "./pairs.js";
import { priceFigure } from "./price.js";
import { tubeFigure } from "./tube.js";
import { turnFigure } from "./turn.js";
import { unknownsFigure } from "./unknowns.js";
import { valleyFigure } from "./valley.js";
import { wallsFigure } from "./walls.js";

/** @type {Record<string, (root: HTMLElement, state: any, home?: import("./figure.js").Home) => Partial<import("./figure.js").Figure>>} */
export const FIGURES = {
  central: centralFigure,
  cut: cutFigure,
  gallery: galleryFigure,
  hard: hardFigure,
  machine: machineFigure,
  pairs: pairsFigure,
  price: priceFigure,
  tube: tubeFigure,
  turn: turnFigure,
  unknowns: unknownsFigure,
  valley: valleyFigure,
  walls: wallsFigure,
};
