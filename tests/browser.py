"""A real browser for tests: Debian's chromium without a screen, driven by Playwright."""

import shutil
import time
from contextlib import contextmanager
from importlib.util import find_spec

from tests.peers import require_peer

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 60_000
"""How long a test waits for what should appear. A slow machine needs some of it; nothing sleeps it out."""
PHONE, WIDE = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
TABLET = {"width": 820, "height": 1180}


@contextmanager
def chromium():
    """A browser; skips the test when it is not installed (Debian: chromium; PyPI: playwright)."""
    path = shutil.which("chromium")
    require_peer(path is not None, "Debian's package chromium")
    require_peer(find_spec("playwright") is not None, "PyPI's package playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser, url, *, size=WIDE, scheme="light", language="en-GB", motion="reduce"):
    """A new window of `browser` at an address."""
    context = browser.new_context(
        viewport=size,
        color_scheme=scheme,
        locale=language,
        reduced_motion=motion,
        device_scale_factor=1,
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    try:
        page.goto(url)
        yield page
    finally:
        context.close()


def wait_for(page, expression):
    """Wait until an expression is true in a window. The policy of the page forbids Playwright's own way."""
    end_s = time.monotonic() + PATIENCE_MS / 1000
    while not page.evaluate(expression):
        assert time.monotonic() < end_s, f"never true: {expression}"
        page.wait_for_timeout(20)
