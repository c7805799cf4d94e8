"""Numbers of a patient's record, and of a patient."""

from __future__ import annotations

from discreet.scrub.detectors.cue import CueDetector

RECORD_NUMBER = CueDetector(
    "record_number",
    "numbers.txt",
    examples=(
        ("Patrick Hayes, M.D. 34764", (("34764", "RECORD"),)),
        ("MRN: 12345678", (("12345678", "RECORD"),)),
        ("CH#32-841-09787", (("32-841-09787", "RECORD"),)),
        ("Medical record number (MRN) is A-4471223", (("A-4471223", "RECORD"),)),
        ("chart # 44712", (("44712", "RECORD"),)),
        ("NHS number 943 476 5919", (("943 476 5919", "RECORD"),)),
        ("Patient ID 00231-B", (("00231-B", "RECORD"),)),
        ("We chart 12 hours; the record of 2014; patient 12 years old", ()),
    ),
)
