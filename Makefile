# Every target makes .venv when it is missing and brings it up to date when the requirements changed.
PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
KEY     := $(shell cat requirements.txt pyproject.toml svmcourse/pyproject.toml | cksum | cut -d' ' -f1)
STAMP   := $(VENV)/.ready-$(KEY)
SITE    := _build/html/index.html
WORKERS ?= 2
NB      ?=
OPTIONS ?=
# A path as one word of the shell, whatever is in it: blanks, quotes, $.
quoted   = '$(subst ','\'',$(value $(1)))'
# Notebooks and tests run side by side, so each BLAS call keeps to one thread; hashes do not vary.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
export PYTHONHASHSEED = 0
# What an import compiles is kept, and only that: hundreds of processes import svmlib.
unexport PYTHONDONTWRITEBYTECODE
# Checks record what a student has solved; builds and tests are no students.
export SVMLIB_PROGRESS ?= off

.PHONY: help book pdf kit test test-all test-svmlib warm rounding coverage lab handout assignments grade refresh bench lint clean distclean
.DEFAULT_GOAL := help

help:
	@echo "make book        build the book; ends with the path of its first page"
	@echo "make pdf         print the built book into one PDF (needs Chromium)"
	@echo "make kit         pack all notebooks with the wheels of svmlib and svmcourse"
	@echo "make test        run the tests: all that a change can break"
	@echo "make test-svmlib run those of the package alone"
	@echo "make test-all    run these and the thorough ones, then make rounding"
	@echo "make rounding    tests as on another processor, on new random problems"
	@echo "make coverage    branch coverage of svmlib, compiled functions included"
	@echo "make lab         open JupyterLab on copies of the chapters and exercises, in lab/"
	@echo "make handout     build the book without the solutions of its exercises"
	@echo "make assignments write the exercises for a class, in nbgrader's form"
	@echo "make grade       grade the notebooks under DIR=... (OPTIONS=--help says more)"
	@echo "make refresh     execute the notebooks and store their outputs (NB=file for one)"
	@echo "make bench       measure svmlib beside its peers"
	@echo "make lint        check style, types, imports, and the JavaScript of the figures"
	@echo "make clean       remove _build and caches"
	@echo "make distclean   remove .venv too"

$(STAMP):
	@$(call quoted,PYTHON) -c 'import sys; v = sys.version_info; v >= (3, 11) or sys.exit("svmlib needs Python 3.11 or later; %s is %d.%d. Name another one: make PYTHON=python3.12" % (sys.executable, *v[:2]))'
	@test -x $(BIN)/python || { echo "== making $(VENV)"; $(call quoted,PYTHON) -m venv $(VENV); }
	@echo "== installing requirements.txt, svmlib and svmcourse into $(VENV)"
	@# uv unpacks side by side and takes a quarter of the time; pip, where it finds nothing in a way that only pip knows.
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile uv==0.13.9 \
	  && $(BIN)/uv pip install --quiet --python $(BIN)/python -r requirements.txt \
	  || $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e . -e svmcourse
	@mkdir -p $(VENV)/etc/ipython $(VENV)/etc/jupyter/labconfig
	@echo "c.IPKernelApp.log_level = 40  # errors only" > $(VENV)/etc/ipython/ipython_kernel_config.py
	@echo '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true, "jupyterlab-myst": true}}' > $(VENV)/etc/jupyter/labconfig/page_config.json
	@rm -f $(VENV)/.ready-* && touch $@

book: $(STAMP)
	@echo "== building the book (executes notebooks that changed)"
	@$(BIN)/python book/_ext/unchanged.py || $(BIN)/jupyter-book build . -W -n --keep-going
	@test -f $(SITE) && echo && echo "The book: $(SITE)"

pdf: book
	@echo "== printing the book"
	@$(BIN)/python book/_tools/pdf.py

kit: $(STAMP)
	@echo "== packing the course"
	@$(BIN)/python book/_tools/exercises.py kit

# Two workers; notebooks are compared with what is stored in them; the tests that took longest are named at the end.
PYTEST    := $(BIN)/python -m pytest -n $(WORKERS) --dist loadscope --durations=25
NOTEBOOKS := --nbval --nbval-sanitize-with tests/sanitize.cfg notebooks
PACKAGE   := tests/svmlib tests/test_*.py svmlib

# svmlib's inner loops, compiled once for all processes.
warm: $(STAMP)
	@$(BIN)/python book/_tools/warm.py

test: warm
	@echo "== testing svmlib, the notebooks and the site"
	@$(PYTEST) tests svmlib svmcourse README.md $(NOTEBOOKS)

test-svmlib: warm
	@echo "== testing svmlib"
	@$(PYTEST) $(PACKAGE)

test-all: warm
	@echo "== testing svmlib, the notebooks and the site, thoroughly"
	@$(PYTEST) -m "" tests svmlib svmcourse README.md $(NOTEBOOKS)
	@$(MAKE) --no-print-directory rounding

rounding: export NUMBA_CPU_NAME = x86-64
rounding: export OPENBLAS_CORETYPE = Nehalem
rounding: export NUMBA_CACHE_DIR = $(CURDIR)/_build/numba-x86-64
rounding: export HYPOTHESIS = new
rounding: warm
	@echo "== testing svmlib and the notebooks with the instructions of an older processor, on new random problems"
	@$(PYTEST) $(PACKAGE) $(NOTEBOOKS)

coverage: $(STAMP)
	@echo "== running the tests of svmlib under coverage, then the compiled functions as plain Python, then the notebooks"
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadscope --cov --cov-branch --cov-report= tests svmlib svmcourse --ignore=tests/book/site
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q --cov --cov-branch --cov-append --cov-report= tests/svmlib/test_python_forms.py tests/svmlib/kernels/test_exponential.py
	@for notebook in notebooks/*.ipynb; do echo "   $$notebook"; \
	  MPLBACKEND=agg $(BIN)/python -m coverage run -a -m IPython --no-banner -c "%run $$notebook" >/dev/null || exit 1; done
	@$(BIN)/python -m coverage report --skip-covered --fail-under=95

lab: export SVMLIB_PROGRESS =
lab: $(STAMP)
	@$(BIN)/python book/_tools/exercises.py lab
	@echo "== opening JupyterLab; stop it with Ctrl-C"
	@$(BIN)/jupyter lab --notebook-dir=lab

handout: export SVMLIB_SOLUTIONS = 0
handout: $(STAMP)
	@echo "== building the book without the solutions of its exercises"
	@$(BIN)/python book/_ext/unchanged.py _build/handout/_build || \
	  $(BIN)/jupyter-book build . --path-output _build/handout -W -n --keep-going
	@echo && echo "The book without solutions: _build/handout/_build/html/index.html"

assignments: $(STAMP)
	@echo "== writing nbgrader's release of the exercises"
	@$(BIN)/python book/_tools/exercises.py release

grade: $(STAMP)
	@$(BIN)/python book/_tools/grade.py $(if $(value DIR),$(call quoted,DIR)) $(OPTIONS)

refresh: warm
	@echo "== executing notebooks and storing their outputs"
	@$(BIN)/python book/_tools/refresh.py $(if $(value NB),$(call quoted,NB))

bench: $(STAMP)
	@echo "== measuring svmlib beside its peers"
	@env -u OMP_NUM_THREADS -u OPENBLAS_NUM_THREADS $(BIN)/python -m benchmarks $(BENCH)

lint: $(STAMP)
	@echo "== checking style, types and floors"
	@$(BIN)/ruff check
	@$(BIN)/mypy
	@$(BIN)/python -m pytest -q tests/test_floors.py
	@$(BIN)/python book/_tools/javascript.py

clean:
	@echo "== removing _build and caches"
	@rm -rf _build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find svmlib svmcourse tests book notebooks benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean
	@echo "== removing $(VENV)"
	@rm -rf $(VENV) *.egg-info
