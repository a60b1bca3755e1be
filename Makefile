# Two commands for a fresh machine: `make demo` looks at it, `make test` checks it.
VENV := .venv
BIN := $(VENV)/bin
# The newest Python this machine has; memtui needs 3.11 or later.
PYTHON ?= $(firstword $(foreach name,python3.13 python3.12 python3.11 python3 python,$(if $(shell $(name) -c 'import sys; print(sys.version_info >= (3, 11) or "")' 2>/dev/null),$(name))))
# Three workers even on two cores: half the time of a test of a screen is waiting for it to be quiet.
PYTEST := $(BIN)/python -m pytest -n 4 --dist worksteal

SIZES ?= 1000,10000

.PHONY: demo test test-all check format bench clean

demo: $(VENV)/.installed
	$(BIN)/memtui demo

# The default run, under five minutes: what is fast enough to run before every commit.
test: check
	$(PYTEST)

# Adds what is slow: kills, fuzzing, large vaults, more examples of every law, a smoke run of the benchmarks.
test-all: check
	MEMTUI_LAWS=thorough $(PYTEST) -m ""
	$(BIN)/python -m tests.benchmarks --smoke

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Vaults of 1,000 and 10,000 records; `make bench SIZES=100000` measures the large one.
bench: $(VENV)/.installed-dev
	$(BIN)/python -m tests.benchmarks --sizes $(SIZES)

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "memtui needs Python 3.11 or later on the PATH"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $(VENV)/.installed $@

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .import_linter_cache
