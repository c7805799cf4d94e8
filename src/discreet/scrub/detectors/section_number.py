"""Numbers of sections, figures, pages and versions: kept, as they point into a text."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector

SECTION_NUMBER = TemplateDetector(
    "section_number",
    "numbers.txt",
    keep=True,
    examples=(
        ("see section 3.2.1 and page 33", (("section 3.2.1", "SECTION"), ("page 33", "SECTION"))),
        ("version 10.0.19041.1", (("version 10.0.19041.1", "SECTION"),)),
        ("driver 7.2.4.305", (("driver 7.2.4.305", "SECTION"),)),
        ("upgraded it to 4.12.21", (("4.12.21", "SECTION"),)),
        ('"sku": "QRT-0098-BLK"', (('sku": "QRT-0098-BLK', "SECTION"),)),
        ("the page was 33 lines; call line 0304 255", ()),
    ),
)
