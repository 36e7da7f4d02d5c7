"""Where the parts of the project lie, for tests that read files."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
FIRMWARE = ROOT / "firmware"
DATA = ROOT / "tests" / "data"
ENGINE = DATA / "engine"
