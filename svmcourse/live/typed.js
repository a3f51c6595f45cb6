// Entry of the script for kernels that a reader types, which book/_static/live.js loads where a figure has a field for them.
import { pythonKernel } from "./formula.js";
import { ownKernel } from "./own_kernel.js";
import { asTyped, faultOf, gramErrors, typedField, typedFormula, typedFunction } from "./typed_kernels.js";

export const TYPED = { asTyped, faultOf, gramErrors, ownKernel, pythonKernel, typedField, typedFormula, typedFunction };

/** @type {any} */ (globalThis).svmlibTyped = TYPED;
