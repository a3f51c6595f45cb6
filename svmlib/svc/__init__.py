"""The estimator, its training set, and machines for more than two classes."""
from svmlib.svc.estimator import SVC

__all__ = ["SVC"]
