# make site: a fresh machine -> public/ built.   make test: a fresh machine -> everything checked.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: site test check screens accept bench fuzz test-long test-models lock browser clean

site: .venv/site
	$(BIN)/build-site
	@echo "Open public/index.html in a browser."

test: .venv/test browser check
	$(BIN)/pytest -n 2 --dist loadgroup

check: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

.venv/site: requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	touch $@

# --no-deps: the lock is complete, and [tool.uv] in pyproject.toml overrides what one package asks for.
.venv/test: .venv/site requirements-test.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --require-hashes -r requirements-test.lock
	touch $@

# A browser is installed only where none is found.
browser: .venv/test
	@sh scripts/browser.sh

# Pages that are meant to look otherwise: new pictures, to be looked at before they are committed.
accept: .venv/test browser
	$(BIN)/pytest -n 0 --accept tests/site/test_pictures.py
	@echo "Look at tests/site/pictures before you commit."

# Prints cost as ratios against a bare loop measured in the same run.
bench: .venv/site
	$(BIN)/python benchmarks/site.py
	$(BIN)/python benchmarks/pairs.py
	$(BIN)/python -m benchmarks.leak_gate

# Every reader against bytes that nobody would write: new ones each time, FUZZ seconds a reader.
FUZZ ?= 2
fuzz: .venv/test
	FUZZ=$(FUZZ) $(BIN)/pytest -q tests/test_fuzz.py

# What chance decides, at full length: a hundred kills of each kind, a thousand changed digits (five minutes).
test-long: .venv/test
	KILLS=100 FLIPS=1000 $(BIN)/pytest -q -k "killed or digit" tests/test_deliver.py tests/test_cli_site.py tests/outside/test_tampering.py

# Photographs of all page types, for looking at.
screens: .venv/test browser site
	$(BIN)/python scripts/screens.py
	$(BIN)/python scripts/screens.py --readme

# Real small models behind a real server: fetched and built once (about 1 GB, 10 minutes), then half a minute.
test-models: .venv/test
	$(BIN)/python scripts/models.py prepare smollm2-135m gemma3-270m qwen-coder-0.5b
	$(BIN)/pytest tests/models/end_to_end.py

lock: .venv/test
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --extra install pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --extra install --extra test pyproject.toml -o requirements-test.lock

clean:
	rm -rf .venv public build *.egg-info
