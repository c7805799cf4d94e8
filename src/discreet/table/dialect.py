"""How a CSV file is written: what a release must repeat to look like its source."""

from __future__ import annotations

from typing import Literal

from discreet.display import dataclass

Compression = Literal["none", "gzip", "zstd"]


@dataclass(frozen=True)
class Dialect:
    """The way a CSV file is written, so that its release can be opened in the same way.

    `quote` is empty when the file has no quoting at all. `encoding` is a Python codec name;
    `utf-8-sig` is UTF-8 with a byte-order mark.

    >>> Dialect().separator
    ','
    """

    separator: str = ","
    quote: str = '"'
    encoding: str = "utf-8"
    line_end: str = "\n"
    compression: Compression = "none"
