# Set-up in two commands: `make demo` and `make test`. Needs Python 3.11+, git and make.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test lint bench audit browser clean

demo: $(VENV)/.installed
	$(BIN)/dualfit demo

test: $(VENV)/.installed-dev browser
	$(MAKE) --no-print-directory lint
	$(BIN)/pytest --numprocesses auto

# The pages of `dualfit report` are tested in a real browser, without a window. On Debian and Ubuntu it is installed.
browser:
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do \
	  command -v $$name >/dev/null && exit 0; done; \
	echo "No browser found: installing the package chromium"; \
	SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	$$SUDO apt-get update -qq && $$SUDO apt-get install -y -qq --no-install-recommends chromium >/dev/null || \
	echo "Tests that need a browser will be skipped (with CI set: fail); install Chromium or Chrome to run them"

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m slow -s tests/benchmarks

audit: $(VENV)/.installed-dev
	$(BIN)/dualfit audit --markdown certify/AUDIT.md

# Debian and Ubuntu ship Python without the module that makes virtual environments whole.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "dualfit needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv module is not whole: installing the package python3-venv"; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && $$SUDO apt-get install -y -qq python3-venv; } || \
	  { echo "Install Python's venv module (on Debian and Ubuntu: apt install python3-venv), then try again"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build *.egg-info demo.cert.json .mypy_cache .ruff_cache .pytest_cache .hypothesis
