"""Where each piece of the five sources runs: source row -> cells of the notebooks that show it.

A cell is "chapter#id", and test_inventory.py looks each of them up.  The value of a row is
  "01#a 02#b"                     cells that must exist and have run,
  ("01#a", "needle", ...)         a cell whose source or stored output contains each needle: a name called, a number,
                                  or, in a cell of text, the label of an equation; white space counts as one space,
  [("01#a", "needle"), "02#b"]    several of these.
"""

CHAPTERS = {
    "01": "01_intuition", "02": "02_hard_margin", "03": "03_duality_and_kkt", "04": "04_quadratic_programming",
    "05": "05_active_set", "06": "06_soft_margin", "07": "07_smo", "08": "08_feature_maps_and_the_kernel_trick",
    "09": "09_gallery_of_kernels", "10": "10_kernels_for_strings", "11": "11_hilbert_spaces_and_mercer",
    "12": "12_why_margins_generalise", "13": "13_choosing_hyperparameters", "14": "14_more_than_two_classes",
    "15": "15_mnist", "16": "16_svms_and_their_neighbours",
    "17": "17_svms_at_scale", "18": "18_regression_novelty_probability",
}

REPORT = {
    "§1, figure 1.1: narrow and wide band": [
        ("01#fig-two-bands", "draw.two_bands(", "narrow=75, wide=28"), ("01#explore-turn", "draw.turn_explorer(")],
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
        ("03#random-bounds", "problem.objective("), ("03#strong", "d*", "1.255923"), ("03#signs", "g, ours"),
        ("03#quadratic", "3rd is 0", "yes")],
    "(2.21), (2.22): complementary slackness, sparsity": [
        ("03#slackness-table", "surplus", "product"), ("03#delete-table", "37 others"),
        ("03#three-points", "[2.0, 1.0]")],
    "(2.23), (2.28): bias": [
        ("03#bias", "y − w'x", "−0.02943"), ("04#bias", "fewest right of 40"),
        ("04#classify", "bias = y[k] - w @ X[k]"), ("04#multipliers", "of line 12", "yes")],
    "(2.24)-(2.26): QP in standard form": [
        ("04#cfa0083f", "(qp-standard)", "(qp-dual)"), ("04#standard-form", "np.outer(y, y) * K"),
        ("04#shapes", "(40, 40, 2)")],
    "§2.4: Q is N x N": [
        "17#memory",
        ("04#memory", "28.8"), ("04#time-against-n", "repeat(run"), ("04#steps-table", "smo", "qp"),
        ("07#count-calls", "history=True")],
    "(2.29): classifier": [("04#classify", "np.sign(fresh @ w + bias)"), ("04#classify-table", "2000")],
    "§3, figure 3.1, (3.1)-(3.3): slack": [
        ("06#c1f9951b", "(soft-primal)"), ("06#c1f9951c", "(soft-slack)"),
        ("06#three-points", "no x satisfies", "2.0"), ("06#fig-slacks", "draw.slacks("),
        ("06#slack-distance", "2.3118"),
        ("06#slack-bound", "np.maximum(0, 1 - yi * m.decision_function(Xi))", "16.71")],
    "(3.4): dual in a box": [
        ("06#ceb44c63", "(soft-lagrangian)", "(soft-dual)"),
        ("06#same-dual", "\"qp\", \"active_set\", \"smo\"", "11.97627240"), ("06#hard-is-soft", "43.542")],
    "§4, figure 4.1: one outlier, hard against soft": [
        ("06#outlier-fit", "xs_linear(outlier=True)", "C=np.inf", "C=10"), "06#fig-outlier",
        ("06#outlier-numbers", "950.3", "1065.5", "19.7")],
    "§5.1, figures 5.1, 5.2: feature transform": [
        ("08#fig-integers", "integers_lifted"), ("08#explore-lift", "maps.paraboloid"), ("08#counts", "186,043,585")],
    "(5.5)-(5.7): (1 + x'z)^2 in six features": [
        ("08#ccfbf7db", "(kernel-six)"), ("08#identity", "np.allclose", "True")],
    "(5.8), (5.9): polynomial kernels, a and b": [
        "08#counts", ("09#negative-a-b", "Polynomial("), ("09#table-a-b", "−443.8"), ("09#which-a-b", "thm-a-b"),
        "09#explore-Q"],
    "(5.10), (5.11): Gaussian, Taylor series": [
        ("08#infinitely-many", "(kernel-taylor)"), ("08#fig-series", "gaussian_features"), ("09#no-minus", "-1.718")],
    "(5.12)-(5.16): kernel machine": [
        ("08#same-machine", "polynomial_features"), ("08#same-machine-shown", "True"),
        ("09#pseudo-code", "solvers.qp"), ("09#no-bound", "5263")],
    "§5.2.5: what makes a kernel valid": [("09#algebra", "is_psd"), ("09#sigmoid-psd", "−0.762", "−0.091")],
    "§6.1: pseudo-code of the hard margin": [
        ("04#cfa0083f", "QPSolver"), ("04#pseudo-code", "solvers.qp(", "optimal"),
        ("04#gram-loops", "for j in range(n)"), ("04#matrix-product", "np.outer(y, y) @ K"),
        ("04#wrong-matrices", "Rank(A) < p")],
    "§6.3: pseudo-code of the soft margin": [
        ("04#cceae360", "printed in 6.3", "(qp-box)"), ("04#soft-pseudo-code", "solvers.qp("),
        ("04#lower-bound-table", "−9.663"), ("04#whole-machine-table", "other f"), ("06#same-dual", "C=1.0")],
    "§6.4, figure 6.3: two intruding points": [
        ("06#intruders", "NotSeparableError", "so there is no hard margin"), ("06#intruders-soft", "[40 41]"),
        ("06#cbcfa29b", "soft-threshold"), ("06#threshold-some", "[0.5, 0.0, 0.5, 0.0]", "1.0000")],
    "§6.5: pseudo-code with a kernel, alpha > 1e-10": [
        ("09#pseudo-code-b", "free.any()"), ("09#as-printed", "40 of 40"), ("09#pseudo-code-check", "−0.061754")],
    "§6.6, figures 6.4, 6.5: KM40M2-NN, Q = 2..6": [
        ("09#explore-Q", "Polynomial"), ("09#table-Q-shown", "draws won")],
    "§6.7, figures 6.6, 6.7: Gaussian, which class is enclosed": [
        ("09#explore-gamma", "gamma="), ("09#table-gamma-shown", "pieces"), ("09#enclosed-shown", "−0.062", "+0.033"),
        ("09#enclosed-counted", "194")],
    "§5.2.5: valid kernels": ("11#closure", "smallest eigenvalue"),
    "§6.2, figures 6.1, 6.2: hard margin, pseudo-inverse, α-LMS": [
        ("16#three-figure", "draw.lines("), ("16#margins-table", "mean half margin")],
    "§6.8, figures 6.8, 6.9: methods compared, times": [
        ("16#measured", "disagreement"), ("16#times", "13.7960", "report")],
}

LAB_SHEET = {
    "figure 2.1: least squares against the largest margin": [
        ("01#least-squares", "plain_lines("), ("01#plain-lines", "lstsq"), ("01#explore-far", "draw.far_explorer("),
        ("01#far-table", "fewest of 70")],
    "(2.1): weights of length 1, max M": [
        ("02#c4a8e121", "(hard-unit)"), ("02#lab-form", "M.argmax()"), ("02#three-forms", "unit w", "0.1072"),
        ("02#unit-length", "0.5", "2")],
    "(OMH): Wolfe dual": [
        ("03#strong", "d*", "p*"), ("03#signs", "problem.objective("), ("04#standard-form", "np.outer(y, y) * K")],
    "(2.2): f as a sum over the points": [("03#two-forms", "(2.2)", "[0.125, 0.125]"), ("03#bias", "s.alpha * y")],
    "(SVM): box, C = inf as the limit": [("06#same-dual", "C=1.0"), ("06#hard-is-soft", "43.6", "yes")],
    "§2.2: support vectors and margin defining vectors": [
        ("06#kkt-table", "s.free", "s.bounded"), "07#fig-task-23", ("07#table-seeds", "12.650", "2.500")],
    "algorithm 2.1: OneStep": [
        ("07#segment", "max(0.0, gamma - C), min(gamma, C)", "max(0.0, -gamma), min(C, C - gamma)"),
        ("07#best-value", "now + delta / eta"), ("07#step", "K[i, i] + K[j, j] - 2 * K[i, j]", "shift = -0.5 *"),
        ("07#as-printed", "return L if delta > 0 else H"), ("07#contradictory-numbers", "13.978"),
        ("07#negative-chi", "0.24", "0.04"), ("07#stale-f", "-34810")],
    "task 2.1: implement OneStep": [
        ("07#cdabba7e", "(smo-gain)"), "07#step", ("07#trial", "step(i, j, alpha, y, K, f, 1.0, b)"),
        ("07#gain-check", "stored f", "yes")],
    "task 2.2: exponential classes": [
        "06#explore-C", ("07#task-22", "rng.exponential(1 / 4, (20, 2))", "rng.exponential(1 / 0.5, (20, 2))"),
        ("07#bayes", "1.18825", "0.9152")],
    "task 2.3: random pairs, three C": [
        ("07#random-pairs", "rng.choice(len(y), 2, replace=False)", "np.mean((f - y)[free])"),
        ("07#task-23", "(0.01, 1, 100)", "10_000", "LeastSquares()"), ("07#task-23-b", "1.9398"), "07#fig-task-23",
        ("07#table-seeds", "36.800", "8.750"), ("07#angles", "16.4", "70.8"), ("07#enough", "9.30", "8.75")],
    "task 2.4: accuracy on 2,000 points": [
        ("07#twenty-seeds", "exponential_classes(1000 + seed, n=2000)"),
        ("07#table-seeds", "0.904", "0.905", "0.844"), ("07#wins", "least squares")],
    "(2.3): KKT_i": [
        ("03#cc4dbed2", "(dual-kkt-i)"), ("03#gap-table", "optimum", "0.0000", "8.1796"),
        ("06#c4083b21", "(soft-kkt)", "(soft-gap)"), ("06#kkt-table", "largest y f"),
        ("07#sweep", "alpha[i] * r if r > 0 else (alpha[i] - C) * r")],
    "task 2.5: KKT sweep": [
        ("07#sweep", "most=10_000"), ("07#partner", "(alpha > 0) & (alpha < C)"),
        ("07#sweep-literal", "sweep(p.K, p.y, C, 0.0", "1e-6"), ("07#again", "accuracy"),
        ("07#seconds", "perf_counter()"), ("07#calls-table", "KKT sweep"), "07#second-order"],
    "task 2.6: disc and annulus": [
        ("08#task-26", "disc_and_annulus"), ("08#c0d12bac", "(kernel-densities)"), ("08#best-line", "0.6366"),
        ("08#task-26-table", "with φ"), "08#fig-task-26 08#circle"],
    "task 2.7: SMO with a kernel": [
        ("08#kernelised", "one_step"), ("08#kernelised-shown", "129.24"), "08#fig-task-27"],
    "(kernel trick), Mercer paragraph: infinitely many features": [
        ("08#no-finite-map", "thm-gauss-rank"), ("08#any-labels", "20 of 20")],
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
    "§2.3.1: Mercer": [("11#mercer", "np.linalg.eigh"), ("11#mercer-table", "8.0·10⁻⁵")],
    "§2.3.2, algorithm 2.2: cross-validation": [
        ("13#algorithm", "np.array_split"), ("13#sheet-grid", "0.424"), ("13#folds", "stratified")],
    "§2.4.1: one-vs-one": [("14#two-schemes", "machines"), ("14#ties", "votes(")],
    "§2.5: epsilon-insensitive regression": ["18#waves 18#solvers-table 18#errors-table"],
    "§2.5: data without numbers": [("10#confusion", "confusion_matrix"), ("10#measure", "substrings")],
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
        ("06#cd3b78b9", "(soft-lambda-form)", "(soft-lambda)"), ("06#lambda-form", "solve_qp(P, q, G, h)"),
        ("06#lambda-table", "0.9139", "1.1511"), ("06#subgradient-steps", "lam * w @ w + hinge_loss"),
        "06#subgradient-table 06#fig-losses"],
    "theorem 15.4: support vectors span w": [
        ("03#c0dd0a51", ":label: thm-span"), ("03#span-table", "outside(wh, on)")],
    "lemma 15.5: Fritz John": ("03#lemma-fails", "L is smallest at", "g(α)"),
    "exercise: theorem 15.4 from lemma 15.5": [
        ("03#lemma-right", "{prf:proof}"), ("03#span-table", "outside(wh, on)")],
    "example 16.1: integers": [("08#integers-machine", "6.500"), "08#fig-integers"],
    "§16.1: the four steps, the image distribution": [
        ("08#c7503e82", "mathcal{D}^\\phi"), "08#task-26 08#task-26-seeds"],
    "§16.1: the four steps": "08#task-26 08#task-26-seeds",
    "example 16.2, (7): psi_k": [
        ("08#powers", "np.arange(Q + 1)"), ("08#powers-shown", "12"), ("08#counts", "count_tensor"),
        ("08#counts-check", "64 features")],
    "(9): algorithms that need the kernel only": [
        ("08#oracle", "def oracle"), ("08#oracle-solved", "1600 questions"), "08#kernelised"],
    "corollary 16.11, (13): the primal in the coefficients": [
        ("08#primal-text", "(kernel-primal)"), ("08#primal-solved", "solve_qp"), ("08#primal-shown", "129.2423")],
    "polynomial kernel": [("08#cfb4c096", "thm-polynomial"), ("08#counts-check", "True")],
    "Gaussian kernel in one dimension": [("08#infinitely-many", "(kernel-taylor)"), "08#fig-series"],
    "Gaussian kernel in d dimensions": [("08#missing-factor", "as printed"), ("09#spellings", "0.3679")],
    "definition 15.6, theorem 15.7": [("12#needed", "162"), ("12#bound-slider", "draw.bound_explorer")],
    "theorem 15.8": [
        ("12#soft-rule", "def soft_rule"), ("12#soft-measure", "hinge_bound("),
        ("12#soft-figure", "draw.hinge_bounds")],
    "remark: no dimension, |x| <= rho": [("12#instance-table", "2000"), ("12#sweep", "ds")],
    "definition 16.3, examples 16.4, 16.5: PSD, Gram": ("11#closure", "smallest eigenvalue"),
    "definitions 16.6, 16.7, example 16.8: Hilbert spaces": [
        ("11#incomplete", "ramp"), ("11#semi", "distance of z from u")],
    "(10), theorem 16.9: representer theorem": ("11#orthogonal", "changed by"),
    "theorem 16.10, corollary 16.11, (11)-(13)": [
        ("11#primal", "solve_qp("), ("11#dual", "primal in the coefficients")],
    "strings, (14)-(16), example 16.12": [
        ("10#features", "combinations"), ("10#subsequence-table", "Subsequence()"), ("10#subsequence-check", "== 14")],
    "substrings, K_0, example 16.13": [("10#substring-table", "Substring()"), ("10#substring-check", "== 8")],
    "§16.4: cost of the table": [("10#algorithm", "subsequence_kernel"), ("10#cost", "4294967296")],
    "§16.4: hybrids": [("10#gap", "GapWeighted"), ("10#decay", "by_decay")],
    "theorem 16.14, (17), reproducing property": [("11#sections", "draw.sections("), ("11#reproducing", "0.584360")],
    "§16.5: infinite sets": ("11#mercer-figure", "draw.eigenfunctions("),
}

PROGRAMMING_SHEET = {
    "introduction: images as vectors": [("01#digits", "load_mnist()"), ("01#fig-digits", "machine.coef_[0]")],
    "(1): primal": [("02#c4a8e121", "(hard-primal)"), ("02#primal-qp", "solve_qp(")],
    "(2)-(4): convex QP, KKT system": [
        ("05#cf6cd7f1", "(as-qp)", "(as-kkt)", "(as-step)"), ("05#step", "np.block([[A, -N], [-N.T,"),
        ("05#first-step", "kkt_step("), ("05#null-space", "np.linalg.eigh(Z.T @ A @ Z)")],
    "active-set algorithm": [
        ("05#cd80f9d2", "13 t := min {1,", "19 end for"), ("05#longest", "ahead[W] = False"),
        ("05#method", "lam.argmin()"), ("05#literal", "for i in W if s[i] < 0"), ("05#line-13-table", "[1.0, 2.5]"),
        ("05#rank-deficient", "80"), ("05#ce5e9033", "as-theorem"), ("05#cfc47080", "as-theorem-flat")],
    "Aufgabe 1: activeSet": [("05#aufgabe-1", "active_set(", "minimize_qp(", "1.7"), "05#explore-plane"],
    "(5): dual as a minimisation": [
        ("03#signs", "slides_Q"), ("05#c8e88bfa", "(as-dual)"),
        ("05#aufgabe-2", "active_set(A, ones, E, I, zeros, start, W, step, tol)")],
    "Aufgabe 2: xs_linear": [
        ("02#xs-linear-fit", "xs_linear()"), ("02#fig-trained", "draw.trained("), ("05#aufgabe-2-table", "43.5424"),
        "05#explore-dual 05#fig-two-starts", ("05#complement-table", "8.7829"), ("05#bias", "2.3643")],
    "(6): kernel dual, prefactor": [
        ("09#prefactor", "factor"), ("09#prefactor-shown", "0.79"), ("09#no-preimage", "0.798")],
    "Aufgabe 3: xs_kernel, three widths": [
        ("05#aufgabe-3", "DualProblem(kernel, Xk, yk, C=np.inf)"), ("05#aufgabe-3-table", "27", "σ = 0.125"),
        "05#fig-aufgabe-3 09#fig-widths 09#table-widths 09#widths-draws-shown"],
    "(7): soft margin": [
        ("05#soft", "np.hstack([np.eye(count), -np.eye(count)])"), ("05#soft-run", "47.6612"), "06#same-dual"],
    "Aufgabe 4: outliers": [
        ("05#ridge", "xs_kernel(outlier=outlier)"), "06#outlier-fit", ("06#outlier-numbers", "0.447"),
        ("06#kernel-outlier", "errors_of(sigma, 10, prefactor)", "30", "14"), "06#fig-kernel-outlier",
        ("06#wide-C", "10000")],
    "figures: linear and nonlinear separator": [("02#fig-trained", "draw.trained("), "09#fig-widths"],
    "Hilbert spaces": ("11#incomplete", "step"),
    "kernel SVM: w is no image": ("11#no-preimage", "24.97"),
}

SLIDES = {
    "4: sign with a tie": [("01#tie", "predict", "−1"), ("01#sign-rule", "np.sign(f)")],
    "5-9: margin 2s/|w|, s = 1": [
        ("01#buy", "contest("), ("01#buy-table", "Task 2.2", "widest band"), ("02#two-margins", "geometric"),
        ("02#c4a8e121", "(hard-width)")],
    "10: primal": [("02#c4a8e121", "(hard-primal)"), ("02#primal-qp", "solve_qp(")],
    "11-16: Lagrangian, dual function, duality": [
        ("03#cff53939", "(dual-lagrangian)", ":label: thm-weak-duality"),
        ("03#c9d12459", ":label: thm-strong-duality"), ("03#explore-price", "draw.parabola"),
        ("03#fig-bounds", "bounds_histogram("), ("03#explore-climb", "draw.climb(")],
    "17-20: recipe, Q, w and b": [
        ("03#signs", "slides' Q"), ("03#bias", "LIBSVM"), ("04#standard-form", "np.outer(y, y) * K"),
        ("07#c575cffe", "LIBSVM")],
    "21-22: support vectors, sparse classifier": [
        ("03#slackness-table", "surplus"), ("03#delete-table", "37 others")],
    "24: one outlier": ["06#intruders", ("06#alpha-to-infinity", "s.objective / C", "3.39")],
    "25-28: slack, linear and squared penalty": [
        "06#fig-slacks 06#same-dual", ("06#c6bd22dc", "(soft-squared)"),
        ("06#ridge", "tol * np.eye(len(y))", "0.2383")],
    "29: influence of C": [
        "06#explore-C 06#fig-counts", ("06#monotone", "two_clouds"), ("06#monotone-table", "12", "42")],
    "30-31: hinge loss": [
        "06#fig-losses", ("06#c824e8d6", "(soft-hinge)"), ("06#primal-or-dual-table", "subgradient, primal", "no")],
    "33: the cone": [("08#cone", "maps.cone", "0 errors"), "08#fig-cone"],
    "34-36: kernel trick, fruit": [("08#same-machine-shown", "True"), ("09#fruit", "11.18")],
    "37: linear against polynomial of degree 2": [("08#quarters", "Polynomial(Q=2)"), "08#fig-quarters"],
    "38-39: valid kernels, closure": [
        ("09#algebra", "k1 * k2"), ("09#algebra-fails-shown", "−130.4"), ("11#closure", "yes"),
        ("11#summits", "2.58632")],
    "40: Gaussian, polynomial, sigmoid": [
        ("09#sigmoid-psd", "−0.762", "−0.091"), ("09#sigmoid-shown", "stationary"), "09#fig-profiles"],
    "41: C = 1000, four widths": [("09#table-slides41", "0.425"), "09#explore-C-sigma 09#slider-answer"],
    "42: bias of the soft margin": [
        ("06#bias-proposals", "(yb - wx)[F]"), ("06#bounded-on-margin", "0.5 0.5"),
        ("06#b-interval", "np.where(y > 0, alpha < C, alpha > 0)"), ("06#no-free", "10")],
    "43: random search": [("15#random-search-shown", "grid"), ("13#search-compare", "random_search(")],
    "44: one-vs-one, weighted votes": [("15#weighted", "weighted_votes"), ("15#weighted-table", "0.8963")],
    "36: lemon, orange, apple": ("11#fruit-table", "13.66"),
    "44: one-vs-rest, weighted votes": [("14#rules-table", "0.9790"), ("14#counterexample", "weighted")],
    "45: summary": [("11#dual", "primal value"), ("16#stability-figure", "draw.spread(")],
}

SOURCES = {"report": REPORT, "lab sheet": LAB_SHEET, "lecture notes": LECTURE_NOTES,
           "programming sheet": PROGRAMMING_SHEET, "slides": SLIDES}
