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
    "§2.4: Q is N x N": "04#memory 04#time-against-n 07#calls",
    "(2.29): classifier": "04#classify",
    "§3, figure 3.1, (3.1)-(3.3): slack": "06#fig-slacks 06#slack-bound",
    "(3.4): dual in a box": "06#same-dual 06#hard-is-soft",
    "§4, figure 4.1: one outlier, hard against soft": "06#outlier-fit 06#fig-outlier 06#outlier-numbers",
    "§5.1, figures 5.1, 5.2: feature transform": [
        ("08#fig-integers", "integers_lifted"), ("08#explore-lift", "maps.paraboloid"),
                                                  ("08#counts", "186,043,585")],
    "(5.5)-(5.7): (1 + x'z)^2 in six features": [
        ("08#ccfbf7db", "(kernel-six)"), ("08#identity", "np.allclose", "True")],
    "(5.8), (5.9): polynomial kernels, a and b": [("09#negative-a-b", "Polynomial("), ("09#table-a-b", "−443.8"),
                                                  ("09#which-a-b", "thm-a-b"), "09#explore-Q 08#counts"],
    "(5.10), (5.11): Gaussian, Taylor series": [("08#infinitely-many", "(kernel-taylor)"),
                                                ("08#fig-series", "gaussian_features"), ("09#no-minus", "-1.718")],
    "(5.12)-(5.16): kernel machine": [("08#same-machine", "polynomial_features"), ("08#same-machine-shown", "True"),
                                      ("09#pseudo-code", "solvers.qp"), ("09#no-bound", "5263")],
    "§5.2.5: what makes a kernel valid": [("09#algebra", "is_psd"), ("09#sigmoid-psd", "not PSD")],
    "§6.1: pseudo-code of the hard margin": "04#pseudo-code",
    "§6.3: pseudo-code of the soft margin": "04#soft-pseudo-code 06#same-dual",
    "§6.4, figure 6.3: two intruding points": "06#intruders 06#fig-slacks",
    "§6.5: pseudo-code with a kernel, alpha > 1e-10": [
        ("09#pseudo-code-b", "free.any()"), ("09#as-printed", "40 of 40"),
                                                       ("09#pseudo-code-check", "−0.061754")],
    "§6.6, figures 6.4, 6.5: KM40M2-NN, Q = 2..6": [("09#explore-Q", "Polynomial"), ("09#table-Q-shown", "draws won")],
    "§6.7, figures 6.6, 6.7: Gaussian, which class is enclosed": [
        ("09#explore-gamma", "gamma="), ("09#table-gamma-shown", "pieces"),
        ("09#enclosed-shown", "−0.062", "+0.033"), ("09#enclosed-counted", "194")],
}

LAB_SHEET = {
    "figure 2.1: least squares against the largest margin": "01#explore-far 01#far-measured 01#least-squares",
    "(2.1): weights of length 1, max M": "02#lab-form 02#three-forms",
    "(OMH): Wolfe dual": "03#strong 03#signs 04#standard-form",
    "(2.2): f as a sum over the points": "03#two-forms 03#bias",
    "(SVM): box, C = inf as the limit": "06#same-dual 06#hard-is-soft",
    "§2.2: support vectors and margin defining vectors": "06#kkt-table 07#fig-task-23 07#table-seeds",
    "algorithm 2.1: OneStep": "07#one-step-source 07#gain-check 07#contradictory 07#stale-f",
    "task 2.1: implement OneStep": "07#one-step-source 07#gain-check",
    "task 2.2: exponential classes": "07#bayes 06#explore-C",
    "task 2.3: random pairs, three C": "07#task-23 07#fig-task-23 07#table-seeds 07#enough",
    "task 2.4: accuracy on 2,000 points": "07#twenty-seeds 07#wins",
    "(2.3): KKT_i": "03#gap-is-kkt 06#kkt-table 07#sweep-literal",
    "task 2.5: KKT sweep": "07#sweep-literal 07#table-calls 07#second-order",
    "task 2.6: disc and annulus": [("08#task-26", "disc_and_annulus"), ("08#c0d12bac", "(kernel-densities)"),
                                   ("08#best-line", "0.6366"),
        ("08#task-26-table", "with φ"), "08#fig-task-26 08#circle"],
    "task 2.7: SMO with a kernel": [("08#kernelised", "one_step"), ("08#kernelised-shown", "129.24"), "08#fig-task-27"],
    "(kernel trick), Mercer paragraph: infinitely many features": [
        ("08#no-finite-map", "thm-gauss-rank"), ("08#any-labels", "20 of 20")],
    "§2.4.1: one-vs-one, 45 machines, majority": [
        ("15#ccbba0ec", "(mnist-pairs)"), ("15#votes", "votes(f, 10)", "True")],
    "§2.4.2, figure 2.4: the images and the loader": [("15#fig-digits", "draw.samples"), ("15#loader", "urlretrieve"),
        ("15#loader-works", "True"), ("15#loader-erratum", "0.99609375")],
    "algorithm 2.2: cross-validation": [("15#own-search", "grid_search", "* C=10, kernel__gamma=0.01")],
    "task 2.8 (a): 500 images, GridSearchCV": [("15#grid-search", "GridSearchCV", "0.876"), "15#explore-grid"],
    "task 2.8 (b): 2,000 images, confusion matrix": [
        ("15#train", "accuracy 0.9429"), ("15#fig-confusion", "confusion_matrix")],
    "task 2.8: is it valid, which pitfalls": [("15#overlap", "not among them"), ("15#test-table", "2000"),
        ("15#search-summary", "exactly even"), ("15#c7ace5bf", "its own training size"), ("15#gamma-gain", "0.020"),
        ("15#stratified", "stratified"), ("15#cacd421f", "(mnist-lambda)"), ("15#same-lambda-shown", "Held-out")],
    "§2.5: prior knowledge": [("15#virtual-shown", "deskewed")],
}

LECTURE_NOTES = {
    "(1), lemma 15.1, (2): separability, distance, margins": "02#distance-check 02#two-margins",
    "remark 15.2, lemma 15.3, (3): equivalent forms": "02#remark-15-2 02#three-forms",
    "(4): homogeneous reduction": "02#homogeneous 02#homogeneous-angle 02#homogeneous-measured",
    "(5), (6): soft rule, hinge loss": "06#fig-losses 06#subgradient",
    "theorem 15.4: support vectors span w": "03#span",
    "lemma 15.5: Fritz John": "03#span",
    "exercise: theorem 15.4 from lemma 15.5": "03#span",
    "example 16.1: integers": [("08#integers-machine", "6.500"), "08#fig-integers"],
    "§16.1: the four steps, the image distribution": [
        ("08#c7503e82", "mathcal{D}^\\phi"), "08#task-26 08#task-26-seeds"],
    "example 16.2, (7): psi_k": [
        ("08#powers", "np.arange(Q + 1)"), ("08#powers-shown", "12"), ("08#counts", "count_tensor"),
                                 ("08#counts-check", "64 features")],
    "(9): algorithms that need the kernel only": [("08#oracle", "def oracle"), ("08#oracle-solved", "1600 questions"),
                                                  "08#kernelised"],
    "corollary 16.11, (13): the primal in the coefficients": [("08#primal-text", "(kernel-primal)"),
        ("08#primal-solved", "solve_qp"), ("08#primal-shown", "129.2423")],
    "polynomial kernel": [("08#cfb4c096", "thm-polynomial"), ("08#counts-check", "True")],
    "Gaussian kernel in one dimension": [("08#infinitely-many", "(kernel-taylor)"), "08#fig-series"],
    "Gaussian kernel in d dimensions": [("08#missing-factor", "as printed"), ("09#spellings", "0.3679")],
}

PROGRAMMING_SHEET = {
    "introduction: images as vectors": "01#digits 01#fig-digits",
    "(1): primal": "02#primal-qp",
    "(2)-(4): convex QP, KKT system": "05#step 05#first-step",
    "active-set algorithm": "05#told 05#line-13 05#rank-deficient",
    "Aufgabe 1: activeSet": "05#aufgabe-1 05#explore-plane",
    "(5): dual as a minimisation": "03#signs 05#aufgabe-2",
    "Aufgabe 2: xs_linear": "05#aufgabe-2 05#explore-dual 02#fig-trained",
    "(6): kernel dual, prefactor": [
        ("09#prefactor", "factor"), ("09#prefactor-shown", "0.79"), ("09#no-preimage", "0.798")],
    "Aufgabe 3: xs_kernel, three widths":
        "05#aufgabe-3 05#fig-aufgabe-3 09#fig-widths 09#table-widths 09#widths-draws-shown",
    "(7): soft margin": "05#soft 06#same-dual",
    "Aufgabe 4: outliers": "06#outlier-fit 06#outlier-numbers 06#kernel-outlier 06#fig-kernel-outlier",
    "figures: linear and nonlinear separator": "02#fig-trained 09#fig-widths",
}

SLIDES = {
    "4: sign with a tie": "01#tie 01#sign-rule",
    "5-9: margin 2s/|w|, s = 1": "01#buy 01#buy-table 02#two-margins",
    "10: primal": "02#primal-qp",
    "11-16: Lagrangian, dual function, duality": "03#explore-price 03#random-bounds 03#fig-bounds 03#explore-climb",
    "17-20: recipe, Q, w and b": "03#signs 03#bias 04#standard-form",
    "21-22: support vectors, sparse classifier": "03#slackness-table 03#delete-points",
    "24: one outlier": "06#intruders 06#alpha-to-infinity",
    "25-28: slack, linear and squared penalty": "06#fig-slacks 06#same-dual 06#ridge",
    "29: influence of C": "06#explore-C 06#fig-counts 06#monotone",
    "30-31: hinge loss": "06#fig-losses 06#subgradient",
    "33: the cone": [("08#cone", "maps.cone", "0 errors"), "08#fig-cone"],
    "34-36: kernel trick, fruit": [("08#same-machine-shown", "True"), ("09#fruit", "11.18")],
    "37: linear against polynomial of degree 2": [("08#quarters", "Polynomial(Q=2)"), "08#fig-quarters"],
    "38-39: valid kernels, closure": [("09#algebra", "k1 * k2"), ("09#algebra-fails-shown", "−130.4")],
    "40: Gaussian, polynomial, sigmoid": [
        ("09#sigmoid-psd", "not PSD"), ("09#sigmoid-shown", "stationary"), "09#fig-profiles"],
    "41: C = 1000, four widths": [("09#table-slides41", "0.425"), "09#explore-C-sigma 09#slider-answer"],
    "42: bias of the soft margin": "06#bias-proposals 06#bounded-on-margin 06#no-free",
    "43: random search": [("15#random-search-shown", "grid")],
    "44: one-vs-one, weighted votes": [("15#weighted", "weighted_votes"), ("15#weighted-table", "0.8963")],
}

SOURCES = {"report": REPORT, "lab sheet": LAB_SHEET, "lecture notes": LECTURE_NOTES,
           "programming sheet": PROGRAMMING_SHEET, "slides": SLIDES}
