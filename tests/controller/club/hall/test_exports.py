"""The archive of all matches, and the tables."""

import csv
import io
import zipfile
from contextlib import closing

import pytest

from controller.club.hall.exports import ratings_table, zipped_matches
from controller.club.hall_store.store_of_hall import BoardRow, HallStore, LogPlace, sqlite_url
from controller.club.tournament.elo import Rating
from tests.controller.club.simulated_boards import played_moments


@pytest.mark.parametrize("hit", [2**53, -(10**30), float("inf"), "x", None])
def test_an_odd_row_of_one_board_leaves_the_matches_of_the_others_in_the_archive(tmp_path, hit):
    _, rows = played_moments()
    with closing(HallStore(sqlite_url(tmp_path / "hall.db"))) as store:
        for board in ("board-01", "board-02"):
            kept = []
            for seq, (t_ms, kind, payload) in enumerate(rows):
                if kind == "half-turn" and board == "board-01":
                    payload = {**payload, "steps": [[*step[:2], hit] for step in payload["steps"]]}
                place = LogPlace(1, seq)
                kept.append(
                    BoardRow(board=board, stream="a", place=place, t_ms=t_ms, kind=kind, payload=payload)
                )
            store.add_rows(kept)
        with zipfile.ZipFile(io.BytesIO(zipped_matches(store))) as archive:
            assert "board-02-a-001.mat" in archive.namelist()


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_a_name_that_a_spreadsheet_would_compute_is_text_there(name):
    _, (_, player, *_) = csv.reader(io.StringIO(ratings_table({name: Rating()})))
    assert player == f"'{name}"
