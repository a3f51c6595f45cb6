// Entry of the page's script, with every kind of figure.
import { open } from "./mounting.js";
import { FIGURES } from "./register.js";

open(FIGURES);
