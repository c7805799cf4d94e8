"""The role of a column, and the reasons: values outrank names, and doubt is said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from discreet.errors import EmptyTableError
from discreet.identification.inspection import Column, Inspection, Proposal

Look = Callable[..., Column]

MAILS = [f"person{n}@example.org" for n in range(40)]
DATES = [f"19{n + 10}-0{n % 9 + 1}-1{n % 10}" for n in range(40)]
CODES = [f"{n * 7919 % 99991:05d}" for n in range(1, 41)]
FULL_NAMES = [f"{g} {s}" for g in ("Maria", "John", "Zyx", "Anna") for s in
              ("Smith", "Jansen", "Qwerty", "Garcia", "Abcde", "Miller", "Vos", "Koch", "Weber",
               "Xyz")]  # fmt: skip
SENTENCES = [
    f"Seen today in room {n}, she was well and went home with her sister." for n in range(40)
]

ROLES: dict[str, tuple[str, list[Any], str, str | None]] = {
    "mails under their own name": ("email", MAILS, "identifier", "e-mail"),
    "mails under a name that says nothing": ("x1", MAILS, "identifier", "e-mail"),
    "mails under a name that says something else": ("diagnosis", MAILS, "identifier", "e-mail"),
    "five digits under zip": ("zip", CODES, "quasi", "postal code"),
    "five digits that differ": ("x1", CODES, "identifier", "unique code"),
    "five digits that repeat": ("x1", CODES[:10] * 4, "other", None),
    "dates under birth": ("geburtsdatum", DATES, "quasi", "birth date"),
    "dates under a name that says nothing": ("x1", DATES, "quasi", "date"),
    "names of people": ("x1", FULL_NAMES, "identifier", "name"),
    "given names": ("voornaam", ["Jan", "Piet", "Xander"] * 10, "identifier", "given name"),
    "yes and no under phone": ("phone", ["yes", "no"] * 20, "other", None),
    "flags under a name of people": ("name", ["Y", "N"] * 20, "other", None),
    "ages": ("age", list(range(40)), "quasi", "age"),
    "years under age": ("age", [1950 + n % 20 for n in range(40)], "other", None),
    "row numbers": ("x1", list(range(1, 41)), "identifier", "row number"),
    "amounts that differ": ("x1", [f"{n}.{n * 7 % 10}7" for n in range(40)], "other", None),
    "sentences": ("x1", SENTENCES, "text", "free text"),
    "sentences under diagnosis": ("diagnosis", SENTENCES, "text", "free text"),
    "a patient with several rows": ("patient_id", CODES[:10] * 4, "identifier", "medical record"),
    "sexes under a name that says nothing": ("x1", ["M", "F"] * 20, "quasi", "sex"),
    "states under a name that says nothing": ("x1", ["CA", "MA", "NY", "TX", "OH"],
                                              "quasi", "state"),
    "countries": ("x1", ["Cuba", "India", "Germany", "Peru"] * 10, "quasi", "country"),
    "street addresses": ("x1", [f"{n} Main Street" for n in range(1, 41)], "identifier", "address"),
    "a category": ("x1", ["red", "blue"] * 20, "other", None),
    "a column without values": ("email", [None] * 40, "other", None),
    "diagnosis codes": ("x1", ["E11.9", "I10.0", "J45.2", "A09.1"] * 10, "sensitive", "diagnosis"),
    "mostly right check digits": (
        "x1", ["111222333", "123456782", *CODES[:38]], "identifier", "unique code",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ROLES)
def test_a_column_gets_the_role_that_its_name_and_values_suggest(look: Look, case: str) -> None:
    name, values, role, recognized = ROLES[case]
    column = look(name, [None if value is None else str(value) for value in values])
    assert (column.role, column.recognized) == (role, recognized)


def test_an_identifier_names_its_place_in_the_hipaa_list(look: Look) -> None:
    assert look("x1", MAILS).facts()["hipaa"] == "(F) e-mail addresses"
    assert look("x1", MAILS).facts()["identifier_kind"] == "e-mail"


def test_reasons_are_words_with_shares(look: Look) -> None:
    assert look("x1", [*MAILS[:39], "none of these"]).reasons == (
        "97 % of the values look like e-mail addresses",
    )
    assert look("mail", MAILS).reasons == ("its name says 'e-mail'", "100 % of the values fit")
    assert look("x1", CODES).reasons == ("all values are distinct",)


def test_values_that_deny_the_name_raise_doubt(look: Look) -> None:
    assert look("diagnosis", MAILS).doubt == "its name says 'diagnosis', but the values do not fit"
    denied = look("phone", ["yes", "no"] * 20)
    assert denied.doubt == "its name says 'phone', but the values do not fit"


def test_agreement_of_name_and_values_leaves_no_doubt(look: Look) -> None:
    assert look("mail", MAILS).doubt is None


def test_likeness_without_a_name_is_doubtful(look: Look) -> None:
    assert look("x1", ["M", "F"] * 20).doubt == "only the values say so, not its name"


@pytest.mark.parametrize("mark", ["?", "NA", "N/A", "unknown"])
def test_a_mark_for_missing_is_pointed_out_and_not_judged(look: Look, mark: str) -> None:
    column = look("mail", [*MAILS, mark, mark])
    assert column.hints == (f"2 rows hold '{mark}', perhaps for missing",)
    assert column.reasons[1] == "100 % of the values fit"


def test_spaces_around_values_are_pointed_out(look: Look) -> None:
    column = look("sex", [" Male", " Female", "Male"])
    assert column.recognized == "sex"
    assert "begin or end with a space" in column.hints[0]


def test_very_old_ages_get_one_group(look: Look) -> None:
    column = look("age", [str(n) for n in range(20, 100)])
    assert column.hints == ("HIPAA wants ages over 89 as one group",)
    assert column.hierarchy["cuts"][0][-1] == 90


def test_an_amount_that_singles_rows_out_is_withheld(look: Look) -> None:
    column = look("x1", [f"{n}.{n * 7 % 10}7" for n in range(40)])
    assert column.proposal is Proposal.withheld
    assert column.hints == (
        "100 % of the rows have a unique value: anyone who knows it finds the row; round it, "
        "release it in bands or leave it out",
    )


def test_a_person_with_several_rows_is_pointed_out(look: Look) -> None:
    column = look("patient_id", CODES[:10] * 4)
    assert column.hints == ("values repeat: one person may have several rows, and k counts rows",)
    assert look("patient_id", CODES).hints == ()


def test_numbers_with_a_decimal_comma_get_intervals(look: Look) -> None:
    assert "intervals" in look("gewicht", [f"{n},5" for n in range(40)]).hierarchy


def test_words_for_missing_are_proposed_with_their_rows(look: Look) -> None:
    column = look("age", [*map(str, range(20, 60)), "NA", "NA", "?"])
    assert column.missing_words == {"NA": 2, "?": 1}
    assert "cuts" in column.hierarchy
    assert look("therapy", ["None", "drug"] * 10).missing_words == {}


def test_zip_codes_that_lost_zeros_are_found(look: Look) -> None:
    column = look("zip", [f"0{n}" for n in range(2100, 2140)] + ["2101", "2102"])
    assert column.lost_zeros == 2
    assert "prefix" in column.hierarchy
    assert look("plz", [str(n) for n in range(1000, 1040)]).lost_zeros == 0


def test_shapes_show_no_value(look: Look) -> None:
    assert look("x1", MAILS).shapes == ("a99@a.a", "a9@a.a")
    assert look("x1", SENTENCES).shapes == ()


def test_a_shape_that_one_value_has_is_not_shown(look: Look) -> None:
    assert look("x1", ["abc", "abd", "abe", "A-1/b"]).shapes == ("a",)


def test_no_value_is_in_the_facts(look_at_table: Callable[..., Inspection]) -> None:
    secret = ["Qxzzyv Wkjhgf", *FULL_NAMES]
    found = look_at_table({"name": secret, "note": [f"{s} {SENTENCES[0]}" for s in secret]})
    assert "Qxzzyv" not in repr(found) + str(found.facts()) + found.policy_text()


def test_counts_are_those_of_the_table(look: Look) -> None:
    facts = look("x1", ["a", "a", "b", None]).facts()
    assert (facts["missing"], facts["missing_share"]) == (1, 0.25)
    assert (facts["distinct"], facts["distinct_exact"]) == (2, True)
    assert (facts["unique"], facts["unique_share"]) == (1, 0.25)


def test_a_table_without_rows_is_refused(look_at_table: Callable[..., Inspection]) -> None:
    with pytest.raises(EmptyTableError, match="no rows"):
        look_at_table({"zip": [], "name": []})
