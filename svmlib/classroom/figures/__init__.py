"""The drawings of the chapters, one module a chapter, so that a notebook cell holds mathematics only."""
