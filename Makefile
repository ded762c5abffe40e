# Every target sets up what it needs: a private environment in .venv, rebuilt when the kernels or the requirements change.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNELS := $(wildcard src/undercroft/kernels/*.py src/undercroft/kernels/*.pxd)
# Packages come in the versions of requirements.lock, with their hashes: see CONTRIBUTING.md. What only builds stands beside the environment, where no test can import it.
INSTALL := $(BIN)/python tests/support/install_locked.py
BUILD_TOOLS := $(CURDIR)/$(VENV)/build-tools
# Tests that wait need no core of their own.
WAITERS = $$((2 * $$(getconf _NPROCESSORS_ONLN)))
# Files that may hold long tests: tests/conftest.py refuses a long test in any other.
MAY_BE_LONG := 'mark\.long|quick='
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The last file that the build of the page writes: if it is newer than all sources, the page is up to date.
PAGE := src/undercroft/studio/static/built
PAGE_SOURCES := $(shell find studio/src studio/*.json studio/*.mjs studio/*.html -type f 2>/dev/null)

.PHONY: demo studio studio-page has-node check-page test-page quick test test-long test-studio check bench bench-studio golden docs godot heavy soak lock audit clean help

help: ## show this
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit("undercroft needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; say make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	@echo "setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/ready: $(VENV)/made pyproject.toml requirements.lock setup.py $(KERNELS)
	@$(INSTALL) run
	@$(INSTALL) --target $(BUILD_TOOLS) build
	@echo "building undercroft: compiling the kernels, which takes about a minute on two cores ..."
	@PYTHONPATH=$(BUILD_TOOLS) $(PIP) --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q src/undercroft
	@touch $@

$(VENV)/tested: $(VENV)/ready
	@echo "installing what the tests need ..."
	@$(INSTALL) test lint
	@touch $@

$(VENV)/benched: $(VENV)/ready
	@$(INSTALL) test bench
	@touch $@

$(VENV)/served: $(VENV)/ready
	@$(INSTALL) studio
	@touch $@

$(VENV)/supply/made: $(VENV)/made
	@$(PYTHON) -m venv $(VENV)/supply
	@$(VENV)/supply/bin/python -m pip install --quiet --disable-pip-version-check "uv>=0.9" "pip-audit>=2.9"
	@touch $@

# Whoever has the page built, as in a source package, needs no Node.js; whoever has not learns it before anything is compiled.
has-node:
	@{ [ -e $(PAGE) ] && [ -z "$$(find $(PAGE_SOURCES) -newer $(PAGE))" ]; } || { command -v npm && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)'; } >/dev/null 2>&1 || { printf '%s\n' \
		"the studio's page is not built, and building it needs Node.js 20 or newer with npm: https://nodejs.org" \
		"everything but the studio works without: say make demo, and then $(BIN)/undercroft --help" >&2; exit 1; }

studio/node_modules/.ready: studio/package-lock.json
	@echo "fetching what the studio's page is built with ..."
	@cd studio && npm ci --silent --no-audit --no-fund
	@touch $@

$(PAGE): $(PAGE_SOURCES)
	@$(MAKE) --no-print-directory studio/node_modules/.ready
	@echo "building the studio's page ..."
	@cd studio && npm run --silent build

studio-page: has-node ## build the studio's page
	@$(MAKE) --no-print-directory $(PAGE)

studio: has-node ## make levels in the browser
	@$(MAKE) --no-print-directory --jobs=2 $(VENV)/served $(PAGE)
	@$(BIN)/undercroft studio

demo: $(VENV)/ready ## make a level and show it
	@$(BIN)/undercroft generate rooms-and-mazes --seed 3 --size 81x31 --colour always

quick: $(VENV)/tested ## lint, types and the fast tests, in less than a minute
	@tests/support/quick.sh $(BIN)

test: $(VENV)/tested ## run the tests, except those that repeat many seeds or wait
	@tests/run.sh $(BIN)/python "not long"

test-long: $(VENV)/tested ## run the tests that make test leaves out
	@tests/run.sh $(BIN)/python long -n $(WAITERS) $$(grep -rlE $(MAY_BE_LONG) --include='test_*.py' --exclude-dir=studio_browser tests)

check-page: # lint and types of the page; passes if there is no Node.js
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory studio/node_modules/.ready && cd studio && npm run --silent check; else echo "note: the studio's page is not checked, since there is no Node.js here"; fi

test-page: # unit tests of the page; passes if there is no Node.js
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory studio/node_modules/.ready && cd studio && npm test --silent; else echo "note: the unit tests of the studio's page are not run, since there is no Node.js here"; fi

test-studio: $(VENV)/tested test-page ## try the studio's page, then the studio in a real browser
	@tests/studio_browser/run.sh $(BIN)/python

check: $(VENV)/tested ## lint and types, strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@$(MAKE) --no-print-directory check-page

bench: $(VENV)/benched ## measure our code against floors and peers, as ratios in one run
	$(BIN)/python -m benchmarks.run

bench-studio: $(VENV)/tested ## how fast the studio is in a browser
	@tests/studio_browser/run.sh $(BIN)/python -m benchmarks.studio

golden: $(VENV)/tested ## rewrite the digests of seeds (after raising an edition)
	$(BIN)/python tests/golden/make.py

docs: $(VENV)/tested ## rewrite the reference, the pictures and the outputs in the docs
	$(BIN)/python docs/make.py

godot: $(VENV)/tested ## test the files for Godot in Godot itself (downloaded if it is missing)
	UNDERCROFT_GODOT=$$(tests/formats/godot/godot_checks/get_godot.sh build/godot) $(BIN)/python -m pytest tests/formats/godot/test_godot_engine.py

heavy: $(VENV)/tested ## the long checks: many more seeds and random inputs, and a million mutated files
	UNDERCROFT_HEAVY=1 $(BIN)/python -m pytest -n auto

soak: $(VENV)/tested ## every recipe over ten thousand seeds, and with random parameters
	UNDERCROFT_SOAK=10000 $(BIN)/python -m pytest -n auto tests/recipe/test_every_recipe.py tests/recipe/test_random_parameters.py tests/recipe/dungeon/test_make.py tests/steps/locks/test_locks.py

lock: $(VENV)/supply/made ## write requirements.lock anew: the newest versions that pyproject.toml allows, with hashes
	@$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires'], sep='\n')" | $(VENV)/supply/bin/uv pip compile --quiet --universal --python-version 3.11 --all-extras --generate-hashes --upgrade --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --output-file requirements.lock pyproject.toml - >/dev/null

audit: $(VENV)/supply/made ## look up known faults of all packages that are installed
	@PYTHONPATH=tests $(BIN)/python -m support.audit $(VENV)/supply/bin/pip-audit

clean: ## remove what was built
	rm -rf $(VENV) build dist benchmarks/build benchmarks/peers/node_modules src/*.egg-info studio/node_modules src/undercroft/studio/static
	find src -name '*.so' -delete
