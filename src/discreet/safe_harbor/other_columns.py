"""Columns that are judged by what they are recognized as: identifiers, places, texts."""

from __future__ import annotations

from discreet.identify.column_name import phrases
from discreet.identify.judge import Suspicion
from discreet.identify.kind import Kind
from discreet.identify.recognizers import Item, Recognizer
from discreet.safe_harbor.checked import ColumnStanding, Standing
from discreet.safe_harbor.seen import DROP, Seen, certain, rows
from discreet.table.role import Role

FACILITIES = ("hospital", "clinic", "facility", "school", "ziekenhuis", "krankenhaus", "hopital",
              "location", "employer", "company", "arbeitgeber", "werkgever", "employeur",
              "empleador")  # fmt: skip
"""Names of columns whose values may name a place or an employer, or only a kind of them."""
CODE = (
    "Leave it out; or, if the codes were assigned at random and not derived from the person, name "
    "it under codes of safe_harbor"
)


def other_column(seen: Seen) -> ColumnStanding:
    """Columns that are no ZIP codes, ages or dates."""
    found, recognizer = seen.suspicion, seen.recognizer
    item = found.item or (recognizer.item if recognizer else None)
    if _part_of_ssn(seen):
        why = "its name says social security numbers, of which a part counts too"
        return seen.stands(Standing.breaks, Item.SSN, why, DROP)
    if certain(found):
        return _identifier(seen, found)
    if set(FACILITIES) & set(phrases(seen.evidence.profile.name)):
        return _facility(seen)
    if recognizer is not None and recognizer.kind in ("city", "state"):
        return _place(seen, recognizer)
    if found.role is Role.text or seen.evidence.kind is Kind.free_text:
        why = "free text may hold any of the eighteen identifiers"
        return seen.stands(Standing.look, Item.OTHER, why, "Leave it out, or scrub it and read it")
    if item is None:
        return stray(seen)
    if found.item is None:
        why = f"its name says {item.value[4:]}, and its values do not"
        return seen.stands(Standing.look, item, why, DROP)
    return _identifier(seen, found)


def _part_of_ssn(seen: Seen) -> bool:
    """Whether a column so named holds digits, such as the last four."""
    named = seen.evidence.named
    says = bool(named) and named[0].item is Item.SSN and seen.evidence.profile.distinct > 2
    return says and seen.evidence.kind in (Kind.number, Kind.code)


def _identifier(seen: Seen, found: Suspicion) -> ColumnStanding:
    """A column that must go, or in doubt a person must look at."""
    item, why = found.item, "; ".join(found.reasons)
    fix = CODE if item is Item.OTHER else DROP
    if found.doubt and not _proven(seen):
        return seen.stands(Standing.look, item, f"{why}; in doubt: {found.doubt}", fix)
    return seen.stands(Standing.breaks, item, why, fix)


def _facility(seen: Seen) -> ColumnStanding:
    if seen.evidence.profile.distinct <= 2:
        return stray(seen)
    why = "it may name a place smaller than a state, or an employer, or only their kind"
    return seen.stands(Standing.look, Item.PLACES, why, f"{DROP}, unless it names kinds only")


def _place(seen: Seen, recognizer: Recognizer) -> ColumnStanding:
    met = seen.tally
    if not met["other"]:
        return seen.stands(Standing.meets, Item.PLACES, "states, countries or larger places")
    why = f"{rows(met['other'])} name something else than a state or a country"
    if recognizer.kind == "state":
        return seen.stands(Standing.look, Item.PLACES, why, DROP)
    return seen.stands(Standing.breaks, Item.PLACES, f"its name says city or county; {why}", DROP)


def stray(seen: Seen) -> ColumnStanding:
    """A column that is none of the eighteen, but for values that are."""
    letters = {item.value[1]: item for item in Item}
    worst = max(seen.strays, key=lambda letter: seen.strays[letter], default="")
    if worst and seen.strays[worst]:
        item = letters[worst]
        why = f"{rows(seen.strays[worst])} look like {item.value[4:]}"
        return seen.stands(Standing.breaks, item, why, DROP)
    why = "none of the eighteen, as far as its name and values tell"
    return seen.stands(Standing.meets, None, why)


def _proven(seen: Seen) -> bool:
    one = seen.recognizer
    return one is not None and not one.weak and seen.evidence.proven(one) > 0
