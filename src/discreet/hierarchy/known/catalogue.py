"""The hierarchies that come with the package, and the columns each is meant for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Protocol

from discreet.display import dataclass
from discreet.hierarchy.known.areas import CensusAreas, GermanMunicipalities, Nuts
from discreet.hierarchy.known.code_tree import (
    Atc,
    Nace,
    PrefixCodes,
    RangedCodes,
    look_like_diagnoses,
    read_icd9,
    read_icd10,
    read_icd10_cm,
    read_isco,
    read_naics,
    read_soc,
    write_soc,
)
from discreet.hierarchy.known.measured import Ages, BloodGroups, Times
from discreet.hierarchy.known.postcodes import (
    CanadianPostcodes,
    GermanPostcodes,
    UkPostcodes,
    ZipCodes,
)
from discreet.hierarchy.known.tree_file import LabelPath, NamedTree, hash_file


class Standard(Protocol):
    """A classification that gives the name of a value at each of its levels."""

    @property
    def levels(self) -> tuple[str, ...]:
        """The names of its levels, the finest first."""
        ...

    def find(self, text: str) -> LabelPath | None:
        """The name of a text at each level, the finest first; None if it is not known."""
        ...

    def find_exact(self, text: str) -> LabelPath | None:
        """The same, for correctly spelled texts only."""
        ...


@dataclass(frozen=True)
class Entry:
    """One hierarchy of the catalogue.

    Parameters
    ----------
    name
        Its name in a policy.
    title
        A short description, such as "countries by UN region".
    make
        Makes the standard and reads its data.
    headings
        Words in column names that suggest this kind.
    alone
        The number of distinct names that is convincing without such a word; None if no number is.
    refused
        Words in column names that rule this kind out.
    files
        Its data files, if it has any.
    after
        Another hierarchy that is preferred if both fit the values equally well.
    whole
        Whether its finest level is already a group (ages) and not the value in another spelling.
    plausible
        Whether the matching codes, with their paths, are distributed like those of the standard;
        checked if the column's name says nothing.
    """

    name: str
    title: str
    make: Callable[[], Standard]
    headings: tuple[str, ...]
    alone: int | None = None
    refused: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    after: str | None = None
    whole: bool = False
    plausible: Callable[[Sequence[str], Sequence[LabelPath]], bool] | None = None

    def list_default_levels(self) -> tuple[str, ...]:
        """The levels above the values as found, if a policy names none."""
        levels = load_standard(self.name).levels
        return levels if self.whole or len(levels) == 1 else levels[1:]


def _make_tree(name: str, title: str, headings: str, alone: int | None = None) -> Entry:
    file = f"{name.replace('-', '_')}.txt"
    return Entry(name, title, partial(NamedTree, file), _split(headings), alone, files=(file,))


def _split(words: str) -> tuple[str, ...]:
    return tuple(word.replace(" ", "") for word in words.split(","))


DIAGNOSES = _split(
    "icd, diagnosis, diag, diagnosen, diagnose, dx, cause of death, todesursache, icd code"
)
NUMBERED = _split(
    "room, seat, gate, flight, course, product, article, item, sku, plate, road, route"
)
"""Other things that are numbered with a letter and digits."""
OCCUPATIONS = "occupation, job, job title, profession, beruf, taetigkeit, tatigkeit"
INDUSTRIES = "industry, sector, branche, wirtschaftszweig, economic activity"

ENTRIES: tuple[Entry, ...] = (
    _make_tree(
        "countries",
        "countries by UN region",
        "country, nation, nationality, citizenship, citizen, land, staat, herkunft, origin, "
        "herkunftsland, geburtsland, birthplace, place of birth, staatsangehoerigkeit, "
        "staatsangehorigkeit, nationalitat, nationalitaet, pays, pais",
        3,
    ),
    _make_tree(
        "us-states",
        "US states by census division and region",
        "state, us state, province, st, region, birthplace, place of birth",
        4,
    ),
    _make_tree(
        "canadian-provinces",
        "Canadian provinces by region",
        "province, prov, territory, state, region",
        3,
    ),
    _make_tree(
        "german-states",
        "German Länder by part of the country",
        "bundesland, land, state, region, federal state",
        3,
    ),
    _make_tree(
        "uk-regions",
        "regions and countries of the United Kingdom",
        "region, country, government region, nation, gor",
        4,
    ),
    Entry(
        "icd-10",
        "ICD-10 categories, blocks and chapters",
        partial(
            RangedCodes,
            "icd10.txt",
            ("code", "subcategory", "category", "block", "chapter"),
            read_icd10,
        ),
        (*DIAGNOSES, "icd10"),
        alone=8,
        refused=NUMBERED,
        files=("icd10.txt",),
        plausible=look_like_diagnoses,
    ),
    Entry(
        "icd-10-cm",
        "ICD-10-CM categories, blocks and chapters",
        partial(
            RangedCodes,
            "icd10cm.txt",
            ("code", "subcategory", "category", "block", "chapter"),
            read_icd10_cm,
        ),
        (*DIAGNOSES, "icd10", "icd10cm"),
        alone=8,
        refused=NUMBERED,
        plausible=look_like_diagnoses,
        files=("icd10cm.txt",),
        after="icd-10",
    ),
    Entry(
        "icd-9-cm",
        "ICD-9-CM categories, sections and chapters",
        partial(RangedCodes, "icd9.txt", ("code", "category", "section", "chapter"), read_icd9),
        (*DIAGNOSES, "icd9", "icd9cm"),
        files=("icd9.txt",),
    ),
    Entry(
        "atc",
        "ATC groups of medicines",
        Atc,
        _split("atc, drug, medication, medicine, medikament, wirkstoff, substance, atc code"),
        alone=5,
        files=("atc.txt",),
    ),
    Entry(
        "isco-08",
        "occupations by ISCO-08 group",
        partial(
            PrefixCodes,
            "isco.txt",
            {"unit group": 4, "minor group": 3, "sub-major group": 2, "major group": 1},
            read_isco,
            3,
        ),
        (*_split(OCCUPATIONS), "isco", "isco08"),
        files=("isco.txt",),
    ),
    Entry(
        "soc",
        "occupations by SOC group",
        partial(
            PrefixCodes,
            "soc.txt",
            {"occupation": 6, "broad group": 5, "minor group": 3, "major group": 2, "summary": 0},
            read_soc,
            2,
            write_soc,
        ),
        (*_split(OCCUPATIONS), "soc", "onet"),
        files=("soc.txt",),
    ),
    _make_tree("census-occupations", "occupations by US census summary group", OCCUPATIONS, 4),
    Entry(
        "nace",
        "industries by NACE Rev. 2 division and section",
        Nace,
        (*_split(INDUSTRIES), "nace", "isic", "wz", "wz2008"),
        files=("nace.txt",),
    ),
    Entry(
        "naics",
        "industries by NAICS subsector and sector",
        partial(
            PrefixCodes,
            "naics.txt",
            {
                "national industry": 6,
                "industry": 5,
                "industry group": 4,
                "subsector": 3,
                "sector": 2,
            },
            read_naics,
            3,
        ),
        (*_split(INDUSTRIES), "naics"),
        files=("naics.txt",),
    ),
    _make_tree(
        "education",
        "education by ISCED level",
        "education, educational attainment, schooling, school, degree, qualification, isced, "
        "bildung, bildungsabschluss, schulabschluss, abschluss, highest degree, schulbildung",
        5,
    ),
    _make_tree(
        "languages",
        "languages by family",
        "language, lang, mother tongue, sprache, muttersprache, first language, native language",
    ),
    Entry(
        "us-zip-codes",
        "US ZIP codes by state and census division",
        ZipCodes,
        _split("zip, zip code, zip5, zip3, zcta, us zip"),
        files=("us_states.txt", "zip_states.txt"),
    ),
    Entry(
        "uk-postcodes",
        "UK postcodes by sector, district and area",
        UkPostcodes,
        _split("postcode, post code, postal code, zip, zip code, postcode district, pcd"),
        alone=5,
        files=("uk_postcode_areas.txt",),
    ),
    Entry(
        "canadian-postcodes",
        "Canadian postal codes by province",
        CanadianPostcodes,
        _split("postal code, postcode, post code, zip, zip code, fsa, code postal"),
        alone=5,
        files=("canadian_provinces.txt", "canadian_districts.txt"),
    ),
    Entry(
        "german-postcodes",
        "German postcodes by their first digits",
        GermanPostcodes,
        _split("plz, postleitzahl"),
    ),
    Entry(
        "ages",
        "ages in the groups that statistical offices publish",
        Ages,
        _split("age, alter, lebensalter, age years, patient age, age group, altersgruppe, edad"),
        refused=_split("birth, marker, gap, difference, estimate, limit, months, days, weeks"),
        whole=True,
    ),
    Entry(
        "times",
        "times of day by hour and part of the day",
        Times,
        _split("time, uhrzeit, zeit, hour, stunde, time of day, clock"),
        alone=8,
        refused=_split("duration, dauer, elapsed, length, runtime, pace, waiting, split, laufzeit"),
        whole=True,
    ),
    _make_tree(
        "marital-status",
        "marital status in groups",
        "marital, marital status, civil status, familienstand, married, personenstand",
        4,
    ),
    _make_tree(
        "race",
        "race and ethnicity by OMB category",
        "race, ethnicity, ethnic, ethnic group, racial, race ethnicity",
    ),
    _make_tree(
        "hispanic-origin", "Hispanic origin", "hispanic, hispanic origin, ethnicity, latino"
    ),
    _make_tree("sex", "sex or gender", "sex, gender, geschlecht, m f", 2),
    _make_tree(
        "employment-status",
        "employment status by labour force group",
        "employment, employment status, work status, employed, labour force, labor force, "
        "erwerbsstatus, erwerbstatigkeit, beschaftigung, job status, occupation, berufsstatus",
        5,
    ),
    _make_tree(
        "class-of-worker",
        "class of worker by sector",
        "workclass, class of worker, work class, cow, employer type, employment, sector",
        4,
    ),
    Entry(
        "blood-groups",
        "blood groups without the rhesus factor",
        BloodGroups,
        _split("blood, blood group, blood type, blutgruppe, abo"),
        refused=_split("pressure, sugar, glucose"),
    ),
    _make_tree(
        "religions",
        "religions",
        "religion, faith, denomination, konfession, religious affiliation, glaube, church",
    ),
    _make_tree(
        "relationships",
        "relationship to the householder",
        "relationship, relation, household relationship, verwandtschaft, relate, relp",
        4,
    ),
    Entry(
        "us-census-areas",
        "US census areas by county, state and division",
        CensusAreas,
        _split(
            "fips, geoid, county, county fips, county code, tract, census tract, census block, "
            "block group, geo id, ctfips"
        ),
        files=("us_states.txt",),
    ),
    Entry(
        "nuts",
        "NUTS regions of level 3, 2 and 1",
        Nuts,
        _split("nuts, nuts3, nuts2, nuts1, nuts code, nuts id"),
        files=("countries.txt",),
    ),
    Entry(
        "german-municipalities",
        "German municipalities by district and state",
        GermanMunicipalities,
        _split(
            "ags, lau, gemeindeschlussel, gemeindeschluessel, gemeinde, gemeindekennziffer, "
            "regionalschlussel, regionalschluessel, ars, municipality"
        ),
        files=("german_states.txt",),
    ),
)
"""Every hierarchy of the catalogue, in the order of the reference."""

CATALOGUE = {entry.name: entry for entry in ENTRIES}


@cache
def load_standard(name: str) -> Standard:
    """The standard of an entry, whose data is read on first use."""
    return CATALOGUE[name].make()


def hash_edition(name: str) -> str:
    """A hash of everything that determines the names of values, to notice a newer edition."""
    entry = CATALOGUE[name]
    said = f"{name} {RULES} {' '.join(map(hash_file, entry.files))}"
    return hashlib.sha256(said.encode()).hexdigest()


RULES = 1
"""The version of the rules that read codes, to be raised when their answers change."""
