"""How every picture gets into a file: whole or not at all, and the same for the same facts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import MissingExtraError
from discreet.table.atomic import appearing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".svg", ".png", ".pdf")

UNDATED: dict[str, dict[str, Any]] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
"""What keeps the date out of a file, so that the same facts give the same picture."""


def require_plots() -> None:
    """Refuse before any work is done where nothing can be drawn."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingExtraError("a picture", "plots") from None


def save(figure: Figure, path: Path, replace: bool = True) -> None:
    """Write a picture of the kind that the file's ending says."""
    from matplotlib import rc_context

    kind = path.suffix[1:].casefold()
    with (
        appearing(path, path.suffix, replace=replace) as part,
        rc_context({"svg.hashsalt": "discreet"}),
    ):
        figure.savefig(part, format=kind, dpi=150, metadata=UNDATED.get(kind))
