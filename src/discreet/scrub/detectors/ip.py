"""Addresses of machines: IPv4, IPv6 and MAC."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv6Address

from discreet.scrub.detectors.around import AroundDetector, Mark
from discreet.scrub.detectors.detector import Shape, ShapeDetector

_BYTE = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_HEX_BEFORE = re.compile(r"(?<![\w:.])[0-9A-Fa-f:]*$")


def is_ipv6(text: str) -> bool:
    """Whether text with colons is an address, not a time.

    Examples
    --------
    >>> is_ipv6("2001:db8::1"), is_ipv6("10:30:15")
    (True, False)
    """
    try:
        IPv6Address(text.split("%")[0].split("/")[0])
    except AddressValueError:
        return False
    return len(text) > 4


IP = ShapeDetector(
    "ip",
    (
        Shape(
            "IP",
            0.95,
            "IPv4",
            re.compile(
                rf"\d(?<![\w.-]\d)\d{{0,2}}\.{_BYTE}\.{_BYTE}\.{_BYTE}(?:/\d\d?|:\d{{2,5}})?(?![\w]|\.\d)"
            ),
            check=lambda text: int(text.split(".")[0]) < 256,
        ),
    ),
    examples=(
        ("from 192.168.0.12, port 80", (("192.168.0.12", "IP"),)),
        ("10.0.0.0/8 and 8.8.8.8:53.", (("10.0.0.0/8", "IP"), ("8.8.8.8:53", "IP"))),
        ("version 1.2.3, 300.1.2.3, section 1.2.3.4.5", ()),
    ),
)

COLON_ADDRESS = AroundDetector(
    "colon_address",
    (
        Mark(
            "IP",
            0.97,
            "IPv6",
            _HEX_BEFORE,
            re.compile(
                r":(?=[0-9A-Fa-f]{0,4}:)[0-9A-Fa-f:]{1,45}(?:(?<=:)\d+\.\d+\.\d+\.\d+)?(?:%\w+|/\d{1,3})?(?![\w:])"
            ),
            check=is_ipv6,
        ),
        Mark(
            "DEVICE",
            0.97,
            "MAC",
            re.compile(r"(?<![\w:])[0-9A-Fa-f]{2}$"),
            re.compile(":" + ":".join([r"[0-9A-Fa-f]{2}"] * 5) + r"(?![\w:])"),
        ),
        Mark(
            "DEVICE",
            0.95,
            "MAC",
            re.compile(r"(?<![\w-])[0-9A-Fa-f]{2}$"),
            re.compile("-" + "-".join([r"[0-9A-Fa-f]{2}"] * 5) + r"(?![\w-])"),
        ),
    ),
    examples=(
        ("from 2001:db8::1 today", (("2001:db8::1", "IP"),)),
        ("fe80::1ff:fe23:4567:890a.", (("fe80::1ff:fe23:4567:890a", "IP"),)),
        ("MAC 00:1A:2b:3C:4D:5E", (("00:1A:2b:3C:4D:5E", "DEVICE"),)),
        ("00-1A-2B-3C-4D-5E", (("00-1A-2B-3C-4D-5E", "DEVICE"),)),
        ("at 10:30:15, ratio 1:2:3, std::vector", ()),
    ),
)
