// Entry of the script for the canvas that reads digits, which book/_static/live.js loads where there is one; the build puts the
// machine before it.
import { digitsFigure } from "./digits.js";

const known = /** @type {any} */ (globalThis);
known.svmlibApart = { ...known.svmlibApart, digits: digitsFigure };
