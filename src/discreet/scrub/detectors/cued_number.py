"""Numbers of cases, claims, orders, tickets and other papers, after a cue."""

from __future__ import annotations

from discreet.scrub.detectors.cue import CueDetector, is_said_or_long

CUED_NUMBER = CueDetector(
    "cued_number",
    "numbers.txt",
    check=is_said_or_long,
    examples=(
        ("Case No. 2019-CV-12345", (("2019-CV-12345", "ID"),)),
        ("claim number CL-123456", (("CL-123456", "ID"),)),
        ("Ticket #4471223", (("#4471223", "ID"),)),
        ("Case #: 2:19-cv-04567", (("2:19-cv-04567", "ID"),)),
        ("Order ID: 8H2KQ7", (("8H2KQ7", "ID"),)),
        ("your confirmation code is 8H2KQ7", (("8H2KQ7", "ID"),)),
        ("employee number 55231", (("55231", "ID"),)),
        ("Ref: 4471/A/22", (("4471/A/22", "ID"),)),
        ("In case 12 of 300 orders fail, order 20 tablets. Report No. 59, page number 33", ()),
        ("about order 4963990, ticket 5552/A/53", (("4963990", "ID"), ("5552/A/53", "ID"))),
        ("Report: 2019 was good. Case: 45-year-old man.", ()),
    ),
)
