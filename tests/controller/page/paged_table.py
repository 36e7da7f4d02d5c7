"""A table in hand with its page, for the tests and the pictures of the page."""

import time
from contextlib import contextmanager
from datetime import date

from controller.page.page_access import PageAddress, invitation, kept_token
from controller.page.page_server import PageServer, PageSetup
from controller.record.match_settings import MatchSettings
from tests.controller.service.matches.table_in_hand import TableInHand

MATCH = MatchSettings(white="Ada", black="Bert", length=5)
PATIENCE_S = 60.0


class PagedTable(TableInHand):
    """folder: where its matches lie. port: 0 for any that is free."""

    def __init__(self, folder, match=MATCH, *, port=0, may_command=True, **more):
        self.token = kept_token(folder) if may_command else None
        setup = PageSetup(log=folder / "blotlight.db", token=self.token)
        super().__init__(
            folder,
            match,
            today=lambda: date(2026, 11, 21),
            page=lambda tell: PageServer(PageAddress(host="127.0.0.1", port=port), setup, tell),
            **more,
        )

    def _say(self, line):
        self.service.conversation.handle_line(line, self.clock.t_ms)

    @property
    def url(self):
        return self.page.address.url

    @property
    def invitation(self):
        return invitation(self.url, self.token)

    def wait_until(self, is_so):
        """Let the time at the table pass until something is so."""
        end_s = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < end_s, "it never was so"
            self.wait(500)

    def leave(self):
        self.page.close()
        super().leave()

    def break_off(self):
        self.page.close()
        super().break_off()


@contextmanager
def paged_table(folder, match=MATCH, **more):
    table = PagedTable(folder, match, **more)
    try:
        yield table
    finally:
        table.leave()
