PY = .venv/bin/python

.PHONY: help check long golden bench docs soak

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile | expand -t 10

check:  ## lint, layout, types, tests
	.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy && $(PY) -m pytest

long:  ## what CI runs in short only: the rest of many like tests, leaks, soaks and corrections whole
	$(PY) -m pytest -n 2 -m long
	RULEKIT_LONG=1 $(PY) -m pytest tests/soak/test_soak.py tests/secrecy/test_hidden.py tests/secrecy/test_leaks.py \
	  tests/editing/test_corrections.py tests/adapters/openspiel tests/syntax tests/docs/test_event_table.py

golden:  ## renew the golden playthroughs; read the diff afterwards
	$(PY) -m tests.cli.golden

bench:  ## ratios of speed, seven rounds; the machine should be quiet
	$(PY) -m benchmarks.run

docs:  ## check every link, example and command of the documentation
	$(PY) -m pytest tests/docs

soak:  ## a hundred thousand mutated rules texts
	$(PY) -m tests.soak.texts --count 100000 --jobs 2
