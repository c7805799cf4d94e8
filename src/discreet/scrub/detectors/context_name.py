"""Names told by the words around them: greetings, signatures, labels, family, speech."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.detectors.full_name import is_no_place

CONTEXT_NAME = TemplateDetector(
    "context_name",
    "names.txt",
    check=is_no_place,
    examples=(
        ("Dear Bob,", (("Bob", "NAME"),)),
        ("Dear Team,", ()),
        ("Name: Ada Okonkwo", (("Ada Okonkwo", "NAME"),)),
        ("my name is ada", (("ada", "NAME"),)),
        ("Her sister Ann came.", (("Ann", "NAME"),)),
        ("likes to be called Ace.", (("Ace", "NAME"),)),
        ("She called Dr. on Monday.", ()),
    ),
)
