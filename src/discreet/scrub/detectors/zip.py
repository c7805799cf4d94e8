"""ZIP codes and numeric postcodes, by what stands before them."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector

ZIP = TemplateDetector(
    "zip",
    "places.txt",
    examples=(
        ("ZIP code: 02139", (("02139", "ZIP"),)),
        ("my zip is 02139-4307", (("02139-4307", "ZIP"),)),
        ("Postcode: LS1 4AP", (("LS1 4AP", "ZIP"),)),
        ("MA 02139", (("02139", "ZIP"),)),
        ("We counted 12345 cells.", ()),
    ),
)
