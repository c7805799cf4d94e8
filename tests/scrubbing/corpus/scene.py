"""A scene: the people of one text, and the words that fill the slots of its frames."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from random import Random

from tests.scrubbing.corpus import numbers, times
from tests.scrubbing.corpus.distractors import distractor
from tests.scrubbing.corpus.mark import Mark, misspelt
from tests.scrubbing.corpus.places import (
    EMPLOYERS,
    HOSPITALS,
    SCHOOLS,
    STATE_NAMES,
    TEAMS,
    Address,
    address,
    organization,
)
from tests.scrubbing.corpus.words import NICK, first_name, last_name

_SLOT = re.compile(r"\{(?:([a-z_.]+)|([A-Z]+)\?([^}]+))\}")
"""A slot to fill, or words that may be found or left: ``{LABEL?words}``."""


_TITLE = re.compile(r"\b((?:Dr|Mr|Mrs|Ms|Fr|Sgt|Det|Lt|Ofc)\b\.?|Doctor|Professor|Judge|Officer) $")


def _with_title(text: str) -> list[Mark]:
    """Plain text before a slot; a title at its end may be found or left."""
    title = _TITLE.search(text)
    if title is None:
        return [Mark(text)]
    return [Mark(text[: title.start()]), Mark(title[1], "TITLE", "title", True), Mark(" ")]


class Person:
    """Somebody in a text; every field stays the same once it was asked for."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        (self.first, self.first_source) = first_name(rng)
        (self.last, self.last_source) = last_name(rng)
        self.middle = first_name(rng)[0]
        self.nick = rng.choice(NICK)
        self.suffix = rng.choice((" Jr.", " III", ", Sr.")) if rng.random() < 0.03 else ""
        self.home: Address = address(rng)
        self.kept: dict[str, list[Mark]] = {}

    def get(self, field: str) -> list[Mark]:
        """The field as marked text."""
        if field not in self.kept:
            self.kept[field] = self._make(field)
        return self.kept[field]

    def _make(self, field: str) -> list[Mark]:
        names = self._names()
        if field in names:
            return [Mark(names[field], "NAME", f"{field}: {self._source(field)}")]
        return _FIELDS[field](self)

    def _names(self) -> dict[str, str]:
        first, last, middle = self.first, self.last, self.middle
        return {
            "full": f"{first} {last}{self.suffix}",
            "first": first,
            "last": last,
            "nick": self.nick,
            "quoted": f'{first} "{self.nick}" {last}',
            "formal": f"{last}, {first}",
            "middle": f"{first} {middle[0]}. {last}",
            "three": f"{first} {middle} {last}",
            "short": f"{first[0]}. {last}",
            "initials": f"{first[0]}.{last[0]}.",
            "first_l": f"{first} {last[0]}.",
            "lower": f"{first} {last}".lower(),
            "caps": f"{first} {last}".upper(),
        }

    def _source(self, field: str) -> str:
        if field in ("nick", "initials"):
            return field
        sources = {"first": (self.first_source,), "last": (self.last_source,)}
        both = (self.first_source, self.last_source)
        return "+".join(sources.get(field, both))

    def ascii(self, name: str) -> str:
        """A name as it can stand in a mail address."""
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        return re.sub(r"[^a-z]", "", plain) or "x"


def _place(person: Person) -> list[Mark]:
    home, rng = person.home, person.rng
    city = Mark(home.city, "CITY", f"{home.locale} {home.source}")
    code = Mark(home.zip, "ZIP", home.locale)
    if home.locale == "de":
        return [code, Mark(" "), city]
    if home.locale == "uk":
        return [city, Mark(rng.choice((" ", ", "))), code]
    state, form = home.state, "state code"
    if rng.random() < 0.2:
        state, form = STATE_NAMES[home.state], "state name"
    comma = rng.choice((", ", ", ", " "))
    return [city, Mark(comma), Mark(state, "STATE", form), Mark(rng.choice((" ", "  "))), code]


def _email(person: Person) -> list[Mark]:
    rng, first, last = person.rng, person.ascii(person.first), person.ascii(person.last)
    user = rng.choice((f"{first}.{last}", f"{first[0]}{last}", f"{last}{rng.randrange(99)}"))
    host = rng.choice(("gmail.com", "example.org", "yahoo.co.uk", "hospital.test", "web.de"))
    return [Mark(f"{user}@{host}", "EMAIL", "email")]


def _user(person: Person) -> list[Mark]:
    rng, first, last = person.rng, person.ascii(person.first), person.ascii(person.last)
    forms = (
        f"{first}_{last}",
        f"{first}{rng.randrange(10, 99)}",
        f"xx{last}xx",
        f"{last}.{first[0]}",
    )
    return [Mark(rng.choice(forms), "USERNAME", "user")]


def _org(patterns: tuple[str, ...], label: str, form: str) -> Callable[[Person], list[Mark]]:
    return lambda person: [Mark(organization(person.rng, patterns), label, form)]


def _street(person: Person) -> list[Mark]:
    return [Mark(person.home.street, "STREET", person.home.locale)]


def _eponymous(person: Person) -> list[Mark]:
    """A hospital called by its founder, as in "at Brigham's"."""
    return [Mark(last_name(person.rng)[0].split()[-1], "ORGANIZATION", "founder")]


def _initialism(person: Person) -> list[Mark]:
    name = organization(person.rng, HOSPITALS)
    return [Mark("".join(word[0] for word in name.split()).upper()[:4], "ORGANIZATION", "short")]


_FIELDS: dict[str, Callable[[Person], list[Mark]]] = {
    "street": _street,
    "city": lambda one: [Mark(one.home.city, "CITY", f"alone {one.home.source}")],
    "state": lambda one: [
        Mark(STATE_NAMES.get(one.home.state, "Kent"), "STATE", "alone", optional=True)
    ],
    "zip": lambda one: [Mark(one.home.zip, "ZIP", one.home.locale)],
    "country": lambda one: [Mark(one.home.country, "COUNTRY", "country", optional=True)],
    "place": _place,
    "block": lambda one: [*_street(one), Mark("\n"), *_place(one)],
    "line": lambda one: [*_street(one), Mark(", "), *_place(one)],
    "email": _email,
    "user": _user,
    "phone": lambda one: [numbers.phone(one.rng, one.home.locale)],
    "dob": lambda one: [times.written(one.rng, times.day(one.rng, 1925, 2018), one.home.locale)],
    "record": lambda one: [numbers.record(one.rng)],
    "ssn": lambda one: [numbers.ssn(one.rng)],
    "employer": _org(EMPLOYERS, "ORGANIZATION", "employer"),
    "school": _org(SCHOOLS, "ORGANIZATION", "school"),
    "hospital": _org(HOSPITALS, "ORGANIZATION", "hospital"),
    "hospital_short": _initialism,
    "hospital_founder": _eponymous,
    "team": _org(TEAMS, "TEAM", "team"),
}

_FRESH: dict[str, Callable[[Random], Mark]] = {
    "phone": numbers.phone,
    "card": numbers.card,
    "iban": numbers.iban,
    "ssn": numbers.ssn,
    "ref": numbers.reference,
    "account": numbers.account,
    "licence": numbers.licence,
    "plate": numbers.plate,
    "serial": numbers.serial,
    "ip": numbers.ip,
    "url": numbers.url,
    "password": numbers.password,
    "date": lambda rng: times.written(rng, times.day(rng)),
    "day": lambda rng: times.without_year(rng, times.day(rng)),
    "month_year": lambda rng: times.month_year(rng, times.day(rng)),
    "when": times.relative,
    "age": times.age,
    "old_age": times.old_age,
    "weeks": lambda rng: Mark(f"{rng.randrange(2, 9)} weeks", "DATE", "relative", True),
    "n": lambda rng: Mark(str(rng.randrange(2, 9))),
    "nn": lambda rng: Mark(str(rng.randrange(10, 99))),
    "money": lambda rng: Mark(f"{rng.choice('$£€')}{rng.randrange(1200, 400000) / 100:.2f}"),
    "clock": lambda rng: Mark(
        rng.choice(("8:05 am", "10:30 PM", "1:45 pm", "11:20 AM")), "TIME", "clock", True
    ),
    "month": lambda rng: Mark(times.day(rng).strftime("%B"), "DATE", "month", True),
    "weekday": lambda rng: Mark(times.day(rng).strftime("%A"), "DATE", "weekday", True),
    "job": lambda rng: Mark(distractor("job", rng), "OCCUPATION", "job", True),
}


class Scene:
    """The people of one text by role (p the subject, d the writer, r the reader, m, o others)."""

    def __init__(self, rng: Random, slips: float = 0.0) -> None:
        self.rng, self.slips = rng, slips
        self.people: dict[str, Person] = {}
        self.seen: set[str] = set()

    def person(self, role: str) -> Person:
        """Who plays this role; relatives share the subject's last name most of the time."""
        if role not in self.people:
            person = Person(self.rng)
            if role in ("m", "h") and self.rng.random() < 0.6:
                subject = self.person("p")
                person.last, person.last_source = subject.last, subject.last_source
            self.people[role] = person
        return self.people[role]

    def fill(self, frame: str) -> list[Mark]:
        """The frame with its slots filled."""
        marks, at = [], 0
        for slot in _SLOT.finditer(frame):
            filled, label, words = slot.groups()
            marks.extend(_with_title(frame[at : slot.start()]))
            marks.extend(self._value(filled) if filled else [Mark(words, label, "", True)])
            at = slot.end()
        marks.append(Mark(frame[at:]))
        return marks

    def _value(self, slot: str) -> list[Mark]:
        if "." in slot:
            role, field = slot.split(".")
            return [self._slipped(role, mark) for mark in self.person(role).get(field)]
        if slot in _FRESH:
            return [_FRESH[slot](self.rng)]
        return [Mark(distractor(slot, self.rng))]

    def _slipped(self, role: str, mark: Mark) -> Mark:
        """A name that stood in the text before may be misspelt the next time."""
        again = role in self.seen
        if mark.label == "NAME":
            self.seen.add(role)
            if again and self.rng.random() < self.slips:
                words = mark.text.split(" ")
                words[-1] = misspelt(words[-1], self.rng)
                return mark._replace(text=" ".join(words), form=f"misspelt {mark.form}")
        return mark
