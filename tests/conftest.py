"""What holds in every test, and the browser that some share."""

import os
import signal

import pytest

from tests.browser import chromium

# A shell that runs the tests in the background lets them ignore Ctrl-C, and so the programs that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """A worker for each core, as far as there is a gigabyte of memory for each.

    Measured: one grows to 0.5 GB. Its browser comes on top.
    """
    memory_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 30
    return max(1, min(len(os.sched_getaffinity(0)), memory_gib))


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path_factory, monkeypatch):
    """Matches that a test plays are kept for that test alone."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found
