// Newton steps over the free variables, 0 < alpha < C: where pair steps crawl, one linear system has the answer.
//
// The constant c is added to every entry of K. As sum(beta) is kept, that changes nothing but a common shift of F, and
// makes K_FF + c positive definite exactly where the KKT matrix [K_FF 1; 1' 0] is regular. The factor L L' = K_FF + c
// grows by a row for each free variable, and loses one when a variable meets its bound. (svmlib.engine.face.)

const SINGULAR = 4e-14; // a pivot below this multiple of the diagonal is rounding: the block would be singular
const REFINEMENTS = 4;

/**
 * @typedef {object} Dual The dual problem, and where it stands: minimise 1/2 beta'K beta - y'beta
 * @property {number} n
 * @property {Float64Array} K by rows (n * n)
 * @property {Float64Array} y of a classifier the labels, of any box problem what stands before beta
 * @property {Float64Array} F gradient K beta - y
 * @property {Float64Array} beta y alpha
 * @property {Float64Array} lo
 * @property {Float64Array} hi
 * @property {number} rounding by how much K is less accurate than its largest entry
 */

/**
 * Go to the minimum over the variables off their bounds, or lose some of them to a bound on the way.
 * @param {Dual} dual
 * @param {number} tol in units of F
 * @returns {number} steps taken
 */
export function newtonSteps(dual, tol) {
  const face = new Face(dual);
  for (let i = 0; i < dual.n; i += 1) if (dual.beta[i] > dual.lo[i] && dual.beta[i] < dual.hi[i]) face.enter(i);
  let before = Infinity;
  for (let refined = 0; refined < REFINEMENTS && face.k > 1;) {
    const width = face.width();
    if (width <= tol || width > 0.5 * before) break;
    if (face.step()) [refined, before] = [0, Infinity]; // a bound: another face
    else [refined, before] = [refined + 1, width]; // the minimum, but for rounding
  }
  return face.steps;
}

class Face {
  /** @param {Dual} dual */
  constructor(dual) {
    const { n, K } = dual;
    this.dual = dual;
    this.k = this.steps = this.c = 0;
    this.free = new Int32Array(n);
    for (let i = 0; i < n; i += 1) this.c += Math.abs(K[i * n + i]) / n;
    if (this.c === 0) this.c = 1;
    /** @type {Float64Array[]} */
    this.L = [];
    this.u = new Float64Array(n);
    this.v = new Float64Array(n);
  }

  /** Half the range of F over the face: 0 at its minimum. */
  width() {
    let [least, most] = [Infinity, -Infinity];
    for (let a = 0; a < this.k; a += 1) {
      const F = this.dual.F[this.free[a]];
      [least, most] = [Math.min(least, F), Math.max(most, F)];
    }
    return 0.5 * (most - least);
  }

  /**
   * Write row k of the factor for variable p; its squared pivot relative to the diagonal.
   *
   *     [ L  0 ] [ L' l ]     L l = K_Fp + c,    pivot^2 = K_pp + c - |l|^2
   *     [ l' * ] [ 0  * ]
   * @param {number} p
   */
  append(p) {
    const { L, k, c, free } = this;
    const { K, n } = this.dual;
    const row = (L[k] ??= new Float64Array(k + 2));
    const diagonal = K[p * n + p] + c;
    let square = diagonal;
    for (let a = 0; a < k; a += 1) {
      let s = K[p * n + free[a]] + c;
      const above = L[a];
      for (let e = 0; e < a; e += 1) s -= above[e] * row[e];
      row[a] = s / above[a];
      square -= row[a] * row[a];
    }
    row[k] = Math.sqrt(Math.max(square, 0));
    free[k] = p;
    return diagonal > 0 ? square / diagonal : 0;
  }

  /**
   * Remove row h of the factor; Givens rotations bring the rows below back to triangular form.
   * @param {number} h
   */
  drop(h) {
    const { L, free, k } = this;
    const gone = L[h];
    for (let a = h; a < k - 1; a += 1) [L[a], free[a]] = [L[a + 1], free[a + 1]];
    L[k - 1] = gone.length >= k + 1 ? gone : new Float64Array(k + 1);
    for (let a = h; a < k - 1; a += 1) {
      const length = Math.hypot(L[a][a], L[a][a + 1]);
      const [cosine, sine] = [L[a][a] / length, L[a][a + 1] / length];
      for (let e = a; e < k - 1; e += 1) {
        const [x, z] = [L[e][a], L[e][a + 1]];
        L[e][a] = cosine * x + sine * z;
        L[e][a + 1] = cosine * z - sine * x;
      }
    }
    this.k -= 1;
  }

  /**
   * Take i into the face. Where that makes the block singular, d = [-(K_FF + c)^-1 (K_Fi + c); 1] has K d = 0 (or
   * d'K d < 0, should K be indefinite) and sum(d) = 0: go downhill along it to the first bound, and lose what meets it.
   * @param {number} i
   */
  enter(i) {
    const { u, free } = this;
    while (this.append(i) <= SINGULAR * this.dual.rounding * (this.k + 1)) {
      const row = this.L[this.k];
      for (let a = 0; a < this.k; a += 1) u[a] = -row[a];
      this.backward(u);
      u[this.k] = 1;
      balance(u, this.k + 1);
      let slope = 0;
      for (let a = 0; a <= this.k; a += 1) slope += this.dual.F[free[a]] * u[a];
      if (slope > 0) for (let a = 0; a <= this.k; a += 1) u[a] = -u[a];
      const h = this.move(u, this.k + 1, Infinity);
      if (h < 0 || h === this.k) return;
      this.drop(h);
    }
    this.k += 1;
  }

  /** One Newton step, (K_FF + c) u = -F_F + lam 1 with 1'u = 0; whether a bound ended it. */
  step() {
    const { L, k, u, v, free } = this;
    let [vz, vv] = [0, 0];
    for (let a = 0; a < k; a += 1) { // z = -L^-1 F_F, v = L^-1 1, lam = -v'z / v'v
      let [z, one] = [-this.dual.F[free[a]], 1];
      const row = L[a];
      for (let e = 0; e < a; e += 1) [z, one] = [z - row[e] * u[e], one - row[e] * v[e]];
      [u[a], v[a]] = [z / row[a], one / row[a]];
      vz += v[a] * u[a];
      vv += v[a] * v[a];
    }
    for (let a = 0; a < k; a += 1) u[a] -= (vz / vv) * v[a];
    this.backward(u);
    balance(u, k);
    const h = this.move(u, k, 1);
    if (h >= 0) this.drop(h);
    return h >= 0;
  }

  /**
   * r := L'^-1 r in its first k entries.
   * @param {Float64Array} r
   */
  backward(r) {
    for (let a = this.k - 1; a >= 0; a -= 1) {
      const row = this.L[a];
      r[a] /= row[a];
      for (let e = 0; e < a; e += 1) r[e] -= row[e] * r[a];
    }
  }

  /**
   * Go along d, by `longest` or to the first bound; who stopped it, or -1.
   * @param {Float64Array} d
   * @param {number} size of d
   * @param {number} longest
   */
  move(d, size, longest) {
    const { n, K, F, beta, lo, hi } = this.dual;
    let [step, h] = [longest, -1];
    for (let a = 0; a < size; a += 1) {
      const i = this.free[a];
      const room = d[a] > 0 ? (hi[i] - beta[i]) / d[a] : d[a] < 0 ? (lo[i] - beta[i]) / d[a] : Infinity;
      if (room < step) [step, h] = [room, a];
    }
    if (!Number.isFinite(step)) return -1;
    for (let a = 0; a < size; a += 1) {
      const i = this.free[a];
      const by = step * d[a];
      beta[i] = Math.min(hi[i], Math.max(lo[i], beta[i] + by));
      for (let l = 0; l < n; l += 1) F[l] += by * K[i * n + l];
    }
    if (h >= 0) beta[this.free[h]] = d[h] > 0 ? hi[this.free[h]] : lo[this.free[h]];
    this.steps += 1;
    return h;
  }
}

/**
 * d := d - mean(d) in its first k entries: sum(d) is 0 by the equations, and now in floating point too.
 * @param {Float64Array} d
 * @param {number} k
 */
function balance(d, k) {
  let mean = 0;
  for (let a = 0; a < k; a += 1) mean += d[a] / k;
  for (let a = 0; a < k; a += 1) d[a] -= mean;
}

/**
 * Whether K (n * n) has an eigenvalue below -part max |K|: whether K + part max |K| I has no Cholesky factor.
 * @param {Float64Array} K
 * @param {number} n
 * @param {number} part
 */
export function indefinite(K, n, part = 1e-10) {
  const largest = K.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const L = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let s = K[i * n + j] + (i === j ? part * largest : 0);
      for (let e = 0; e < j; e += 1) s -= L[i * n + e] * L[j * n + e];
      if (i === j && !(s > 0)) return largest > 0;
      L[i * n + j] = i === j ? Math.sqrt(s) : s / L[j * n + j];
    }
  }
  return false;
}

/**
 * Pair steps that cost as much time as one Newton step over the free variables.
 * @param {Dual} dual
 */
export function burst({ n, beta, lo, hi }) {
  const k = beta.reduce((count, v, l) => count + (v > lo[l] && v < hi[l] ? 1 : 0), 0);
  return 6 + Math.ceil(k * (0.12 * k * k + 12 * k + n) / (200 + 1.2 * n));
}
