PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test lint samples clean

help:
	@echo "make demo   set up and run the main job on a sample"
	@echo "make test   set up and run the whole test suite"
	@echo "make lint   check format, style and types"
	@echo "make samples  make the sample scans anew"

$(VENV)/.run: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.run pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

demo: $(VENV)/.run
	$(BIN)/ocrprep demo -o demo

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

samples: $(VENV)/.test
	$(BIN)/python samples/generate.py

clean:
	rm -rf $(VENV) demo .mypy_cache .pytest_cache .ruff_cache .hypothesis
