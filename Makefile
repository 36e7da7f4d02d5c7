# Every target makes the virtual environment it needs: python3, venv, make and git are enough.
VENV ?= .venv
PY := $(VENV)/bin/python
INSTALLED := $(VENV)/.installed
STAMP := $(VENV)/.installed-dev

# Small matrices: threads of OpenBLAS would only wait for each other.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: demo test lint check proof bench deb install uninstall firmware clean

$(INSTALLED): pyproject.toml
	python3 -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check --editable .
	@# A bare machine lacks libGL, which opencv-python wants for windows; Blotlight opens none.
	@$(PY) -c "import cv2" 2>/dev/null || $(PY) -m pip install --quiet --disable-pip-version-check \
	  --force-reinstall --no-deps "opencv-python-headless>=4.10,<6"
	@touch $@

$(STAMP): $(INSTALLED)
	$(PY) -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

demo: $(INSTALLED)  ## watch a filmed game being refereed
	$(VENV)/bin/blotlight demo

test: $(STAMP)  ## run every test that this machine can run, on every core
	@# A file stays on one core: its tests share browsers and databases.
	$(PY) -m pytest --numprocesses auto --dist loadfile

lint: $(STAMP)  ## lint, format, types
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

check: lint test

proof: $(STAMP)  ## the long proofs: an hour or two, as root; needs Debian's openscad, kicad and mmdebstrap too
	BLOTLIGHT_PROOF=1 BLOTLIGHT_PEERS=require $(PY) -m pytest tests/hardware/tray tests/hardware/plans/test_printed_parts.py
	BLOTLIGHT_PROOF=1 BLOTLIGHT_PEERS=require $(PY) -m pytest tests/controller/club/hall
	$(PY) -m tests.hardware.tray.thrown_dice 1
	$(PY) -m tests.benchmarks.fuzz_parsers --seconds 60
	BLOTLIGHT_PROOF=1 $(PY) -m pytest tests/controller/service/test_settings_fuzzed.py
	$(PY) -m tests.durability.cuts --cuts 500 --kills 500
	$(PY) -m tests.durability.soak --play-hours 8 --faulty-hours 8 --idle-hours 24
	$(PY) -m tests.benchmarks slow_core
	$(PY) -m tests.benchmarks.referee --first 70000 --games 52 --jobs 2
	$(PY) -m tests.deb.clean_root bookworm
	$(PY) -m tests.deb.clean_root trixie

bench: $(STAMP)  ## measure; DATA=folder with labelled recordings
	$(PY) -m tests.benchmarks $(if $(DATA),--data $(DATA))

deb:  ## build the Debian package into dist/
	python3 deb/build_deb.py dist

install:  ## install on this machine as a Debian package, or update: sudo make install
	deb/install

uninstall:  ## remove it: sudo make uninstall
	deb/uninstall

firmware:  ## build the dice tray's .hex; needs Debian's gcc-avr and avr-libc
	$(MAKE) -C firmware

clean:
	rm -rf $(VENV) build dist *.egg-info
