"""Where each piece of the five sources runs: source row -> cells of the notebooks that show it.

A cell is "chapter#id", or "E10#id" for one of the exercises of chapter 10, and test_inventory.py looks each of them up.
The value of a row is
  "01#a 02#b"                     cells that must exist and have run,
  ("01#a", "needle", ...)         a cell whose source or stored output contains each needle: a name called, a number,
                                  or, in a cell of text, the label of an equation; white space counts as one space,
  [("01#a", "needle"), "02#b"]    several of these.
"""
from pathlib import Path

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
CHAPTERS = {path.stem[:2]: path.stem for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))}
#: The exercises of a chapter: "E10" are those of chapter 10.
EXERCISES = {f"E{number}": f"exercises/{name}" for number, name in CHAPTERS.items()}

REPORT = {
    "§1, figure 1.1: narrow and wide band": [
        ("01#fig-two-bands", "draw.two_bands(", "narrow=75, wide=28"), ("01#explore-turn", "draw.turned(")],
    "(2.1)-(2.5): hyperplane, sign rule, canonical form": [
        ("01#sign-rule", "np.sign(f)"), ("01#tie", "decision_function", "predicted"),
        ("02#two-margins", "functional margin"), ("02#band-fresh-table", "in the band")],
    "lemma 2.1.1, (2.6): w is normal to the plane": [
        ("02#c0467fea", ":label: hard-normal"), ("02#distance-table", "orthogonal", "yes")],
    "(2.7)-(2.9), figures 2.1-2.3: distance, half band": [
        ("02#c0467fea", "(hard-distance)"), ("02#fig-distance", "draw.distance("),
        ("02#distance-table", "nearest of 100,000", "3.0008"), ("02#fig-trained", "draw.trained(")],
    "(2.10)-(2.12): from max 1/|w| to min w'w/2": [
        ("02#c4a8e121", "(hard-ratio)", "(hard-primal)", ":label: hard-equivalence"), ("02#primal-qp", "solve_qp("),
        ("02#three-forms", "0.1072"), ("02#unbounded", "1000"), ("02#never-slack", "feasible")],
    "(2.13)-(2.20): Lagrangian, stationarity, dual": [
        ("03#cff53939", "(dual-hard-lagrangian)", "(dual-w)", "(dual-dual)"), ("03#explore-price", "draw.parabola"),
        ("03#random-bounds", "problem.objective("), ("03#strong", "d*", "1.255923"), ("03#signs", "g, minus in Q"),
        ("03#quadratic", "3rd is 0", "yes")],
    "(2.21), (2.22): complementary slackness, sparsity": [
        ("03#slackness-table", "surplus", "product"), ("03#delete-table", "37 others"),
        ("03#three-points", "[2.0, 1.0]")],
    "(2.23), (2.28): bias": [
        ("03#bias", "y − w'x", "−0.02943"), ("09#bias", "fewest right of 40"),
        ("09#pseudo-code-b", "np.mean(v[free])"), ("09#multipliers", "b of the machine", "yes")],
    "(2.24)-(2.26): QP in standard form": [
        ("09#cfa0083f", "(qp-standard)"), ("09#answer", "(qp-dual)"), ("09#clouds", "np.outer(y, y) * K"),
        ("09#standard-form", "(40, 40, 2)")],
    "§2.4: Q is N x N": [
        "17#memory",
        ("09#memory", "28.8"), ("09#time-against-n", "perf_counter() - start"),
        ("09#steps-table", "dense", "two at a time"), ("10#count-calls", "history=True")],
    "(2.29): classifier": [("09#classify", "np.sign(fresh @ w + bias_of_line)"), ("09#classify-table", "2000")],
    "§3, figure 3.1, (3.1)-(3.3): slack": [
        ("04#c1f9951b", "(soft-primal)"), ("04#c1f9951c", "(soft-slack)"),
        ("04#three-points", "no x satisfies", "2.0"), ("04#fig-slacks", "draw.slacks("),
        ("04#slack-distance", "2.3118"),
        ("04#slack-bound", "np.maximum(0, 1 - yi * m.decision_function(Xi))", "16.71")],
    "(3.4): dual in a box": [
        ("04#ceb44c63", "(soft-lagrangian)", "(soft-dual)"),
        ("04#same-dual", "soft_primal(Xe, ye, C=1.0)", "11.976272"), ("04#hard-is-soft", "43.542"),
        ("11#same-dual-three", "\"qp\", \"active_set\", \"smo\"", "12.12028669")],
    "§4, figure 4.1: one outlier, hard against soft": [
        ("04#outlier-fit", "xs_linear(outlier=True)", "C=np.inf", "C=10"), "04#fig-outlier",
        ("04#outlier-numbers", "950.3", "1065.5", "19.7")],
    "§5.1, figures 5.1, 5.2: feature transform": [
        ("05#fig-integers", "integers_lifted"), ("05#explore-lift", "maps.paraboloid"), ("05#counts", "186,043,585")],
    "(5.5)-(5.7): (1 + x'z)^2 in six features": [
        ("05#ccfbf7db", "(kernel-six)"), ("05#identity", "np.allclose", "True")],
    "(5.8), (5.9): polynomial kernels, a and b": [
        "05#counts", ("06#negative-a-b", "Polynomial("), ("06#table-a-b", "−443.8"), ("06#which-a-b", "thm-a-b"),
        "06#explore-Q"],
    "(5.10), (5.11): Gaussian, Taylor series": [
        ("05#infinitely-many", "(kernel-taylor)"), ("05#fig-series", "gaussian_features"), ("06#no-minus", "-1.718")],
    "(5.12)-(5.16): kernel machine": [
        ("05#same-machine", "polynomial_features"), ("05#same-machine-shown", "True"),
        ("09#pseudo-code", "solvers.qp"), ("09#no-bound", "5263")],
    "§5.2.5: what makes a kernel valid": [("06#algebra", "is_psd"), ("08#sigmoid-psd", "−0.762", "−0.091")],
    "§6.1: pseudo-code of the hard margin": [
        ("09#machine-text", "entry by entry"), ("09#pseudo-code", "np.outer(y, y) * kernel(X)", "solvers.qp("),
        ("09#gram-loops", "for j in range(n)"), ("09#matrix-product", "np.outer(v, v) @ Kv"),
        ("09#wrong-matrices", "Rank(A) < p")],
    "§6.3: pseudo-code of the soft margin": [
        ("09#cfa0083f", "(qp-box)"), ("09#pseudo-code", "np.isfinite(C)", "solvers.qp("),
        ("09#lower-bound-table", "−9.663"), ("09#whole-machine-table", "other f"), ("04#same-dual", "C=1.0")],
    "§6.4, figure 6.3: two intruding points": [
        ("04#intruders", "NotSeparableError", "so there is no hard margin"), ("04#intruders-soft", "[40 41]"),
        ("04#cbcfa29b", "soft-threshold"), ("04#threshold-some", "[0.5, 0.0, 0.5, 0.0]", "1.0000")],
    "§6.5: pseudo-code with a kernel, alpha > 1e-10": [
        ("09#pseudo-code-b", "free.any()"), ("09#threshold", "40 of 40"), ("09#pseudo-code-check", "−0.061754")],
    "§6.6, figures 6.4, 6.5: KM40M2-NN, Q = 2..6": [
        ("06#explore-Q", "Polynomial"), ("06#table-Q-shown", "draws won")],
    "§6.7, figures 6.6, 6.7: Gaussian, which class is enclosed": [
        ("06#explore-gamma", "gamma="), ("06#table-gamma-shown", "pieces"), ("06#enclosed-shown", "−0.062", "+0.033"),
        ("06#enclosed-counted", "194")],
    "§5.2.5: valid kernels": ("06#algebra-fails-shown", "least eigenvalue"),
    "§6.2, figures 6.1, 6.2: hard margin, pseudo-inverse, α-LMS": [
        ("16#three-figure", "draw.lines("), ("16#margins-table", "mean half margin")],
    "§6.8, figures 6.8, 6.9: methods compared, times": [
        ("16#measured", "disagreement"), ("16#times", "13.7960", "printed")],
}

LAB_SHEET = {
    "figure 2.1: least squares against the largest margin": [
        ("01#least-squares", "lstsq", "smallest f"), ("01#explore-far", "draw.far_explorer("),
        ("01#far-table", "fewest of 70")],
    "(2.1): weights of length 1, max M": [
        ("02#c4a8e121", "(hard-unit)"), ("02#lab-form", "M.argmax()"), ("02#three-forms", "unit w", "0.1072"),
        ("02#unit-length", "0.5", "2")],
    "(OMH): Wolfe dual": [
        ("03#strong", "d*", "p*"), ("03#signs", "problem.objective("), ("09#clouds", "np.outer(y, y) * K")],
    "(2.2): f as a sum over the points": [
        ("03#two-forms", "w = Σ α y x", "[0.125, 0.125]"), ("03#bias", "s.alpha * y")],
    "(SVM): box, C = inf as the limit": [
        ("04#same-dual", "C=1.0"), ("04#hard-is-soft", "43.6", "yes"), ("11#same-dual-three", "C=1.0", "yes")],
    "§2.2: support vectors and margin defining vectors": [
        ("04#kkt-table", "s.free", "s.bounded"), ("E10#twenty", "12.650", "2.500")],
    "algorithm 2.1: OneStep": [
        ("10#segment", "max(0.0, gamma - C[j]), min(gamma, C[i])", "max(0.0, -gamma)"),
        ("10#best-value", "now + delta / eta"), ("10#step", "K[i, i] + K[j, j] - 2 * K[i, j]", "shift = -0.5 *"),
        ("10#exchanged", "return L if delta > 0 else H"), ("10#contradictory-numbers", "13.978"),
        ("10#negative-curvature", "0.24", "0.04"), ("10#stale-f", "-34810")],
    "task 2.1: implement OneStep": [
        ("10#cdabba7e", "(smo-gain)"), "10#step", ("10#trial", "one_step(i, j, alpha, y, K, f, 1.0, b)"),
        ("10#gain-check", "stored f", "yes")],
    "task 2.2: exponential classes": [
        "04#explore-C", ("04#exponentials", "rng.exponential(1 / 4, (20, 2))", "rng.exponential(1 / 0.5, (20, 2))"),
        ("04#bayes-rule", "(soft-bayes)"), ("04#bayes", "1.18825", "0.9152"),
        ("E10#solve-task-2-2", "rng.exponential(1 / 4, size=(20, 2))", "rng.exponential(1 / 0.5, size=(20, 2))"),
        ("E10#twenty", "exponential_bayes_rule()", "0.840", "0.915")],
    "task 2.3: random pairs, three C": [
        ("10#random-pairs", "rng.choice(len(y), 2, replace=False)"),
        ("E10#solve-final-bias", "np.mean((f - y)[free])"), ("E10#fit", "(0.01, 1, 100)", "10_000"),
        ("E10#twenty", "36.800", "8.750", "16.4", "70.8"), ("10#enough", "9.30", "8.75")],
    "task 2.4: accuracy on 2,000 points": [
        ("E10#twenty", "exponential_classes(1000 + seed, n=2000)", "LeastSquares()", "0.904", "0.905", "0.844")],
    "(2.3): KKT_i": [
        ("04#certificate", "(soft-kkt)", "(soft-gap)", ":label: soft-certificate-theorem"),
        ("04#gap-is-kkt", "np.sum((1 - alpha) * short + alpha * beyond)"),
        ("04#gap-table", "optimum", "0.0000", "43.0482"), ("04#kkt-table", "largest y f"),
        ("10#partner", "room * np.maximum(-r, 0.0) + alpha * np.maximum(r, 0.0)")],
    "task 2.5: KKT sweep": [
        "10#sweep", ("10#sweep-end", "most=10_000"), ("10#partner", "(alpha > 0) & (alpha < C)"),
        ("10#sweep-literal", "sweep(p.K, p.y, C, tol", "1e-6"), ("10#again", "accuracy"),
        ("10#calls-table", "KKT sweep"), "10#second-order"],
    "task 2.6: disc and annulus": [
        ("05#task-26", "disc_and_annulus"), ("05#c0d12bac", "(kernel-densities)"), ("05#best-line", "0.6366"),
        ("05#task-26-table", "with φ"), "05#fig-task-26 05#circle"],
    "task 2.7: SMO with a kernel": [
        ("10#kernelised", "random_pairs(p.K", "plain_smo(p"), ("10#kernelised-shown", "129.24"), "05#fig-task-27"],
    "(kernel trick), Mercer paragraph: infinitely many features": [
        ("05#no-finite-map", "thm-gauss-rank"), ("05#any-labels", "20 of 20")],
    "§2.4.1: one-vs-one, 45 machines, majority": [
        ("15#ccbba0ec", "(mnist-pairs)"), ("15#votes", "votes(f, 10)", "True")],
    "§2.4.2, figure 2.4: the images and the loader": [
        ("15#fig-digits", "draw.samples"), ("15#loader", "urlretrieve"), ("15#loader-works", "True"),
        ("15#loader-erratum", "0.99609375")],
    "algorithm 2.2: cross-validation": ("15#own-search", "grid_search", "* C=10, kernel__gamma=0.01"),
    "task 2.8 (a): 500 images, GridSearchCV": [("15#grid-search", "GridSearchCV", "0.876"), "15#explore-grid"],
    "task 2.8 (b): 2,000 images, confusion matrix": [
        ("15#train", "accuracy 0.9429"), ("15#fig-confusion", "confusion_matrix")],
    "task 2.8: is it valid, which pitfalls": [
        ("15#overlap", "not among them"), ("15#test-table", "2000"), ("15#search-summary", "exactly even"),
        ("15#c7ace5bf", "its own training size"), ("15#gamma-gain", "0.020"), ("15#stratified", "stratified"),
        ("15#cacd421f", "(mnist-lambda)"), ("15#same-lambda-shown", "Held-out")],
    "§2.5: prior knowledge": ("15#virtual-shown", "deskewed"),
    "§2.3.1: Mercer": [("08#mercer", "np.linalg.eigh"), ("08#mercer-table", "8.0·10⁻⁵")],
    "§2.3.2, algorithm 2.2: cross-validation": [
        ("13#algorithm", "np.array_split"), ("13#sheet-grid", "0.424"), ("13#folds", "stratified")],
    "§2.4.1: one-vs-one": [("14#two-schemes", "machines"), ("14#ties", "votes(")],
    "§2.5: epsilon-insensitive regression": ["18#waves 18#solvers-table 18#errors-table"],
    "§2.5: data without numbers": [("07#confusion", "confusion_matrix"), ("07#measure", "substrings")],
}

LECTURE_NOTES = {
    "(1), lemma 15.1, (2): separability, distance, margins": [
        ("02#c0d54093", "(hard-margins)"), ("02#distance-table", "|f(x)|"), ("02#two-margins", "geometric")],
    "remark 15.2, lemma 15.3, (3): equivalent forms": [
        ("02#remark-15-2", "functional", "0.5"), ("02#three-forms", "quadratic program"),
        ("02#c4a8e121", "(hard-gamma-max)")],
    "(4): homogeneous reduction": [
        ("02#c907767c", "(hard-homogeneous)"), ("02#homogeneous", "bias_cost"), ("02#homogeneous-angle", "22.6"),
        ("02#homogeneous-table", "identical of 60"), ("02#corner-table", "a corner")],
    "(5), (6): soft rule, hinge loss": [
        ("04#cd3b78b9", "(soft-lambda-form)", "(soft-lambda)"), ("04#lambda-form", "solve_qp(P, q, G, h)"),
        ("04#lambda-table", "0.9139", "1.1511"), "04#subgradient-steps",
        ("04#subgradient-costs", "lam * w @ w + np.maximum("),
        "04#subgradient-table 04#fig-losses 04#fig-pulls", ("04#pull-table", "logistic", "41")],
    "theorem 15.4: support vectors span w": [
        ("03#c0dd0a51", ":label: thm-span"), ("03#span-table", "outside(wh, on)")],
    "lemma 15.5: Fritz John": ("03#lemma-fails", "L is smallest at", "g(α)"),
    "exercise: theorem 15.4 from lemma 15.5": [
        ("03#lemma-right", "{prf:proof}"), ("03#span-table", "outside(wh, on)")],
    "example 16.1: integers": [("05#integers-machine", "6.500"), "05#fig-integers"],
    "§16.1: the four steps, the image distribution": [
        ("05#c7503e82", "mathcal{D}^\\phi"), "05#task-26 05#task-26-seeds"],
    "§16.1: the four steps": "05#task-26 05#task-26-seeds",
    "example 16.2, (7): psi_k": [
        ("05#powers", "np.arange(Q + 1)"), ("05#powers-shown", "12"), ("05#counts", "count_tensor"),
        ("05#counts-check", "64 features")],
    "(9): algorithms that need the kernel only": [
        ("05#oracle", "def oracle"), ("05#oracle-solved", "1600 questions"), "10#kernelised"],
    "corollary 16.11, (13): the primal in the coefficients": [
        ("08#dual-after", "(kernel-primal)"), ("08#primal-solved", "solve_qp"), ("08#primal-shown", "129.2423")],
    "polynomial kernel": [("05#cfb4c096", "thm-polynomial"), ("05#counts-check", "True")],
    "Gaussian kernel in one dimension": [("05#infinitely-many", "(kernel-taylor)"), "05#fig-series"],
    "Gaussian kernel in d dimensions": [("05#missing-factor", "without it"), ("06#spellings", "0.3679")],
    "definition 15.6, theorem 15.7": [("12#needed", "162"), ("12#bound-slider", "draw.bound_explorer")],
    "theorem 15.8": [
        ("12#soft-rule", "def soft_rule"), ("12#soft-measure", "hinge_bound("),
        ("12#soft-figure", "draw.hinge_bounds")],
    "remark: no dimension, |x| <= rho": [("12#instance-table", "2000"), ("12#sweep", "ds")],
    "definition 16.3, examples 16.4, 16.5: PSD, Gram": [
        ("08#psd", ":label: def-psd"), ("08#fruit-table", "smallest k(x, x)")],
    "definitions 16.6, 16.7, example 16.8: Hilbert spaces": [
        ("08#incomplete", "ramp"), ("08#semi", "distance of z from u")],
    "(10), theorem 16.9: representer theorem": ("08#orthogonal", "changed by"),
    "theorem 16.10, corollary 16.11, (11)-(13)": [
        ("08#primal", "solve_qp("), ("08#dual", "primal in the coefficients")],
    "strings, (14)-(16), example 16.12": [
        ("07#features", "combinations"), ("07#subsequence-table", "Subsequence()"), ("07#subsequence-check", "== 14")],
    "substrings, K_0, example 16.13": [("07#substring-table", "Substring()"), ("07#substring-check", "== 8")],
    "§16.4: cost of the table": [("07#algorithm", "subsequence_kernel"), ("07#cost", "4,294,967,296")],
    "§16.4: hybrids": [("07#gap", "fixed_length("), ("07#gap-check", "GapWeighted"), ("07#decay", "by_decay")],
    "theorem 16.14, (17), reproducing property": [("08#sections", "draw.sections("), ("08#reproducing", "0.025000")],
    "§16.5: infinite sets": ("08#mercer-figure", "draw.eigenfunctions("),
}

PROGRAMMING_SHEET = {
    "introduction: images as vectors": [("01#digits", "load_mnist()"), ("01#fig-digits", "machine.coef_[0]")],
    "(1): primal": [("02#c4a8e121", "(hard-primal)"), ("02#primal-qp", "solve_qp(")],
    "(2)-(4): convex QP, KKT system": [
        ("11#cf6cd7f1", "(as-qp)", "(as-kkt)", "(as-step)"), ("11#step", "np.block([[A, -N], [-N.T,"),
        ("11#first-step", "kkt_step("), ("11#null-space", "np.linalg.eigh(Z.T @ A @ Z)")],
    "active-set algorithm": [
        ("11#cd80f9d2", "13 t := min {1,", "19 end for"), ("11#longest", "ahead[W] = False"),
        ("11#method", "lam.argmin()"), ("11#literal", "for i in W if s[i] < 0"), ("11#line-13-table", "[1.0, 2.5]"),
        ("11#rank-deficient", "80"), ("11#ce5e9033", "as-theorem"), ("11#cfc47080", "as-theorem-flat")],
    "Aufgabe 1: activeSet": [
        ("11#nw-data", "minimize_qp("), ("11#aufgabe-1", "active_set(", "1.7"), "11#explore-plane"],
    "(5): dual as a minimisation": [
        ("03#signs", "negative_Q"), ("11#c8e88bfa", "(as-dual)"),
        ("11#aufgabe-2", "active_set(A, ones, E, I, zeros, start, W, tol)")],
    "Aufgabe 2: xs_linear": [
        ("02#xs-linear-fit", "xs_linear()"), ("02#fig-trained", "draw.trained("), ("11#aufgabe-2-table", "43.5424"),
        "11#explore-dual 11#fig-two-starts", ("11#complement-table", "8.7829"), ("11#bias", "2.3643")],
    "(6): kernel dual, prefactor": [
        ("06#prefactor", "factor"), ("06#prefactor-shown", "0.79", "0.798")],
    "Aufgabe 3: xs_kernel, three widths": [
        ("11#aufgabe-3", "DualProblem(kernel, Xk, yk, C=np.inf)"), ("11#aufgabe-3-table", "27", "σ = 0.125"),
        "06#fig-widths 06#table-widths 06#widths-draws"],
    "(7): soft margin": [
        ("11#soft", "np.hstack([np.eye(count), -np.eye(count)])"), ("11#soft-run", "47.6612"), "04#same-dual"],
    "Aufgabe 4: outliers": [
        ("11#ridge", "xs_kernel(outlier=outlier)"), "04#outlier-fit", ("04#outlier-numbers", "0.447"),
        ("06#kernel-outlier", "errors_of(sigma, 10, factor)", "30", "14"), "06#fig-kernel-outlier",
        ("06#wide-C", "10000")],
    "figures: linear and nonlinear separator": [("02#fig-trained", "draw.trained("), "06#fig-widths"],
    "Hilbert spaces": ("08#incomplete", "step"),
    "kernel SVM: w is no image": ("08#no-preimage", "24.97"),
}

SLIDES = {
    "4: sign with a tie": [("01#tie", "predict", "−1"), ("01#sign-rule", "np.sign(f)")],
    "5-9: margin 2s/|w|, s = 1": [
        ("01#buy", "contest("), ("01#buy-table", "exponentials", "widest band"), ("02#two-margins", "geometric"),
        ("02#c4a8e121", "(hard-width)")],
    "10: primal": [("02#c4a8e121", "(hard-primal)"), ("02#primal-qp", "solve_qp(")],
    "11-16: Lagrangian, dual function, duality": [
        ("03#cff53939", "(dual-lagrangian)", ":label: thm-weak-duality"),
        ("03#c9d12459", ":label: thm-strong-duality"), ("03#explore-price", "draw.parabola"),
        ("03#fig-bounds", "bounds_histogram("), ("03#explore-climb", "draw.climb(")],
    "17-20: recipe, Q, w and b": [
        ("03#signs", "that Q ≤ 0"), ("03#bias", "LIBSVM"), ("09#clouds", "np.outer(y, y) * K"),
        ("10#c575cffe", "LIBSVM")],
    "21-22: support vectors, sparse classifier": [
        ("03#slackness-table", "surplus"), ("03#delete-table", "37 others")],
    "24: one outlier": ["04#intruders", ("04#alpha-to-infinity", "s.objective / C", "3.39")],
    "25-28: slack, linear and squared penalty": [
        "04#fig-slacks 04#same-dual", ("04#c6bd22dc", "(soft-squared)"),
        ("04#ridge", "eps * np.eye(len(y))", "0.2383"), ("04#ridge-intruder", "1.0698")],
    "29: influence of C": [
        "04#explore-C 04#fig-counts", ("04#monotone", "two_clouds"), ("04#monotone-table", "12", "42")],
    "30-31: hinge loss": [
        "04#fig-losses", ("04#c824e8d6", "(soft-hinge)"), ("04#primal-or-dual-table", "subgradient, primal", "no")],
    "33: the cone": [("05#cone", "maps.cone", "0 errors"), "05#fig-cone"],
    "34-36: kernel trick, fruit": [("05#same-machine-shown", "True"), ("08#fruit-table", "11.18")],
    "37: linear against polynomial of degree 2": [("05#quarters", "Polynomial(Q=2)"), "05#fig-quarters"],
    "38-39: valid kernels, closure": [
        ("06#algebra", "k1 * k2"), ("06#algebra-fails-shown", "−130.4"), ("06#c12dd580", ":label: thm-closure"),
        ("08#summits-shown", "2.58632")],
    "40: Gaussian, polynomial, sigmoid": [
        ("08#sigmoid-psd", "−0.762", "−0.091"), ("08#sigmoid-shown", "stationary"), "06#fig-profiles"],
    "41: C = 1000, four widths": [("06#slider-answer", "0.425"), "06#explore-C-sigma"],
    "42: bias of the soft margin": [
        ("04#bias-proposals", "(yb - wx)[some]"), ("04#bounded-on-margin", "0.5 0.5"),
        ("04#b-interval", "np.where(y > 0, alpha < C, alpha > 0)"), ("04#no-free", "10")],
    "43: random search": [("15#random-search-shown", "grid"), ("13#search-compare", "random_search(")],
    "44: one-vs-one, weighted votes": [("15#weighted", "weighted_votes"), ("15#weighted-table", "0.8963")],
    "36: lemon, orange, apple": ("08#fruit-table", "13.66"),
    "44: one-vs-rest, weighted votes": [("14#rules-table", "0.9790"), ("14#counterexample", "weighted")],
    "45: summary": [("08#dual", "primal value"), ("16#stability-figure", "draw.spread(")],
}

SOURCES = {"report": REPORT, "lab sheet": LAB_SHEET, "lecture notes": LECTURE_NOTES,
           "programming sheet": PROGRAMMING_SHEET, "slides": SLIDES}
