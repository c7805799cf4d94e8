"""Numbers of accounts, policies, members, and codes of banks."""

from __future__ import annotations

from discreet.scrub.detectors.cue import CueDetector, is_said_or_long

ACCOUNT = CueDetector(
    "account",
    "numbers.txt",
    check=is_said_or_long,
    examples=(
        ("Account number: 12345678", (("12345678", "ACCOUNT"),)),
        ("acct #4471-2231", (("#4471-2231", "ACCOUNT"),)),
        ("sort code 12-34-56", (("12-34-56", "ACCOUNT"),)),
        ("Policy No. HX 4457812", (("HX 4457812", "ACCOUNT"),)),
        ("Member ID: XYZ123456789", (("XYZ123456789", "ACCOUNT"),)),
        ("BIC: DEUTDEFF500", (("DEUTDEFF500", "ACCOUNT"),)),
        ("routing number 021000021", (("021000021", "ACCOUNT"),)),
        ("my account CD29766841", (("CD29766841", "ACCOUNT"),)),
        ("On account of 3 things, policy 12 was dropped", ()),
    ),
)
