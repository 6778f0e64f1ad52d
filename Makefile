PY = .venv/bin/python

check:  ## lint, layout, types, tests
	.venv/bin/ruff check . && .venv/bin/ruff format --check rulekit tests && .venv/bin/mypy && $(PY) -m pytest

golden:  ## renew the golden playthroughs; read the diff afterwards
	$(PY) -m tests.golden

soak:  ## a hundred thousand mutated rules texts
	$(PY) -m tests.soak_texts --count 100000 --jobs 2
