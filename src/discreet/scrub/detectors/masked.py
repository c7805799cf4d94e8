"""Numbers of which most digits are masked: ***-**-1120, XXXX-1111."""

from __future__ import annotations

import re

from discreet.scrub.detectors.detector import Shape, ShapeDetector

MASKED = ShapeDetector(
    "masked",
    (
        Shape(
            "SSN",
            0.96,
            "masked",
            re.compile(r"[xX*#•](?<![\w*]\S)[xX*#•\d]{2}-?[xX*#•]{2}-?\d{4}(?!\w)"),
        ),
        Shape(
            "CARD",
            0.92,
            "masked",
            re.compile(
                r"[xX*•](?<![\w*]\S)[xX*•]{2,15}[ -]?(?:[xX*•]{4}[ -]?){0,3}\d{4}(?![\w]|-\d)"
            ),
        ),
        *(
            Shape(
                "CARD",
                0.97,
                "middle masked",
                re.compile(r"\d(?<![\w.]\d)\d{3}[ -]?(?:\d{2})?" + form + r"[ -]?\d{2,4}(?!\w)"),
                sign=sign,
            )
            for form, sign in (
                (r"\*{1,4}(?:[ -]?\*{2,8}){0,3}", "**"),
                (r"[xX]{2,4}(?:[ -]?[xX]{2,8}){0,3}", "xx"),
                (r"[xX]{2,4}(?:[ -]?[xX]{2,8}){0,3}", "XX"),
                (r"•{1,4}(?:[ -]?•{2,8}){0,3}", "••"),
            )
        ),
    ),
    examples=(
        ("xxx-xx-1120 and ***-**-1120", (("xxx-xx-1120", "SSN"), ("***-**-1120", "SSN"))),
        (
            "ending ****1111 or XXXX-XXXX-XXXX-1111",
            (("****1111", "CARD"), ("XXXX-XXXX-XXXX-1111", "CARD")),
        ),
        (
            "5105 **** **** 5100, 4012-88XX-XXXX-1881",
            (("5105 **** **** 5100", "CARD"), ("4012-88XX-XXXX-1881", "CARD")),
        ),
        ("xxx, ***, 2x4 and X-1120", ()),
    ),
)
