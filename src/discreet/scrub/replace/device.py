"""Device numbers: network cards get an address set apart for documentation, others their shape.

Notes
-----
Not in the thesis. RFC 7042 sets 00-00-5E-00-53-00 to 00-00-5E-00-53-FF apart.

Departures: the thesis has no such entity.

Cost: a few microseconds.
"""

from __future__ import annotations

import re

from discreet.scrub.replace.context import Context
from discreet.scrub.replace.number import number

_MAC = re.compile(r"[0-9A-Fa-f]{2}([:-])[0-9A-Fa-f]{2}(?:\1[0-9A-Fa-f]{2}){4}")


def device(found: str, kind: str, context: Context) -> str | None:
    """Another number in the form found."""
    card = _MAC.fullmatch(found)
    if not card:
        return number(found, kind, context)
    plain = found.lower().replace("-", ":")
    new = card[1].join(
        f"00005e0053{context.stream.number('mac', plain, 256):02x}"[i : i + 2]
        for i in range(0, 12, 2)
    )
    return new.upper() if any(map(str.isupper, found)) else new
