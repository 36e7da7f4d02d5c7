"""What holds in every test, and the browser that some share."""

import signal

import pytest

from tests.browser import chromium

# A shell that runs the tests in the background lets them ignore Ctrl-C, and so the programs that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path_factory, monkeypatch):
    """Matches that a test plays are kept for that test alone."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found
