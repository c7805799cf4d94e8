"""A folder of files that appears whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from discreet.errors import WriteError
from discreet.table import atomic

ENDING = ".tables"


@contextmanager
def appearing_folder(target: Path, ending: str = ENDING) -> Iterator[Path]:
    """A hidden folder beside the target, which becomes the target at the end.

    It is for its owner alone while it is filled. If the block raises, or the program is asked to
    end, it is removed with all in it, and there is no target. The target must not exist, and if it
    appears meanwhile it stays as it is. What killed programs left is removed.
    """
    target = Path(os.path.realpath(target))
    check_new_folder(target)
    with atomic.ended_politely(), atomic.under_way(target.parent, ending) as hidden:
        yield hidden.path
        atomic.reveal(hidden, target, replace=False)


def check_new_folder(target: Path) -> None:
    """Stop before any work if the folder cannot be made."""
    if not target.is_dir():
        atomic.check_target(target)
    if target.exists() or target.is_symlink():
        what = "this exists already, and tables of two releases must not be mixed"
        raise WriteError(target, what, "Name a new folder.")
