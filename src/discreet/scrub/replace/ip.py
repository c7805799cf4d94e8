"""Network addresses: others from the ranges set apart for documentation.

Notes
-----
Not in the thesis. RFC 5737 sets 192.0.2.0/24, 198.51.100.0/24 and 203.0.113.0/24 apart, RFC 3849
2001:db8::/32.

Departures: the thesis has no such entity.

Cost: a few microseconds.
"""

from __future__ import annotations

import ipaddress
import re

from discreet.scrub.replace.context import Context

_RANGES = ("192.0.2", "198.51.100", "203.0.113")
_PARTS = re.compile(
    r"(?P<address>\d+(?:\.\d+){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)(?P<rest>(?::\d{1,5}|/\d{1,3})?)(?P<zone>%\S*)?"
)


def ip(found: str, kind: str, context: Context) -> str | None:
    """A documentation address; a port or prefix length behind it stays, the name of a zone goes."""
    match = _PARTS.fullmatch(found)
    if not match:
        return None
    try:
        address = ipaddress.ip_address(match["address"])
    except ValueError:
        return None
    chances = context.stream.digest("ip", str(address))
    if address.version == 4:
        new = f"{_RANGES[chances[0] % 3]}.{1 + chances[1] % 254}"
    else:
        new = str(ipaddress.IPv6Address(b"\x20\x01\x0d\xb8" + chances[:12]))
    return new + match["rest"]
