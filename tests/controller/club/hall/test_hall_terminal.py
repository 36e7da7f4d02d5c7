"""What the hall says at its terminal while it is open."""

import threading

from controller.errors import WorkError
from tests.controller.club.hall.halls import hall_with_boards
from tests.controller.club.simulated_boards import wait_until


def test_the_terminal_says_when_the_database_goes_and_when_it_is_back(monkeypatch):
    def refuse(*rows):
        raise WorkError("The database refuses.")

    stop, told = threading.Event(), []
    with hall_with_boards(1) as hall:
        waiting = threading.Thread(target=hall.hall.wait, args=(stop, told.append))
        waiting.start()
        try:
            with monkeypatch.context() as patched:
                patched.setattr(hall.hall.store, "add_rows", refuse)
                hall.boards[0].play()
                wait_until(lambda: "The database refuses." in told)
            wait_until(lambda: "The database is there again." in told)
        finally:
            stop.set()
            waiting.join()
    assert [sentence for sentence in told if "database" in sentence] == [
        "The database refuses.",
        "The database is there again.",
    ]
