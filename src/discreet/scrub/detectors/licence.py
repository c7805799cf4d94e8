"""Licences to drive or to practise, passports, identity cards, tax numbers."""

from __future__ import annotations

from discreet.scrub.detectors.cue import CueDetector, is_said_or_long

LICENCE = CueDetector(
    "licence",
    "numbers.txt",
    check=is_said_or_long,
    examples=(
        ("Driver's license S12345678", (("S12345678", "LICENSE"),)),
        ("DL#: D123-4567-8901", (("D123-4567-8901", "LICENSE"),)),
        ("NPI 1234567893", (("1234567893", "LICENSE"),)),
        ("DEA: AB1234563", (("AB1234563", "LICENSE"),)),
        ("passport number C01X00T47", (("C01X00T47", "ID"),)),
        ("VAT ID: DE123456789", (("DE123456789", "ID"),)),
        ("EIN 12-3456789", (("12-3456789", "ID"),)),
        ("licence TR 30962, HKID: K903617(5)", (("TR 30962", "LICENSE"), ("K903617(5)", "ID"))),
        ("licensed for 20 years, license 12, 3 passports", ()),
    ),
)
