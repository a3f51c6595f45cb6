"""The auditor: how good is a machine that somebody else has trained?"""
from svmlib.auditing.audit import audit
from svmlib.auditing.libsvm_files import read_data, read_model
from svmlib.auditing.report import Audit, ProblemAudit

__all__ = ["Audit", "ProblemAudit", "audit", "read_data", "read_model"]
