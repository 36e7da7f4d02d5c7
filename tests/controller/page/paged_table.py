"""A table in hand with its page, for the tests and the pictures of the page."""

import threading
import time
from contextlib import contextmanager
from datetime import date

from controller.page.page_access import PageAddress, invitation, kept_token
from controller.page.page_server import PageServer, PageSetup
from controller.record.match_settings import MatchSettings
from controller.service.devices import Devices
from controller.service.settings import parse_settings
from controller.service.setup.setup_desk import SetupDesk
from tests.controller.service.matches.table_in_hand import TableInHand

MATCH = MatchSettings(white="Ada", black="Bert", length=5)
PATIENCE_S = 60.0


class NoLights:
    """LEDs that nobody sees."""

    def show(self, lamps):
        pass

    def close(self):
        pass


class PagedTable(TableInHand):
    """folder: where its matches lie. port: 0 for any that is free."""

    def __init__(self, folder, match=MATCH, *, port=0, may_command=True, delay_s=0.0, **more):
        self.folder = folder
        self.token = kept_token(folder) if may_command else None
        setup = PageSetup(
            log=folder / "blotlight.db", token=self.token, may_set_up=may_command, delay_s=delay_s
        )
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

    @contextmanager
    def being_set_up(self):
        """Meanwhile the board is set up, by whoever opens the page. A strip of LEDs is there."""
        devices = Devices(camera=self, dice=self.tray, lights=(NoLights(),), lines=list)
        settings = parse_settings({}, self.folder / "blotlight.toml", self.folder)
        desk = SetupDesk(settings, self.folder / "blotlight.toml", devices, self.clock)
        gone = threading.Event()

        def run():
            while not gone.wait(0.05):
                self.clock.t_ms += 500
                self._new = True
                for word in self.page.setup_words():
                    desk.handle(word)
                desk.run_once()
                self.page.show_setup(desk.state, desk.frame)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield desk
        finally:
            gone.set()
            thread.join()
            self.page.show_setup(None, None)

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
