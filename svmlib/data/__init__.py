"""Data: the planar sets of the sources and MNIST, with the files that svmlib ships and the scripts that make them."""
from svmlib.data.declaration import declaration
from svmlib.data.mnist import MNIST, MNISTError, load_mnist, read_idx
from svmlib.data.planar import (
    LinearRule,
    blobs_with_intruders,
    disc_and_annulus,
    disc_and_annulus_linear_rule,
    draw_km40m2,
    draw_xs_kernel,
    draw_xs_linear,
    exponential_bayes_rule,
    exponential_classes,
    integers_beyond_two,
    km40m2,
    noisy_unit_disc,
    ring,
    separable_blobs,
    three_point_example,
    xs_kernel,
    xs_linear,
)

__all__ = ["MNIST", "LinearRule", "MNISTError", "blobs_with_intruders", "declaration", "disc_and_annulus",
           "disc_and_annulus_linear_rule", "draw_km40m2", "draw_xs_kernel", "draw_xs_linear", "exponential_bayes_rule",
           "exponential_classes", "integers_beyond_two", "km40m2", "load_mnist", "noisy_unit_disc", "read_idx", "ring",
           "separable_blobs", "three_point_example", "xs_kernel", "xs_linear"]
