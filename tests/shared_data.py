"""Where the data and answers that lie beside the project are, and what to do without them."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared(*names: str) -> Path:
    """A file or folder of the shared data; without it the test is skipped and says so."""
    path = SHARED.joinpath(*names)
    if not path.exists():
        pytest.skip(f"the shared data is not beside the project: no {'/'.join(names)}")
    return path
