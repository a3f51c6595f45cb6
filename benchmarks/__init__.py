"""Side-by-side measurements of svmlib and its peers: `make bench`, or `python -m benchmarks --short`."""
