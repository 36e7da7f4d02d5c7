"""Which version of Blotlight is installed.

Import it only where it is needed: `importlib.metadata` takes 4 MB.
"""

from importlib.metadata import PackageNotFoundError, version


def installed_version() -> str | None:
    """The version; None for sources that were not installed."""
    try:
        return version("blotlight")
    except PackageNotFoundError:
        return None
