"""Which version of discreet this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def read_version() -> str:
    """The version that is installed."""
    try:
        return version("discreet")
    except PackageNotFoundError:
        return "0+unknown"
