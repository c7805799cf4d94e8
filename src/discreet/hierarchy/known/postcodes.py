"""Postal codes by their structure: US ZIP codes, UK, Canadian and German postcodes."""

from __future__ import annotations

import re

from discreet.hierarchy.known.tree_file import LabelPath, NamedTree, read_lines

_ZIP = re.compile(r"(\d{5})(?:-?\d{4})?")
_ZIP3 = re.compile(r"(\d{3})(?:\*\*|xx)?", re.IGNORECASE)
_UK = re.compile(r"([A-Z]{1,2})(\d[A-Z\d]?)(?:\s*(\d)([A-Z]{2}))?")
_CANADA = re.compile(r"([ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z])(?:[ -]?(\d[ABCEGHJ-NPRSTV-Z]\d))?")
_GERMANY = re.compile(r"(?:D[- ]?)?(\d{5})")

PACIFIC, TERRITORIES = "Guam and other Pacific islands", "Territories"


class ZipCodes:
    """US ZIP codes: the first three digits, the state they are assigned to, the census division.

    A handful of ZIP codes are in another state than the rest of their prefix (06390 is in New
    York); they go with their prefix, so that the levels stay nested.
    """

    levels = ("five digits", "three digits", "state", "division", "region")

    def __init__(self) -> None:
        states = NamedTree("us_states.txt")
        self._areas: dict[str, tuple[str, ...]] = {}
        for line in read_lines("zip_states.txt"):
            span, _, code = line.name.partition(" ")
            first, _, last = span.partition("-")
            path = states.find_exact(code) or (code,)
            if code == "GU":
                path = (PACIFIC, *path[1:])
            for number in range(int(first), int(last or first) + 1):
                self._areas[f"{number:03d}"] = path

    def find(self, text: str) -> LabelPath | None:
        """The name at each level of a ZIP code, a ZIP+4 or the first three digits."""
        plain = text.strip()
        match = _ZIP.fullmatch(plain) or _ZIP3.fullmatch(plain)
        area = self._areas.get(match[1][:3]) if match else None
        if match is None or area is None:
            return None
        three = f"{match[1][:3]}**"
        return (match[1] if len(match[1]) == 5 else three, three, *area)

    find_exact = find


class UkPostcodes:
    """UK postcodes: sector, district and area, which is named after its main town."""

    levels = ("postcode", "sector", "district", "area")

    def __init__(self) -> None:
        lines = read_lines("uk_postcode_areas.txt")
        self._areas = {line.name.partition(" ")[0]: line.name for line in lines}

    def find(self, text: str) -> LabelPath | None:
        """The name at each level of a postcode or its first half."""
        match = _UK.fullmatch(text.strip().upper())
        if match is None or match[1] not in self._areas:
            return None
        district = match[1] + match[2]
        sector = f"{district} {match[3]}" if match[3] else district
        postcode = sector + (match[4] or "")
        return postcode, sector, district, self._areas[match[1]]

    find_exact = find


class CanadianPostcodes:
    """Canadian postal codes: forward sortation area, postal district, province, region."""

    levels = ("postcode", "forward sortation area", "district", "province", "region")

    def __init__(self) -> None:
        regions = NamedTree("canadian_provinces.txt")
        self._districts: dict[str, tuple[str, str, str]] = {}
        for line in read_lines("canadian_districts.txt"):
            if line.above:
                province = line.above[0]
                path = regions.find_exact(province)
                region = path[-1] if path else TERRITORIES
                self._districts[line.name[0]] = (line.name, province, region)

    def find(self, text: str) -> LabelPath | None:
        """The name at each level of a postal code or its first half."""
        match = _CANADA.fullmatch(text.strip().upper())
        if match is None:
            return None
        area = match[1]
        code = f"{area} {match[2]}" if match[2] else area
        return code, area, *self._districts[area[0]]

    find_exact = find


class GermanPostcodes:
    """German Postleitzahlen by their first digits; their zones and regions have no names."""

    levels = ("five digits", "three digits", "region", "zone")

    def find(self, text: str) -> LabelPath | None:
        """The name at each level of a code of five digits."""
        match = _GERMANY.fullmatch(text.strip())
        if match is None or match[1] < "01001":
            return None
        code = match[1]
        return code, f"{code[:3]}**", f"{code[:2]}***", f"{code[0]}****"

    find_exact = find
