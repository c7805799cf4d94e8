"""The other kinds: same form, never a real number or address."""

from __future__ import annotations

import ipaddress
import re
from pathlib import Path

import pytest

import discreet
from discreet.errors import SourceError
from discreet.kinds.checksums import has_vin_check_digit, luhn, mod_97
from discreet.kinds.zip_area import ZipTable
from discreet.scrubbing.replace import Replacer
from discreet.scrubbing.replace.kinds import MAY_STAY, REPLACERS
from discreet.scrubbing.replace.numbers import break_iban, break_luhn, break_vin
from tests.scrubbing.replace.applied import KEY, replaced


@pytest.mark.parametrize(
    ("kind", "text", "shape"),
    [
        # figure 110 and 113
        ("PHONE", "255-1423", r"555-01\d\d"),
        ("PHONE", "(304) 255-1423", r"\([2-9]\d\d\) 555-01\d\d"),
        ("PHONE", "304/ 255-1423", r"[2-9]\d\d/ 555-01\d\d"),
        ("PHONE", "255-1000 ext 1423", r"555-01\d\d ext \d{4}"),
        ("PHONE", "phone: 255-1423", r"phone: 555-01\d\d"),
        ("PHONE", "extension 1423", r"extension \d{4}"),
        ("FAX", "+1 304.255.1423", r"\+1 [2-9]\d\d\.555\.01\d\d"),
        ("PHONE", "+44 20 7946 0018", r"\+44 00 0\d{3} \d{4}"),
        ("PHONE", "1-800-FLOWERS", r"\[PHONE\]"),
        ("SSN", "123-45-6789", r"9\d\d-(0[1-9]|[1-4]\d)-\d{4}"),
        ("SSN", "123456789", r"9\d\d(0[1-9]|[1-4]\d)\d{4}"),
        ("SSN", "xxx-xx-6789", r"xxx-xx-\d{4}"),
        ("RECORD", "CH#32-841-09787", r"CH#\d\d-\d{3}-\d{5}"),
        ("LICENSE", "S123-ab", r"[A-Z]\d{3}-[a-z]{2}"),
        ("CARD", "4111 1111 1111 1111", r"\d{4} \d{4} \d{4} \d{4}"),
        ("IBAN", "DE89 3704 0044 0532 0130 00", r"DE\d\d \d{4} \d{4} \d{4} \d{4} \d\d"),
        ("VEHICLE", "1M8GDM9AXKP042788", r"\d[A-Z]\d[A-Z]{3}\d[A-Z]{4}\d{6}"),
        ("DEVICE", "00:1A:2B:3C:4D:5E", r"00:00:5E:00:53:[0-9A-F]{2}"),
        ("EMAIL", "F.Graves12@Partners.org", r"[A-Z]\.[A-Z][a-z]+\d\d@[a-z]+\.example"),
        ("URL", "https://www.partners.org/a/12", r"https://www\.[a-z]+\.example/[a-z]/\d\d"),
        ("USERNAME", "frank_graves88", r"[a-z]+_[a-z]+\d\d"),
        ("STREET", "18 Huntington Ave", r"\d\d [A-Z][a-z]+ Ave"),
        ("STREET", "123 N. 22nd St. Apt 4B", r"\d{3} N\. \d\d(st|nd|rd|th) St\. Apt \d[A-Z]"),
        ("STREET", "South Street", r"[A-Z][a-z]+ Street"),
        ("CITY", "BOSTON", r"[A-Z]+"),
        ("CITY", "St. Louis", r"St\. [A-Z][a-z]+"),
        ("ORGANIZATION", "St. John's Hospital", r"St\. [A-Z][a-z]+'s Hospital"),
        ("ORGANIZATION", "Marina Corp", r"[A-Z][a-z]+ Corp"),
        ("ORGANIZATION", "IBM", r"[A-Z]{3}"),
        ("ADDRESS", "Huntington 18\nBoston, MA 02151", r"[A-Z][a-z]+ \d\d\n[A-Z][a-z]+, MA 02100"),
        ("LOCATION", "Cambridge, Massachusetts, USA", r"[A-Z][a-z]+, Massachusetts, USA"),
        ("BLOCK", "RE: Virginia Townsend\nCH#32-841-09787\nDOB 05/26/86",
         r"RE: [A-Z][a-z]+ [A-Z][a-z]+\nCH#\d\d-\d{3}-\d{5}\nDOB 05/01/86"),
        ("TEAM", "U. S. Junior Gymnastics team", r"\[TEAM\]"),
        ("PASSWORD", "hunter2", r"\[PASSWORD\]"),
        ("SOMETHING", "new", r"\[SOMETHING\]"),
    ],
)  # fmt: skip
def test_the_form_stays(kind: str, text: str, shape: str) -> None:
    new = replaced(kind, text)
    assert re.fullmatch(shape, new), new
    assert new != text


def test_a_name_before_a_number_is_no_label() -> None:
    assert "Graves" not in replaced("RECORD", "Graves: 12345")
    assert "Graves" not in replaced("PHONE", "Graves 255-1423")
    assert "Graves" not in replaced("BLOCK", "Frank Graves: 255-1423\nMRN: 12345")
    assert replaced("RECORD", "Medical Record No.: 12345").startswith("Medical Record No.: ")


@pytest.mark.parametrize(
    "odd", ["", ".", "@", "a@.", "½", "\u0301", "\ud800", "²", "x", "://", "0"]
)
def test_odd_values_of_any_kind_do_not_stay(odd: str) -> None:
    for kind in set(REPLACERS) - MAY_STAY:
        assert replaced(kind, odd + " ") != odd + " "


def test_one_number_in_two_forms_has_one_replacement() -> None:
    assert replaced("PHONE", "(304) 255-1423")[-8:] == replaced("PHONE", "255-1423")
    assert replaced("SSN", "123-45-6789").replace("-", "") == replaced("SSN", "123456789")
    assert replaced("RECORD", "32-841")[-3:] == replaced("ID", "MRN: 32841")[-3:]
    assert replaced("EMAIL", "a@b.org").split("@")[1] == replaced("URL", "http://www.b.org")[11:]


@pytest.mark.parametrize("address", ["10.1.2.3", "8.8.8.8", "fe80::1", "2001:4860:4860::8888"])
def test_network_addresses_are_of_documentation_ranges(address: str) -> None:
    new = ipaddress.ip_address(replaced("IP", address))
    ranges = ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
    assert any(new in ipaddress.ip_network(n) for n in ranges)


def test_check_digits_are_wrong() -> None:
    for last in range(1000):
        card = replaced("CARD", f"4111 1111 1111 {last:04d}") if last < 40 else f"4{last:015d}"
        assert not luhn(break_luhn(card).replace(" ", ""))
    assert not mod_97(break_iban("DE89370400440532013000"))
    assert not has_vin_check_digit(break_vin("1M8GDM9AXKP042788"))
    assert break_luhn("1234567893") != "1234567893"  # a provider number that passes


@pytest.mark.parametrize(
    ("found", "new"),
    [
        ("94", "90 or older"),
        ("94 years old", "90 years or older"),
        ("94-year-old", "90-plus-year-old"),
        ("ninety-four", "90 or older"),
        ("aged 101", "aged 90 or older"),
        ("one hundred and two", "[AGE]"),
        ("89", "89"),
        ("90", "90 or older"),
        ("7 and 6/12 year old", "7 and 6/12 year old"),
        ("9" * 5000, "[AGE]"),
    ],
)
def test_ages_above_89_are_lumped(found: str, new: str) -> None:
    assert replaced("AGE", found) == new


@pytest.mark.parametrize(
    ("found", "new"),
    [
        ("02151", "02100"),  # figure 108
        ("02151-1234", "02100-0000"),
        ("03601", "00000"),  # 036 has fewer than 20,000 people
        ("SW1A 1AA", "XX0X 0XX"),
    ],
)
def test_zip_codes_go_by_population(found: str, new: str) -> None:
    assert replaced("ZIP", found) == new


@pytest.mark.parametrize("area", ["753", "772", "202", "204", "205", "369", "036", "099"])
def test_zip_areas_that_are_small_today_are_not_kept(area: str) -> None:
    assert replaced("ZIP", f"{area}10") == "00000"
    assert f"{area}00" not in (replaced("ADDRESS", f"12 Oak Street, Dallas, TX {area}10") or "")


def test_texts_and_safe_harbor_go_by_one_table_of_zip_areas() -> None:
    table = ZipTable.load()
    for number in range(1000):
        area = f"{number:03}"
        assert replaced("ZIP", f"{area}77") == (f"{area}00" if table.keeps(area) else "00000")
    folder = Path(discreet.__file__).parent
    tables = list(folder.rglob("*zip*.csv"))
    assert [path.name for path in tables] == [table.file]
    assert table.date == "2020-04-01"


def test_the_table_of_zip_areas_can_be_replaced(tmp_path: Path) -> None:
    head = "# source: a test\n# date: 2030-04-01\nzip3,population\n"
    (tmp_path / "zips.csv").write_text(f"{head}021,500\n036,50000\n")
    assert replaced("ZIP", "02151", zips=tmp_path / "zips.csv") == "00000"
    assert replaced("ZIP", "03651", zips=tmp_path / "zips.csv") == "03600"
    (tmp_path / "bad.csv").write_text("2151\n")
    with pytest.raises(SourceError, match="zip3,population"):
        Replacer(key=KEY, zips=tmp_path / "bad.csv")


def test_states_stay_become_regions_or_go() -> None:
    new = [replaced("STATE", "MA", places=places) for places in ("keep", "region", "remove")]
    assert new == ["MA", "Northeast", "[STATE]"]
    assert replaced("COUNTRY", "France") == "France"


def test_german_kinds() -> None:
    assert replaced("ZIP", "10115", language="de") == "10000"
    assert re.fullmatch(r"\w+straße \d", replaced("STREET", "Hauptstraße 5", language="de"))
    assert replaced("AGE", "94 Jahre alt", language="de") == "90 Jahre oder älter"
    assert replaced("PHONE", "030 1234567", language="de").startswith("000 ")
    assert replaced("NAME", "Herr Dr. Müller", language="de").startswith("Herr Dr. ")


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("centenarian", "[AGE]"),
        ("a hundred years old", "[AGE]"),
        ("hundred and one", "[AGE]"),
        ("91.5", "90 or older"),
        ("120 months", "120 months"),
        ("3 months and 95 years", "[AGE]"),
        ("89", "89"),
        ("90", "90 or older"),
    ],
)
def test_no_way_to_write_an_age_above_89_stays(text: str, new: str) -> None:
    assert replaced("AGE", text) == new


def test_a_record_number_of_five_digits_in_a_block_is_no_zip_code() -> None:
    new = replaced("BLOCK", "MRN: 12345\nAge: 95\nKeene NH 03601\nZIP: 02138")
    assert "12345" not in new and "123" not in new
    assert new.split("\n")[1] == "Age: 90 or older"
    assert new.endswith("NH 00000\nZIP: 02100")


def test_of_a_network_address_no_name_stays_behind_it() -> None:
    assert "frank" not in replaced("IP", "fe80::1%frank")
    assert replaced("IP", "10.0.0.1/24/frank") == "[IP]"
    assert replaced("IP", "10.0.0.1:8080").endswith(":8080")
