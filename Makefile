# Each target sets up all it needs in .venv: `make demo` and `make test` work on a fresh clone.
# Another Python: make test PYTHON=python3.12      Another place: make test VENV=/some/where

VENV   ?= .venv
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null \
	&& { echo $$p; break; }; done)
BIN    := $(VENV)/bin
RUN    := $(VENV)/.run
DEV    := $(VENV)/.dev
PIP    := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps

# Processes that tests start share byte code, whatever the environment says: compiling all of it
# takes each of them a second.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test check house bench soak tagger format clean

help:  ## show the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(RUN)  ## the whole story on a made town
	$(BIN)/discreet demo

test: $(DEV)  ## all tests, doctests and every command shown in the docs
	@command -v java > /dev/null || test -n "$$JAVA_HOME" || { echo "The tests of Spark need Java 17" \
	"or newer, and there is no java on the PATH. On Debian and Ubuntu:" \
	"apt install openjdk-17-jre-headless" >&2; exit 2; }
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

check: $(DEV)  ## format, lint, types and the direction of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m bench.house

house: $(DEV)  ## count modules, import cycles and imports against the direction
	$(BIN)/python -m bench.house $(ARGS)

bench: $(DEV)  ## CPU seconds, nodes checked and peak memory
	$(BIN)/python -m bench $(ARGS)

soak: $(DEV)  ## random trials for 45 minutes of CPU; ARGS="--minutes 600 --state soak.json" for more
	$(BIN)/python -m soak $(ARGS)

tagger: $(DEV)  ## fit scrub's statistical model to the texts in corpora/ again
	$(BIN)/python -m discreet.scrubbing.tagger en corpora/en/*.txt
	$(BIN)/python corpora/de/make.py $(VENV)/de.txt
	$(BIN)/python -m discreet.scrubbing.tagger de $(VENV)/de.txt

format: $(DEV)  ## write the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:  ## remove .venv and everything that was made
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis src/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "discreet needs Python 3.11, 3.12 or 3.13 with venv on the PATH;" \
	"found: $$(python3 --version 2>&1 || echo none)." \
	"Install one, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3.12" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) could not make a virtual" \
	"environment; on Debian and Ubuntu: apt install python3-venv" >&2; exit 2; }

$(RUN): requirements/base.txt pyproject.toml | $(BIN)/python
	@echo "setting up $(VENV), a minute or two the first time"
	@$(PIP) -r requirements/base.txt
	@$(PIP) --no-build-isolation -e .
	@touch $@

$(DEV): requirements/dev.txt $(RUN)
	@$(PIP) -r requirements/dev.txt
	@touch $@
