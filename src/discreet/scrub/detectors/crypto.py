"""Addresses of digital money: Bitcoin, Litecoin, Ethereum, Monero."""

from __future__ import annotations

import re

from discreet.scrub.detectors.detector import Shape, ShapeDetector

CRYPTO = ShapeDetector(
    "crypto",
    (
        Shape(
            "ACCOUNT",
            0.93,
            "base 58",
            re.compile(
                r"[13LM4](?<!\w.)(?=\w{0,30}\d)(?=\w{0,30}[a-z])[1-9A-HJ-NP-Za-km-z]{25,94}(?!\w)"
            ),
        ),
        Shape(
            "ACCOUNT",
            0.96,
            "bech32",
            re.compile(r"(?:bc1|ltc1|tb1)[a-z0-9]{11,87}(?!\w)"),
        ),
        Shape("ACCOUNT", 0.96, "0x", re.compile(r"0x[0-9a-fA-F]{40,64}(?!\w)")),
    ),
    examples=(
        (
            "send to 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
            (("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "ACCOUNT"),),
        ),
        (
            "0x52908400098527886E0F7030069857D2E4169EE7",
            (("0x52908400098527886E0F7030069857D2E4169EE7", "ACCOUNT"),),
        ),
        (
            "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
            (("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "ACCOUNT"),),
        ),
        ("a line of 3 words, 0x1F", ()),
    ),
)
