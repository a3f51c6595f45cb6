// Entry of the script of the page in German: its kinds of figures alone, and their words.
import { cutFigure } from "./cut.js";
import { machineFigure } from "./figure.js";
import { galleryFigure } from "./gallery.js";
import { keepGerman } from "./german.js";
import { hardFigure } from "./hard.js";
import { open } from "./mounting.js";
import { priceFigure } from "./price.js";
import { turnFigure } from "./turn.js";

const kinds = {
  cut: cutFigure, gallery: galleryFigure, hard: hardFigure, machine: machineFigure, price: priceFigure, turn: turnFigure,
};
open(kinds, keepGerman);
