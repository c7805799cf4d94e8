"""What all tests of ledgers share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def unsynced() -> Iterator[None]:
    """Nobody cuts the power here, and waiting for the disk takes a third of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield
