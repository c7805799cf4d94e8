"""Places, streets and the names of organizations: real, made up, in three countries."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from tests.scrubbing.corpus.listed import listed
from tests.scrubbing.corpus.words import last_name, syllables

US_CITIES = listed("""Boston|MA|021 Worcester|MA|016 Peabody|MA|019 Hartford|CT|061 Albany|NY|122
Yonkers|NY|107 Newark|NJ|071 Scranton|PA|185 Toledo|OH|436 Dayton|OH|454 Flint|MI|485
Kalamazoo|MI|490 Peoria|IL|616 Duluth|MN|558 Fargo|ND|581 Omaha|NE|681 Tulsa|OK|741
Waco|TX|767 El_Paso|TX|799 Santa_Fe|NM|875 Boise|ID|837 Spokane|WA|992 Eugene|OR|974
Bakersfield|CA|933 San_Luis_Obispo|CA|934 Baton_Rouge|LA|708 Chattanooga|TN|374
Winston-Salem|NC|271 Coeur_d'Alene|ID|838 St._Paul|MN|551 Truth_or_Consequences|NM|879
Mobile|AL|366 Reading|PA|196 Orange|CA|928""")
STATE_NAMES = {
    "MA": "Massachusetts", "CT": "Connecticut", "NY": "New York", "NJ": "New Jersey",
    "PA": "Pennsylvania", "OH": "Ohio", "MI": "Michigan", "IL": "Illinois", "MN": "Minnesota",
    "ND": "North Dakota", "NE": "Nebraska", "OK": "Oklahoma", "TX": "Texas", "NM": "New Mexico",
    "ID": "Idaho", "WA": "Washington", "OR": "Oregon", "CA": "California", "LA": "Louisiana",
    "TN": "Tennessee", "NC": "North Carolina", "AL": "Alabama",
}  # fmt: skip
UK_CITIES = listed("""
Leeds|LS Sheffield|S Bristol|BS Norwich|NR Exeter|EX Wigan|WN Stoke-on-Trent|ST
Ashby-de-la-Zouch|LE Aberdeen|AB Swansea|SA Hull|HU Bath|BA Reading|RG""")
DE_CITIES = listed("""
Köln|50 Münster|48 Göttingen|37 Bad_Homburg|61 Frankfurt_am_Main|60 Halle_(Saale)|06
Würzburg|97 Kiel|24 Rosenheim|83 Castrop-Rauxel|44""")
US_STREETS = listed("""
Street St St. Avenue Ave Ave. Road Rd Rd. Lane Ln Drive Dr Boulevard Blvd Court Ct
Circle Terrace Way Parkway Pkwy Place Pl Square Highway Trail""")
UK_STREETS = listed("Road Street Lane Close Crescent Gardens Mews Grove Terrace Avenue Hill")
DE_STREETS = listed("straße str. weg allee platz gasse")
STREET_WORDS = listed("""
Maple Oak Elm Huntington Beacon Washington Lincoln Sycamore Mill River Church High
Station Park Summit Chestnut Prospect Liberty Harbor Orchard Quarry Juniper Cottonwood Peachtree
Martin_Luther_King Old_Post Fox_Hollow Winding_Creek Turnpike""")
US_UNITS = ("", "", "", ", Apt {n}", " Apt. {n}{l}", ", Suite {m}", " #{n}", ", Unit {n}{l}")
COUNTRIES = {"us": ("USA", "United States"), "uk": ("United Kingdom", "England"),
             "de": ("Germany", "Deutschland")}  # fmt: skip


class Address(NamedTuple):
    """The parts of an address, and how its place line is written."""

    street: str
    city: str
    state: str
    zip: str
    country: str
    locale: str
    source: str


def address(rng: Random) -> Address:
    """An address in the United States (mostly), the United Kingdom or Germany."""
    locale = rng.choices(("us", "uk", "de"), (74, 15, 11))[0]
    make = {"us": _american, "uk": _british, "de": _german}[locale]
    return make(rng)


def _street_word(rng: Random) -> str:
    if rng.random() < 0.35:
        return last_name(rng)[0].split()[-1]
    if rng.random() < 0.2:
        return syllables(rng, 2).capitalize()
    return rng.choice(STREET_WORDS).replace("_", " ")


def _american(rng: Random) -> Address:
    city, state, start = rng.choice(US_CITIES).replace("_", " ").split("|")
    source = "real"
    if rng.random() < 0.25:
        ending = rng.choice(("ville", "ton", "burg", " Falls", " Springs", "field", "port"))
        city, source = syllables(rng, 2).capitalize() + ending, "made"
    elif rng.random() < 0.1:
        city, source = rng.choice(("East ", "North ", "Mount ", "Fort ", "New ")) + city, "made"
    direction = rng.choice(("", "", "", "N. ", "South ", "SW ", "E "))
    street = f"{rng.randrange(1, 9900)} {direction}{_street_word(rng)} {rng.choice(US_STREETS)}"
    kind = rng.random()
    if kind < 0.08:
        street = f"P.O. Box {rng.randrange(10, 9999)}"
    elif kind < 0.13:
        route = rng.choice(("RR", "Rural Route"))
        street = f"{route} {rng.randrange(1, 9)}, Box {rng.randrange(9, 300)}"
    elif kind < 0.18:
        street = f"{rng.randrange(10, 400)} {rng.randrange(24, 30)}th {rng.choice(US_STREETS)}"
    else:
        street += rng.choice(US_UNITS).format(
            n=rng.randrange(1, 60), m=rng.randrange(100, 900), l=rng.choice("ABCD")
        )
    plus = f"-{rng.randrange(1000, 9999)}" if rng.random() < 0.15 else ""
    code = f"{start}{rng.randrange(1, 99):02d}{plus}"
    return Address(street, city, state, code, rng.choice(COUNTRIES["us"]), "us", source)


def _british(rng: Random) -> Address:
    city, area = rng.choice(UK_CITIES).split("|")
    name = f"{_street_word(rng)} {rng.choice(UK_STREETS)}"
    flat = f"Flat {rng.randrange(1, 30)}, " if rng.random() < 0.25 else ""
    letters = "".join(rng.choices("ABDEFGHJLNPQRSTUWXYZ", k=2))
    code = f"{area}{rng.randrange(1, 20)} {rng.randrange(1, 9)}{letters}"
    street = f"{flat}{rng.randrange(1, 220)}{rng.choice(('', '', 'a'))} {name}"
    return Address(street, city, "", code, rng.choice(COUNTRIES["uk"]), "uk", "real")


def _german(rng: Random) -> Address:
    city, start = rng.choice(DE_CITIES).replace("_", " ").split("|")
    word, ending = rng.choice(("Linden", "Bahnhof", "Goethe", "Kastanien", "Berg")), ""
    ending = rng.choice(DE_STREETS)
    street = rng.choice((word + ending, f"{last_name(rng)[0].split()[-1]}-{ending.capitalize()}"))
    house = f"{rng.randrange(1, 180)}{rng.choice(('', '', ' a', 'b'))}"
    code = f"{start}{rng.randrange(100, 999)}"
    return Address(f"{street} {house}", city, "", code, rng.choice(COUNTRIES["de"]), "de", "real")


HOSPITALS = (
    "St. {saint}'s Hospital", "{name} Memorial Hospital", "{city} General Hospital",
    "{city} Children's Hospital", "{name} Clinic", "Mercy Medical Center of {city}",
    "{name}-{other} Rehabilitation Center", "{city} Family Health", "Our Lady of {saint}",
    "{name} Hospice", "University Hospital {city}", "{name} House Nursing Home",
)  # fmt: skip
EMPLOYERS = (
    "{name} Corp", "{name} & Sons", "{name} Industries, Inc.", "{name}, {other} & Partners LLP",
    "{made} Systems", "{made} Logistics GmbH", "{city} Savings Bank", "{name} Brothers Hardware",
    "{made}tech Ltd", "{name} Trucking Co.", "First {city} Credit Union", "{made} Foods",
    "{city} Water Department", "The {name} Group", "{made} Insurance",
)  # fmt: skip
SCHOOLS = (
    "{name} Elementary School", "{city} High School", "{name} College", "{city} Middle School",
    "St. {saint} Academy", "University of {city}", "{name} Technical Institute",
)  # fmt: skip
TEAMS = (
    "{city} Junior Swim team", "{city} Hawks", "{city} Youth Soccer League", "{name} Little League",
    "U. S. Junior Gymnastics team", "{city} Rowing Club", "{school} varsity wrestling team",
)  # fmt: skip
SAINTS = listed("John Mary Luke Brigid Francis Anne Jude Cuthbert Elizabeth Vincent")


def organization(rng: Random, patterns: tuple[str, ...]) -> str:
    """The name of an organization after one of the patterns."""
    place = address(rng)
    return rng.choice(patterns).format(
        name=last_name(rng)[0].split()[-1],
        other=last_name(rng)[0].split()[-1],
        city=place.city,
        made=syllables(rng, 2).capitalize(),
        saint=rng.choice(SAINTS),
        school=f"{place.city} High",
    )
