"""An empty store of the hall on each of the two databases."""

import tempfile
from pathlib import Path

import pytest

from controller.club.hall_store.store_of_hall import sqlite_url
from tests.postgres import emptied, postgres


@pytest.fixture(scope="module")
def postgres_url():
    with tempfile.TemporaryDirectory(prefix="blotlight-pg-") as folder, postgres(Path(folder)) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """The URL of an empty store."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "hall.db")
    found = request.getfixturevalue("postgres_url")
    emptied(found)
    return found
