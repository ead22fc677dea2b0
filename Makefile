# Every target sets itself up: all it needs is make and Python 3.11 or later. The three with proofs need Coq and OCaml too,
# which they install on Debian where they are run by root.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests wait now and then, for a browser or a clock: one more process than there are cores keeps the cores busy.
CORES := $(shell getconf _NPROCESSORS_ONLN)
WORKERS := $(shell echo $$(($(CORES) + 1)))
# Those that take longest wait most, for programs that they start.
LONG_WORKERS := $(shell echo $$(($(CORES) + 2)))
# Which part of them `make test` runs: CI asks for some.
LONG := none
# Where `make serve` serves.
PORT ?= 8000
CHECKED := src docs README.md tests/core tests/contract $(addprefix tests/test_,every_game.py game.py game_is_the_unit.py \
	golden.py refusals.py tidiness.py two_referees.py)

.PHONY: serve play check test long style docs fuzz chaos mutants dist format golden bench examples results load messages proofs proofs-long checker share help clean

serve: $(VENV)/serve.stamp  ## the site, on http://127.0.0.1:8000; PORT=8001 takes another port
	@$(BIN)/quet serve --port $(PORT)

play: $(VENV)/play.stamp  ## the terminal application
	@$(BIN)/quet play

# Tests run side by side. Threads within each that wait for each other would take the time of the others.
check test long: export OPENBLAS_NUM_THREADS = 1

check: style  ## the quick ones: style, types, layers, tidiness, doctests, the rules and the contract
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(CHECKED)

test: style  ## style, types, layers, and every test but those of `make long`; LONG=2/60 adds a sixtieth of these
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --long $(LONG) --durations=20

long: $(VENV)/test.stamp  ## the tests that take longest: the same again in other places, outages, benches, bounds of arrays
	$(BIN)/python -m pytest -n $(LONG_WORKERS) --dist worksteal -m long --durations=20

style: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/docs.stamp  ## the documentation, built strictly into build/docs; `quet serve` has it at /docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

fuzz: $(VENV)/test.stamp  ## ten minutes of fuzzing, shared by all that reads text or bytes
	$(BIN)/python tests/fuzz/run.py --seconds 600

chaos: $(VENV)/test.stamp  ## kills, outages, full disks, slow clients and floods while people play; about half an hour
	QUET_CHAOS=1 $(BIN)/python -m pytest -s tests/web/chaos tests/web/test_requests.py

mutants: $(VENV)/test.stamp  ## change the code in one place at a time, and see whether tests notice; some hours
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[mutants]'
	$(BIN)/python tests/mutants/run.py

dist: $(VENV)/test.stamp  ## wheel and source distribution, checked, installed with each extra, and played; some minutes
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dist]'
	$(BIN)/python tests/release/distributions.py

format: $(VENV)/test.stamp  ## mend the style
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/ruff check .

golden: $(VENV)/test.stamp  ## make the golden playthroughs and pictures anew; look at the diff
	$(BIN)/python tests/golden/make.py

bench: $(VENV)/test.stamp  ## speed beside C++, OpenSpiel, PettingZoo, Pgx and EnvPool, in tables
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[bench]'
	$(BIN)/python bench/interactive.py
	$(BIN)/python bench/run.py

examples: $(VENV)/test.stamp  ## install PyTorch (gigabytes) and test examples/, the training to perfection too: minutes
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[examples]'
# By the clock the training to perfection can take longer on a busy machine than a test may that hangs.
	$(BIN)/python -m pytest -q -o faulthandler_timeout=7200 examples

results: $(VENV)/test.stamp  ## take the table of results further: hours, and it can be stopped and run again
	$(BIN)/python -m quet.results.make
	$(BIN)/python -m quet.results.confirm

load: $(VENV)/test.stamp  ## 500 games at once on one server process, and how fast they go
	$(BIN)/python bench/load.py

messages: $(VENV)/test.stamp  ## collect the messages of the site and bring its catalogs up to date
	$(BIN)/python -m quet.web.catalogs

proofs:  ## check the theorems of docs/proofs.md with Coq, and that they assume nothing; four minutes of CPU
	proofs/check

proofs-long: checker $(VENV)/serve.stamp  ## Theorem 3 for m = 37 to 52 and Theorem 7, by programs that Coq extracts; a quarter of an hour of CPU
	checker/quet-theorem3 37 52
	mkdir -p build
	for m in $$(seq 53 64); do \
		$(BIN)/quet solve palindromes m=$$m --time 1 --certificate build/avoiding-$$m.json >build/avoiding.log && \
		checker/quet-check build/avoiding-$$m.json || exit 1; done

checker:  ## programs that Coq extracts from proofs/: the rules of games, and a second checker of certificates
	checker/build

share: $(VENV)/test.stamp  ## make the completion for shells and the man page anew, from the parser
	$(BIN)/python tests/cli/shells.py

help:  ## what each target is
	@sed -n 's/^\([a-z-]*\):.*##  *\(.*\)/\1: \2/p' Makefile

clean:  ## remove the environment, the caches of tools, and what was built
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .mypy_worker.*.json build dist
	rm -f proofs/*.vo proofs/*.vok proofs/*.vos proofs/*.glob proofs/.*.aux proofs/.*.d proofs/.*.cache proofs/Makefile.coq*
	rm -f checker/extracted.ml* checker/*.cm* checker/*.o checker/quet-check checker/quet-rules checker/quet-theorem3

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Quet needs Python 3.11 or later; make PYTHON=python3.12 names another.")'
	@$(PYTHON) -m venv $(VENV) || { echo "No virtual environment can be made; on Debian, install python3-venv."; rm -rf $(VENV); exit 1; }

$(VENV)/play.stamp: $(BIN)/python pyproject.toml constraints.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/serve.stamp: $(BIN)/python pyproject.toml constraints.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[site]'
	@touch $@ $(VENV)/play.stamp

$(VENV)/docs.stamp: $(BIN)/python pyproject.toml constraints.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@touch $@

$(VENV)/test.stamp: $(BIN)/python pyproject.toml constraints.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/play.stamp $(VENV)/serve.stamp $(VENV)/docs.stamp
