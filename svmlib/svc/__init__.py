"""The estimators, their training set, and machines for more than two classes."""
from svmlib.svc.estimator import SVC
from svmlib.svc.novelty import OneClassSVM
from svmlib.svc.regression import SVR

__all__ = ["SVC", "SVR", "OneClassSVM"]
