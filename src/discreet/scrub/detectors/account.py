"""Numbers of accounts, policies, members, and codes of banks."""

from __future__ import annotations

import re

from discreet.scrub.detectors.cue import NUMBER, CueDetector, is_said_or_long
from discreet.scrub.page import Page

_BANK = r"[A-Z]{4}(?:A[DELORTUZ]|[B-Z][A-Z])[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?!\w)"
_VALUE = re.compile(NUMBER.pattern + rf"|(?P<bank>{_BANK})")


def is_account(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether a value is long enough for its cue; letters alone are a bank's after SWIFT or BIC."""
    if re.fullmatch(r"MT\d{3}", page.text[start:end]):
        return False
    if any(map(str.isdigit, page.text[start:end])):
        return is_said_or_long(page, cue, start, end)
    return bool(re.search(r"swift|\bbic\b", cue, re.IGNORECASE))


ACCOUNT = CueDetector(
    "account",
    "numbers.txt",
    value=_VALUE,
    check=is_account,
    examples=(
        ("Account number: 12345678", (("12345678", "ACCOUNT"),)),
        ("acct #4471-2231", (("#4471-2231", "ACCOUNT"),)),
        ("sort code 12-34-56", (("12-34-56", "ACCOUNT"),)),
        ("Policy No. HX 4457812", (("HX 4457812", "ACCOUNT"),)),
        ("Member ID: XYZ123456789", (("XYZ123456789", "ACCOUNT"),)),
        ("BIC: DEUTDEFF500", (("DEUTDEFF500", "ACCOUNT"),)),
        ("routing number 021000021", (("021000021", "ACCOUNT"),)),
        ("my account CD29766841", (("CD29766841", "ACCOUNT"),)),
        ("SWIFT: BARCGB22XXX, BIC HELSFIHH", (("BARCGB22XXX", "ACCOUNT"), ("HELSFIHH", "ACCOUNT"))),
        ("Cheque account 61 2935 8064 7.", (("61 2935 8064 7", "ACCOUNT"),)),
        ("Acct: ******8093", (("******8093", "ACCOUNT"),)),
        ("house policy TR-3.602; member SERVICES", ()),
        ("On account of 3 things, policy 12 was dropped", ()),
    ),
)
