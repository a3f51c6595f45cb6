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
    "§5.1, figures 5.1, 5.2: feature transform": "08#fig-integers 08#explore-lift 08#counts",
    "(5.5)-(5.7): (1 + x'z)^2 in six features": "08#identity",
    "(5.8), (5.9): polynomial kernels, a and b": "09#negative-a-b 09#explore-Q 08#counts",
    "(5.10), (5.11): Gaussian, Taylor series": "08#fig-series 09#spellings",
    "(5.12)-(5.16): kernel machine": "08#same-machine 09#pseudo-code 09#pseudo-code-check",
    "§6.1: pseudo-code of the hard margin": "04#pseudo-code",
    "§6.3: pseudo-code of the soft margin": "04#soft-pseudo-code 06#same-dual",
    "§6.4, figure 6.3: two intruding points": "06#intruders 06#fig-slacks",
    "§6.5: pseudo-code with a kernel, alpha > 1e-10": "09#pseudo-code 09#pseudo-code-check",
    "§6.6, figures 6.4, 6.5: KM40M2-NN, Q = 2..6": "09#explore-Q 09#table-Q",
    "§6.7, figures 6.6, 6.7: Gaussian, which class is enclosed": "09#explore-gamma 09#enclosed",
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
    "task 2.6: disc and annulus": "08#task-26 08#fig-task-26 08#task-26-seeds 08#circle",
    "task 2.7: SMO with a kernel": "08#kernelised 08#kernelised-check 08#fig-task-27",
}

LECTURE_NOTES = {
    "(1), lemma 15.1, (2): separability, distance, margins": "02#distance-check 02#two-margins",
    "remark 15.2, lemma 15.3, (3): equivalent forms": "02#remark-15-2 02#three-forms",
    "(4): homogeneous reduction": "02#homogeneous 02#homogeneous-angle 02#homogeneous-measured",
    "(5), (6): soft rule, hinge loss": "06#fig-losses 06#subgradient",
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
    "(2)-(4): convex QP, KKT system": "05#step 05#first-step",
    "active-set algorithm": "05#told 05#line-13 05#rank-deficient",
    "Aufgabe 1: activeSet": "05#aufgabe-1 05#explore-plane",
    "(5): dual as a minimisation": "03#signs 05#aufgabe-2",
    "Aufgabe 2: xs_linear": "05#aufgabe-2 05#explore-dual 02#fig-trained",
    "(6): kernel dual, prefactor": "09#prefactor 09#no-preimage",
    "Aufgabe 3: xs_kernel, three widths": "05#aufgabe-3 05#fig-aufgabe-3 09#fig-widths 09#table-widths",
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
    "33: the cone": "08#cone",
    "34-36: kernel trick, fruit": "08#same-machine 09#fruit",
    "37: linear against polynomial of degree 2": "09#explore-Q 09#table-Q 08#same-machine",
    "38-39: valid kernels, closure": "09#algebra 09#algebra-fails",
    "40: Gaussian, polynomial, sigmoid": "09#fig-profiles 09#sigmoid-psd 09#sigmoid-moons",
    "41: C = 1000, four widths": "09#explore-C-sigma 09#table-slides41",
    "42: bias of the soft margin": "06#bias-proposals 06#bounded-on-margin 06#no-free",
}

SOURCES = {"report": REPORT, "lab sheet": LAB_SHEET, "lecture notes": LECTURE_NOTES,
           "programming sheet": PROGRAMMING_SHEET, "slides": SLIDES}
