"""Statistical areas by their codes: US census areas, NUTS regions, German municipalities."""

from __future__ import annotations

import re
from functools import cached_property

from discreet.hierarchy.known.tree_file import LabelPath, NamedTree

_FIPS = re.compile(r"(?:\d{3,7}US)?(\d{5}|\d{11}|\d{12}|\d{15})")
_NUTS = re.compile(r"([A-Z]{2})([0-9A-Z]{0,3})")
_MUNICIPALITY = re.compile(r"\d{8}|\d{12}")

_NUTS_CODES = (
    "AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK UK "
    "CH IS LI NO AL ME MK RS TR"
)
NUTS_COUNTRIES = frozenset(_NUTS_CODES.split())
"""Countries with NUTS or statistical regions; Greece is EL, and the United Kingdom was UK."""


class CensusAreas:
    """US census areas by their GEOID: block, block group, tract, county, state, division."""

    levels = ("block", "block group", "tract", "county", "state", "division", "region")

    @cached_property
    def _states(self) -> NamedTree:
        return NamedTree("us_states.txt")

    def find(self, text: str) -> LabelPath | None:
        """The name at each level of a county, or of an area in it, by its code."""
        match = _FIPS.fullmatch(text.strip())
        state = self._states.find_exact(match[1][:2]) if match else None
        if match is None or state is None:
            return None
        return (*(match[1][:length] for length in (15, 12, 11, 5)), *state)

    find_exact = find


class Nuts:
    """Regions of the European NUTS classification: levels 3, 2 and 1, and the country."""

    levels = ("NUTS 3", "NUTS 2", "NUTS 1", "country")

    @cached_property
    def _countries(self) -> NamedTree:
        return NamedTree("countries.txt")

    def find(self, text: str) -> LabelPath | None:
        """The name at each level of a region of NUTS level 1, 2 or 3."""
        match = _NUTS.fullmatch(text.strip().upper())
        if match is None or match[1] not in NUTS_COUNTRIES or not match[2]:
            return None
        code = match[0]
        country = self._countries.find_exact(match[1])
        return code, code[:4], code[:3], country[0] if country else match[1]

    find_exact = find


class GermanMunicipalities:
    """German municipalities (LAU) by their official key: district, government region, state."""

    levels = ("municipality", "district", "government region", "state", "part")

    @cached_property
    def _states(self) -> NamedTree:
        return NamedTree("german_states.txt")

    def find(self, text: str) -> LabelPath | None:
        """The name at each level of a municipality, by its key of eight or twelve digits."""
        plain = text.strip().replace(" ", "")
        state = self._states.find_exact(plain[:2]) if _MUNICIPALITY.fullmatch(plain) else None
        if state is None:
            return None
        return plain, plain[:5], plain[:3], *state

    find_exact = find
