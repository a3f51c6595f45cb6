"""The data files that svmlib ships, and the scripts that make them."""
