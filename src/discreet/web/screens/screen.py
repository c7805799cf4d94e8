"""What a screen is: facts for a template, actions, and parts with addresses of their own."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, TypeAlias

from starlette.datastructures import ImmutableMultiDict

from discreet.display import dataclass
from discreet.errors import DiscreetError
from discreet.web.child import MEMORY, name_folder
from discreet.web.workspace import Workspace


class Fields(ImmutableMultiDict[str, str]):
    """What an address or a form says: ``fields["column"]``, ``fields.getlist("columns")``.

    A form that lacks what an action needs is refused.
    """

    def __getitem__(self, key: str) -> str:
        if key not in self:
            raise DiscreetError(f"the form lacks '{key}'", "", "Load the page again.")
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """What is said, or the default."""
        return super().__getitem__(key) if key in self else default


Collect: TypeAlias = Callable[[Workspace, Fields], Awaitable[Mapping[str, Any]]]
"""Gives what a template shows, from what an address says."""

Act: TypeAlias = Callable[[Workspace, Fields], Awaitable[str | None]]
"""Does something with what a form says; may give the name of the screen to go on with.

What it raises as a :class:`~discreet.errors.DiscreetError` is shown at the form, and nothing else
changes.
"""


@dataclass(frozen=True)
class Download:
    """A file that the browser saves."""

    name: str
    content: bytes = field(repr=False)
    media_type: str = "application/octet-stream"


Give: TypeAlias = Callable[[Workspace, Fields], Awaitable[Download]]
"""Makes a file to be saved."""


class MemoryFolder:
    """A folder in memory for its owner alone, gone with this object or the program.

    The library writes to paths only, so what is private and has to have one is here.
    """

    def __init__(self) -> None:
        if not MEMORY.is_dir():
            what = "this system has no folder in memory, and what is private is not put on disk"
            raise DiscreetError("downloads", what, "Write to a path, or use the command line.")
        self.path = Path(tempfile.mkdtemp(prefix=name_folder(os.getpid()), dir=MEMORY))
        self.remove = weakref.finalize(self, shutil.rmtree, self.path, True)

    def __repr__(self) -> str:
        return "MemoryFolder()"


@dataclass(frozen=True)
class Part:
    """A piece of a screen with an address of its own, such as a page of rows."""

    template: str
    collect: Collect


@dataclass(frozen=True)
class Screen:
    """A page of the app: ``/w/WORKSPACE/NAME``, with ``templates/screens/NAME.html``.

    Its title is the text ``NAME.title``. `actions` answer forms that are sent to
    ``NAME/ACTION``, `parts` and `downloads` answer ``NAME/PART``. A screen that needs a table leads
    to *Open* where there is none.
    """

    name: str
    collect: Collect
    actions: Mapping[str, Act] = field(default_factory=dict)
    parts: Mapping[str, Part] = field(default_factory=dict)
    downloads: Mapping[str, Give] = field(default_factory=dict)
    needs_table: bool = True
    in_navigation: bool = True
