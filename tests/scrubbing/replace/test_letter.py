"""Figures 107 and 108 of the thesis: the letter and what becomes of it."""

from __future__ import annotations

import re

from discreet.scrubbing.replace import Replacer
from tests.scrubbing.replace.applied import KEY, found

LETTER = """Wednesday, February 2, 1994
Marjorie Long, M.D.   RE: Virginia Townsend
St. John's Hospital   CH#32-841-09787
Huntington 18         DOB 05/26/86
Boston, MA 02151
Dear Dr. Lang:
I feel much better after seeing Virginia this time. As you know, Dot is a 7 and 6/12 year old female
in follow up for insulin dependent diabetes mellitus diagnosed in June of 1993 by Dr. Frank at
Brigham's. She is currently on Lily Human Insulin and is growing and gaining weight normally. She
will start competing again with the U. S. Junior Gymnastics team. We will contact Mrs. Hodgkins in a
week at Marina Corp 473-1214 to schedule a follow-up visit for her daughter.
Patrick Hayes, M.D. 34764
"""
ITALIC = (
    ("Wednesday, February 2, 1994", "DATE"), ("Marjorie Long, M.D.", "NAME"),
    ("Virginia Townsend", "NAME"), ("St. John's Hospital", "ORGANIZATION"),
    ("CH#32-841-09787", "RECORD"), ("Huntington 18", "STREET"), ("05/26/86", "DATE"),
    ("Boston", "CITY"), ("MA", "STATE"), ("02151", "ZIP"), ("Dr. Lang", "NAME"), ("Dot", "NAME"),
    ("7 and 6/12 year old", "AGE"), ("June of 1993", "DATE"), ("Dr. Frank", "NAME"),
    ("Brigham's", "ORGANIZATION"), ("U. S. Junior Gymnastics team", "TEAM"),
    ("Mrs. Hodgkins", "NAME"), ("Marina Corp", "ORGANIZATION"), ("473-1214", "PHONE"),
    ("Patrick Hayes, M.D.", "NAME"), ("34764", "PHONE"), ("Virginia ", "NAME"),
)  # fmt: skip


def test_figure_107_becomes_figure_108() -> None:
    findings = found(LETTER, *ITALIC)
    new = Replacer(key=KEY, dates="month-only").apply(LETTER, findings).text
    name = r"[A-Z][a-z]+"
    forms = [
        r"\AFebruary, 1994\n",
        rf"\n{name} {name}, M\.D\.   RE: {name} {name}\n",
        rf"\nSt\. {name}'s Hospital   CH#\d\d-\d{{3}}-\d{{5}}\n",
        rf"\n{name} \d\d         DOB 05/86\n",
        rf"\n{name}, MA 02100\n",
        rf"\nDear Dr\. {name}:",
        rf"know, {name} is a 7 and 6/12 year old",
        rf"June of 1993 by Dr\. {name} at\n{name}'s\.",
        r"with the \[TEAM\]\.",
        rf"contact Mrs\. {name} in a\nweek at {name} Corp 555-01\d\d to",
        rf"\n{name} {name}, M\.D\. \d{{5}}\n",
    ]
    assert [form for form in forms if not re.search(form, new)] == []
    assert "Lily Human Insulin" in new and "diabetes mellitus" in new
    gone = ("Long", "Virginia", "Townsend", "Boston", "Lang", "Dot", "Frank", "Brigham", "Hodgkins")
    assert [
        word for word in (*gone, "Marina", "Hayes", "Huntington", "473", "02151") if word in new
    ] == []
    patient = re.search(rf"RE: ({name})", new)
    assert patient and f"seeing {patient[1]} this time" in new
