"""Names of fields stay where the values after them go."""

from __future__ import annotations

import pytest

from discreet.scrubbing.machine import Scrubber

ENGLISH = """Name: John Smith  Age: 45
Maiden Name: Okonkwo  MR No.: 4471234
Next of Kin: Mary Turner, DOB 03/14/1958, MRN 00812-33
Birthdate: March 3, 1994
E-mail: mary@foo.com  Tel. 617-255-1423
City: Halesworth  County: Suffolk  Hospital: Harrow Clinic
| Date of Birth | 03/14/1958 |
"""
GERMAN = """Vorname: Anna Nachname: Oberhuber  Alter: 45
Geb.-Dat.: 03.04.1958, Pat.-Nr. 4471234
Fall-Nr.:
8812993
Ort: Oberammergau  Tel. priv.: 089/1234567
SV-Nr.: 65 170839 J 003  KV-Nr. A123456780
MRN: 4471234  AZ: 4471/22
"""


@pytest.mark.parametrize(
    ("language", "text", "labels", "values"),
    [
        (
            "en",
            ENGLISH,
            ("Name:", "Age:", "Maiden Name:", "MR No.:", "Next of Kin:", "DOB", "MRN", "Birthdate:",
             "E-mail:", "Tel.", "City:", "County:", "Hospital:", "| Date of Birth |"),
            ("John", "Smith", "Okonkwo", "4471234", "Turner", "1958", "00812", "1994", "foo.com",
             "255-1423", "Halesworth", "Suffolk", "Harrow"),
        ),
        (
            "de",
            GERMAN,
            ("Vorname:", "Nachname:", "Alter:", "Geb.-Dat.:", "Pat.-Nr.", "Fall-Nr.:", "Ort:",
             "Tel. priv.:", "SV-Nr.:", "KV-Nr.", "MRN:", "AZ:"),
            ("Anna", "Oberhuber", "03.04.1958", "4471234", "8812993", "Oberammergau", "1234567",
             "170839", "A123456780", "4471/22"),
        ),
    ],
)  # fmt: skip
def test_labels_of_a_form_stay_and_their_values_go(
    language: str, text: str, labels: tuple[str, ...], values: tuple[str, ...]
) -> None:
    left = list(text)
    for finding in Scrubber(language).find(text):
        left[finding.start : finding.end] = "·" * (finding.end - finding.start)
    shown = "".join(left)
    assert [label for label in labels if label not in shown] == [], shown
    assert [value for value in values if value in shown] == [], shown


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Simon Street: I saw nothing.", "Simon Street"),
        ("Dr. Street: I saw nothing.", "Street"),
        ("Hello Mary Hall, Street: 12", "Mary Hall"),
        ("Mr. Contact called.", "Contact"),
    ],
)
def test_a_name_that_is_also_the_name_of_a_field_goes(text: str, name: str) -> None:
    found = [text[f.start : f.end] for f in Scrubber().find(text)]
    assert any(name in one for one in found), found
