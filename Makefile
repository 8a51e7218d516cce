# Two commands do everything: `make play` and `make test`. Python 3.11 or newer with pip is all they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests wait much, for processes and browsers: half as many again as there are cores
JOBS ?= $(shell $(PYTHON) -c 'import os; n = os.cpu_count() or 2; print(n + (n + 1) // 2)')

# Tests start hundreds of servers: each would read all sources anew where Python is told to keep no bytecode
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test check lint types arrows unit laws warm wasm pages docs web boards schema bench kits ladder puzzles ratings scaling fuzz chaos failover siege sprites smooth offline screenshots screens stranger newcomer diagrams dist release clean

play: pages ## the server on this computer, and the browser; in the terminal: .venv/bin/quincunx play
	@$(BIN)/quincunx serve --open $(ARGS)

test: $(VENV)/ready ## everything; what does not need what another one makes goes side by side
	@$(MAKE) --no-print-directory -j2 warm web lint types arrows
	@$(MAKE) --no-print-directory unit

check: lint types arrows ## the quick part: no browser, no database
	@QUINCUNX_TESTS=quick HYPOTHESIS_PROFILE=brief $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not slow"

lint: $(VENV)/ready
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/ready
	@$(BIN)/mypy

arrows: $(VENV)/ready
	@$(BIN)/lint-imports --no-cache

pages: $(VENV)/ready ## build web/ into the package, if it changed
	@$(BIN)/python tools/pages.py
	@$(BIN)/python tools/docs.py

docs: $(VENV)/ready ## the documents as a static site, in build/site, for any host; the server has them under /docs
	@$(BIN)/python tools/docs.py build/site

web: $(VENV)/ready ## the pages: types, tests, build, weight
	@$(BIN)/python tools/pages.py test

boards: $(VENV)/ready ## the live boards of the rules, from the blocks in docs/rules
	@$(BIN)/python tools/boards.py

schema: $(VENV)/ready ## the types of the pages from what the server says
	@$(BIN)/python tools/schema.py
	@$(BIN)/python -c 'import sys; sys.path.insert(0, "tools"); import pages; pages.install(True); pages.node(pages.npm_script(), "run", "--silent", "types")'

warm: $(VENV)/ready ## compile every game once, so that parallel tests do not each do it
	@$(BIN)/quincunx warm
	@$(BIN)/quincunx warm --gear checked

wasm: $(VENV)/ready ## every game as WebAssembly, in build/wasm, with what a page must know to call it
	@$(BIN)/python tools/wasm.py $(ARGS)

unit: $(VENV)/ready # who has no tests left takes half of another's: servers and browsers of a file are started once or twice
	@sh tools/unit.sh $(BIN)/python $(JOBS)

laws: $(VENV)/ready ## after an edit of a rule: the laws for one game, in seconds (GAME=khet)
	@QUINCUNX_TESTS=quick HYPOTHESIS_PROFILE=brief $(BIN)/python -m pytest -n 0 -m "not slow" -k $(GAME) tests/test_laws.py tests/test_golden.py

bench: $(VENV)/ready
	@sh tools/system.sh g++:g++
	@$(BIN)/python benchmarks/run.py $(ARGS)
	@$(BIN)/python tools/figures.py

kits: $(VENV)/ready ## a bot from every starter kit plays every game, in eight languages; the table in docs/kits.en.md; their tests
	@$(BIN)/python tools/kits.py
	@QUINCUNX_KITS=all $(BIN)/python -m pytest -n $(JOBS) tests/test_kits.py

ladder: $(VENV)/ready ## the levels measured against each other; goes on where it stood; numbers and plot in docs/players.md
	@$(BIN)/quincunx ladder $(ARGS)

puzzles: $(VENV)/ready ## every shipped puzzle looked at again, with ten times the nodes that verified it; minutes (ARGS=khet: one game)
	@$(BIN)/quincunx puzzles verify $(ARGS)

ratings: $(VENV)/ready ## are ratings, intervals and sequential tests as true as they say? The tables of docs/ratings.md
	@OPENBLAS_NUM_THREADS=1 PYTHONPATH=src:tests $(BIN)/python benchmarks/ratings.py $(ARGS)

scaling: $(VENV)/ready ## does the cost grow with the work? Numbers and plots in benchmarks/
	@$(BIN)/python benchmarks/scaling.py $(ARGS)

fuzz: $(VENV)/ready ## the laws and random rules with many more examples; records of a thousand matches of batches; half a million frames and half a million requests of nonsense
	@HYPOTHESIS_PROFILE=long QUINCUNX_FUZZ=500000 QUINCUNX_LONGEST_TEST=40000 $(BIN)/python -m pytest -n $(JOBS) tests/test_laws.py tests/test_batches.py tests/test_compiler_random.py tests/test_server_fuzz.py

chaos: $(VENV)/ready ## ten thousand kills: SQLite and PostgreSQL, 1, 2 and 4 processes; goes on where benchmarks/chaos.json stands
	@PYTHONPATH=src:tests $(BIN)/python tests/chaos.py $(ARGS)

failover: $(VENV)/ready ## how long players and watchers notice that a process is killed, or all are replaced
	@$(BIN)/python benchmarks/failover.py $(ARGS)

siege: $(VENV)/ready ## an ordinary client plays while others attack; a table with bars (ARGS=--write: into the docs)
	@PYTHONPATH=src:tests $(BIN)/python tests/siege.py $(ARGS)

sprites: $(VENV)/ready ## the drawings of Garden Tensions as PNG, in build/sprites (after `npm ci` in web/)
	@$(BIN)/python tools/sprites.py $(ARGS)

smooth: pages ## how soon a board is there, and how smoothly it moves
	@$(BIN)/python benchmarks/pages.py $(ARGS)

offline: pages ## how soon the games of the site can be played without a server, and how soon a level answers; into docs/speed.md
	@$(BIN)/python benchmarks/offline.py $(ARGS)
	@$(BIN)/python tools/figures.py

screenshots: pages ## every screen, narrow and wide, light and dark, in build/screenshots
	@$(BIN)/python tools/screenshots.py $(ARGS)

stranger: pages ## a stranger's first ten minutes, in French on a phone: pictures in build/stranger
	@$(BIN)/python tools/stranger.py

screens: pages ## every screen at every size by day and by night: what axe finds, what is small, what is cut off
	@QUINCUNX_SCREENS=all $(BIN)/python -m pytest -n $(JOBS) tests/test_pages_screens.py

newcomer: pages ## a newcomer plays, writes a bot and enters a contest by what the site says: pictures in build/newcomer
	@$(BIN)/python tools/newcomer.py

diagrams: $(VENV)/ready ## the boards in docs/technical/pictures, drawn by the page components
	@$(BIN)/python tools/diagrams.py $(ARGS)

dist: pages ## in dist/: the wheel with pages and documents, and a zip of the sources that passes `make test` by itself
	@$(BIN)/python tools/dist.py

release: pages ## wheel, sources, site and notes in dist/, from a clean commit, tried where nothing else is (ARGS=--rehearse: from whatever is here)
	@$(BIN)/python tools/release.py $(ARGS)

clean:
	rm -rf $(VENV) build dist benchmarks/venvs benchmarks/build

$(VENV)/ready: pyproject.toml constraints.txt tools/venv.sh
	@sh tools/venv.sh "$(PYTHON)" "$(VENV)"
	@touch $@
