"""Where each piece of the five sources runs: source row -> cells of the notebooks that show it.

A cell is "chapter#id", and test_inventory.py looks each of them up.  The value of a row is
  "01#a 02#b"                     cells that must exist and have run,
  ("01#a", "needle", ...)         a cell whose source or stored output contains each needle: a name called, a number shown,
                                  or, where the cell is text, the label of an equation; runs of white space count as one space,
  [("01#a", "needle"), "02#b"]    several of these.
"""

CHAPTERS = {
    "01": "01_intuition", "02": "02_hard_margin", "03": "03_duality_and_kkt", "04": "04_quadratic_programming",
    "05": "05_active_set", "06": "06_soft_margin", "07": "07_smo", "08": "08_feature_maps_and_the_kernel_trick",
    "09": "09_gallery_of_kernels", "15": "15_mnist",
}

REPORT = {
    "§1, figure 1.1: narrow and wide band": "01#fig-two-bands 01#explore-turn",
    "(2.1)-(2.5): hyperplane, sign rule, canonical form": "01#sign-rule 01#tie 02#two-margins 02#band-fresh",
    "lemma 2.1.1, (2.6): w is normal to the plane": "02#distance-check",
    "(2.7)-(2.9), figures 2.1-2.3: distance, half band": "02#fig-distance 02#distance-check 02#fig-trained",
    "(2.10)-(2.12): from max 1/|w| to min w'w/2": "02#primal-qp 02#three-forms 02#unbounded 02#never-slack",
    "(2.13)-(2.20): Lagrangian, stationarity, dual": "03#explore-price 03#random-bounds 03#strong 03#signs",
    "(2.21), (2.22): complementary slackness, sparsity": "03#slackness-table 03#delete-points 03#three-points",
    "(2.23), (2.28): bias": "03#bias 04#bias 04#classify 04#multipliers",
    "(2.24)-(2.26): QP in standard form": "04#standard-form",
    "§2.4: Q is N x N": ["04#memory 04#time-against-n", ("07#count-calls", "history=True")],
    "(2.29): classifier": "04#classify",
    "§3, figure 3.1, (3.1)-(3.3): slack": [
        ("06#c1f9951b", "(soft-primal)"), ("06#c1f9951c", "(soft-slack)"), ("06#three-points", "no x satisfies", "2.0"),
        ("06#fig-slacks", "draw.slacks("), ("06#slack-distance", "2.3118"),
        ("06#slack-bound", "np.maximum(0, 1 - yi * m.decision_function(Xi))", "16.71")],
    "(3.4): dual in a box": [
        ("06#ceb44c63", "(soft-lagrangian)", "(soft-dual)"),
        ("06#same-dual", '"qp", "active_set", "smo"', "11.97627240"),
        ("06#hard-is-soft", "43.542")],
    "§4, figure 4.1: one outlier, hard against soft": [
        ("06#outlier-fit", "xs_linear(outlier=True)", "C=np.inf", "C=10"), "06#fig-outlier",
        ("06#outlier-numbers", "950.3", "1065.5", "19.7")],
    "§5.1, figures 5.1, 5.2: feature transform": "08#fig-integers 08#explore-lift 08#counts",
    "(5.5)-(5.7): (1 + x'z)^2 in six features": "08#identity",
    "(5.8), (5.9): polynomial kernels, a and b": "09#negative-a-b 09#explore-Q 08#counts",
    "(5.10), (5.11): Gaussian, Taylor series": "08#fig-series 09#spellings",
    "(5.12)-(5.16): kernel machine": "08#same-machine 09#pseudo-code 09#pseudo-code-check",
    "§6.1: pseudo-code of the hard margin": "04#pseudo-code",
    "§6.3: pseudo-code of the soft margin": ["04#soft-pseudo-code", ("06#same-dual", "C=1.0")],
    "§6.4, figure 6.3: two intruding points": [
        ("06#intruders", "NotSeparableError", "so there is no hard margin"), ("06#intruders-soft", "[40 41]"),
        ("06#cbcfa29b", "soft-threshold"), ("06#threshold-some", "0.5 0. 0.5 0.", "C = 0.3: w = 1.0000")],
    "§6.5: pseudo-code with a kernel, alpha > 1e-10": "09#pseudo-code 09#pseudo-code-check",
    "§6.6, figures 6.4, 6.5: KM40M2-NN, Q = 2..6": "09#explore-Q 09#table-Q",
    "§6.7, figures 6.6, 6.7: Gaussian, which class is enclosed": "09#explore-gamma 09#enclosed",
}

LAB_SHEET = {
    "figure 2.1: least squares against the largest margin": "01#explore-far 01#far-measured 01#least-squares",
    "(2.1): weights of length 1, max M": "02#lab-form 02#three-forms",
    "(OMH): Wolfe dual": "03#strong 03#signs 04#standard-form",
    "(2.2): f as a sum over the points": "03#two-forms 03#bias",
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
        ("07#task-22", "rng.exponential(1 / 4, (20, 2))", "rng.exponential(1 / 0.5, (20, 2))"),
        ("07#bayes", "1.18825", "0.9152"), "06#explore-C"],
    "task 2.3: random pairs, three C": [
        ("07#random-pairs", "rng.choice(len(y), 2, replace=False)", "np.mean((f - y)[free])"),
        ("07#task-23", "(0.01, 1, 100)", "10_000", "LeastSquares()"), ("07#task-23-b", "1.9398"),
        "07#fig-task-23", ("07#table-seeds", "36.800", "8.750"), ("07#angles", "16.4", "70.8"),
        ("07#enough", "9.30", "8.75")],
    "task 2.4: accuracy on 2,000 points": [
        ("07#twenty-seeds", "exponential_classes(1000 + seed, n=2000)"), ("07#table-seeds", "0.904", "0.905", "0.844"),
        ("07#wins", "least squares")],
    "(2.3): KKT_i": [
        "03#gap-is-kkt", ("06#c4083b21", "(soft-kkt)", "(soft-gap)"), ("06#kkt-table", "largest y f"),
        ("07#sweep", "alpha[i] * r if r > 0 else (alpha[i] - C) * r")],
    "task 2.5: KKT sweep": [
        ("07#sweep", "most=10_000"), ("07#partner", "(alpha > 0) & (alpha < C)"),
        ("07#sweep-literal", "sweep(p.K, p.y, C, 0.0", "1e-6"), ("07#again", "accuracy"),
        ("07#seconds", "perf_counter()"), ("07#calls-table", "KKT sweep"), "07#second-order"],
    "task 2.6: disc and annulus": "08#task-26 08#fig-task-26 08#task-26-seeds 08#circle",
    "task 2.7: SMO with a kernel": "08#kernelised 08#kernelised-check 08#fig-task-27",
}

LECTURE_NOTES = {
    "(1), lemma 15.1, (2): separability, distance, margins": "02#distance-check 02#two-margins",
    "remark 15.2, lemma 15.3, (3): equivalent forms": "02#remark-15-2 02#three-forms",
    "(4): homogeneous reduction": "02#homogeneous 02#homogeneous-angle 02#homogeneous-measured",
    "(5), (6): soft rule, hinge loss": [
        ("06#cd3b78b9", "(soft-lambda-form)", "(soft-lambda)"), ("06#lambda-form", "solve_qp(P, q, G, h)"),
        ("06#lambda-table", "0.9139", "1.1511"), ("06#subgradient-steps", "lam * w @ w + hinge_loss"),
        "06#subgradient-table 06#fig-losses"],
    "theorem 15.4: support vectors span w": "03#span",
    "lemma 15.5: Fritz John": "03#span",
    "exercise: theorem 15.4 from lemma 15.5": "03#span",
    "example 16.1: integers": "08#integers-machine 08#fig-integers",
    "§16.1: the four steps": "08#task-26 08#task-26-seeds",
    "example 16.2, (7): psi_k": "08#counts",
    "(9): algorithms that need the kernel only": "08#kernelised 08#same-machine",
    "corollary 16.11, (13): the primal in the coefficients": "08#primal-in-kernel",
    "polynomial kernel": "08#counts 08#identity",
    "Gaussian kernel in one dimension": "08#fig-series",
    "Gaussian kernel in d dimensions": "08#missing-factor 09#spellings",
}

PROGRAMMING_SHEET = {
    "introduction: images as vectors": "01#digits 01#fig-digits",
    "(1): primal": "02#primal-qp",
    "(2)-(4): convex QP, KKT system": [
        ("05#cf6cd7f1", "(as-qp)", "(as-kkt)", "(as-step)"), ("05#step", "np.block([[A, -N], [-N.T,"),
        ("05#first-step", "kkt_step("), ("05#null-space", "np.linalg.eigh(Z.T @ A @ Z)")],
    "active-set algorithm": [
        ("05#cd80f9d2", "13 t := min {1,", "19 end for"), ("05#longest", "ahead[W] = False"),
        ("05#method", "lam.argmin()"), ("05#literal", "for i in W if s[i] < 0"), ("05#line-13-table", "[1. 2.5]"),
        ("05#rank-deficient", "80"), ("05#ce5e9033", "as-theorem"), ("05#cfc47080", "as-theorem-flat")],
    "Aufgabe 1: activeSet": [
        ("05#aufgabe-1", "active_set(", "minimize_qp(", "1.7"), "05#explore-plane"],
    "(5): dual as a minimisation": [
        "03#signs", ("05#c8e88bfa", "(as-dual)"),
        ("05#aufgabe-2", "active_set(A, ones, E, I, zeros, start, W, step, tol)")],
    "Aufgabe 2: xs_linear": [
        ("05#aufgabe-2-table", "43.5424"), "05#explore-dual 05#fig-two-starts 02#fig-trained",
        ("05#complement-table", "8.7829"), ("05#bias", "2.3643")],
    "(6): kernel dual, prefactor": "09#prefactor 09#no-preimage",
    "Aufgabe 3: xs_kernel, three widths": [
        ("05#aufgabe-3", "DualProblem(kernel, Xk, yk, C=np.inf)"), ("05#aufgabe-3-table", "27", "σ = 0.125"),
        "05#fig-aufgabe-3 09#fig-widths 09#table-widths"],
    "(7): soft margin": [
        ("05#soft", "np.hstack([np.eye(count), -np.eye(count)])"), ("05#soft-run", "47.6612"), "06#same-dual"],
    "Aufgabe 4: outliers": [
        ("05#ridge", "xs_kernel(outlier=outlier)"), "06#outlier-fit", ("06#outlier-numbers", "0.447"),
        ("06#kernel-outlier", "errors_of(sigma, 10, prefactor)", "30", "14"), "06#fig-kernel-outlier",
        ("06#wide-C", "10000")],
    "figures: linear and nonlinear separator": "02#fig-trained 09#fig-widths",
}

SLIDES = {
    "4: sign with a tie": "01#tie 01#sign-rule",
    "5-9: margin 2s/|w|, s = 1": "01#buy 01#buy-table 02#two-margins",
    "10: primal": "02#primal-qp",
    "11-16: Lagrangian, dual function, duality": "03#explore-price 03#random-bounds 03#fig-bounds 03#explore-climb",
    "17-20: recipe, Q, w and b": ["03#signs 03#bias 04#standard-form", ("07#c575cffe", "LIBSVM")],
    "21-22: support vectors, sparse classifier": "03#slackness-table 03#delete-points",
    "24: one outlier": ["06#intruders", ("06#alpha-to-infinity", "s.objective / C", "3.39")],
    "25-28: slack, linear and squared penalty": [
        "06#fig-slacks 06#same-dual", ("06#c6bd22dc", "(soft-squared)"),
        ("06#ridge", "tol * np.eye(len(y))", "0.2383")],
    "29: influence of C": [
        "06#explore-C 06#fig-counts", ("06#monotone", "two_clouds"), ("06#monotone-table", "12", "42")],
    "30-31: hinge loss": [
        "06#fig-losses", ("06#c824e8d6", "(soft-hinge)"), ("06#primal-or-dual-table", "subgradient, primal", "no")],
    "33: the cone": "08#cone",
    "34-36: kernel trick, fruit": "08#same-machine 09#fruit",
    "37: linear against polynomial of degree 2": "09#explore-Q 09#table-Q 08#same-machine",
    "38-39: valid kernels, closure": "09#algebra 09#algebra-fails",
    "40: Gaussian, polynomial, sigmoid": "09#fig-profiles 09#sigmoid-psd 09#sigmoid-moons",
    "41: C = 1000, four widths": "09#explore-C-sigma 09#table-slides41",
    "42: bias of the soft margin": [
        ("06#bias-proposals", "(yb - wx)[F]"), ("06#bounded-on-margin", "0.5 0.5"),
        ("06#b-interval", "np.where(y > 0, alpha < C, alpha > 0)"), ("06#no-free", "10")],
}

SOURCES = {"report": REPORT, "lab sheet": LAB_SHEET, "lecture notes": LECTURE_NOTES,
           "programming sheet": PROGRAMMING_SHEET, "slides": SLIDES}
