"""Data: the planar sets of the sources and MNIST, with the files that svmlib ships and the scripts that make them."""
from svmlib.data.declaration import declaration
from svmlib.data.mnist import MNIST, MNISTError, load_mnist, read_idx
from svmlib.data.planar import *
from svmlib.data.planar import __all__ as _planar

__all__ = [*_planar, "MNIST", "MNISTError", "declaration", "load_mnist", "read_idx"]
