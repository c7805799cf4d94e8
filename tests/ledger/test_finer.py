"""A recipient who may know more gets more, also after a release to more people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import EarlierReleaseError
from discreet.hierarchy import Tree
from discreet.ledger.anonymize_again import anonymize_again
from discreet.ledger.ledger import Ledger
from discreet.pipeline.anonymize import Release
from discreet.policy.policy import Policy

BIRTH = Tree({"*": {"1960s": ["1964", "1965"], "1970s": ["1974", "1975"]}})
PROFILES = {
    "public use": {"preset": "public use", "audience": "public"},
    "researcher": {"preset": "researcher", "audience": "lab"},
    "caretaker": {"preset": "caretaker", "audience": "doctor"},
    "careless": {"preset": "caretaker", "audience": "public"},
}
PEOPLE = [("1964", "m"), ("1965", "m"), ("1964", "f"), ("1965", "f"), ("1964", "m")]
PEOPLE += [("1974", sex) for sex in "mfm"]
"""Every birth and every sex occurs twice or more; not so every birth with a sex."""


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger") as opened:
        yield opened


def _table(people: list[tuple[str, str]]) -> pa.Table:
    births, sexes = zip(*people, strict=True)
    return pa.table(
        {"id": [str(n) for n in range(len(people))], "birth": list(births), "sex": list(sexes)}
    )


def _released(
    ledger: Ledger,
    people: list[tuple[str, str]],
    profile: str | None,
    to: str | None = None,
    **more: Any,
) -> Release:
    columns: dict[str, Any] = {
        "id": {"role": "other"},
        "birth": {"role": "quasi", "hierarchy": BIRTH},
        "sex": {"role": "quasi"},
    }
    columns |= more.pop("columns", {})
    profiles = PROFILES if profile else {}
    policy = Policy(
        columns={name: said for name, said in columns.items() if said},
        require=[{"k_anonymity": {"k": 2}}],
        profiles=profiles,
        profile=profile,
        **more,
    )
    release = anonymize_again(_table(people), policy, ledger, to)
    ledger.add(release.record.entry("release.csv", "hash"))
    return release


COARSE = {"birth": 0, "sex": 1}
"""What the public gets."""


def test_a_researcher_gets_more_than_the_public_got_before(ledger: Ledger) -> None:
    assert _released(ledger, PEOPLE, "public use").levels == COARSE
    second = _released(ledger, PEOPLE, "researcher")
    assert (second.levels, second.known) == ({"birth": 0, "sex": 0}, (1,))
    assert "reveals nothing that this one does not" in second.facts()["notes"][-1]


def test_a_caretaker_gets_the_table_as_it_is(ledger: Ledger) -> None:
    _released(ledger, PEOPLE, "public use")
    assert set(_released(ledger, PEOPLE, "caretaker").levels.values()) == {0}


def test_the_public_never_gets_more_than_it_got(ledger: Ledger) -> None:
    _released(ledger, PEOPLE, "public use")
    assert _released(ledger, PEOPLE, "careless").levels == COARSE


def test_without_a_profile_a_name_gets_what_the_public_got(ledger: Ledger) -> None:
    _released(ledger, PEOPLE, "public use")
    assert _released(ledger, PEOPLE, None, "lab", suppress=0.5).levels == COARSE


def test_the_next_public_release_is_at_the_levels_of_the_first(ledger: Ledger) -> None:
    _released(ledger, PEOPLE, "public use")
    _released(ledger, PEOPLE, "researcher")
    third = _released(ledger, PEOPLE, "public use")
    assert (third.levels, third.known) == (COARSE, (1, 2))


def test_the_same_recipient_gets_the_same_again(ledger: Ledger) -> None:
    _released(ledger, PEOPLE, "public use")
    first = _released(ledger, PEOPLE, "researcher")
    assert _released(ledger, PEOPLE, "researcher").levels == first.levels
    assert _released(ledger, PEOPLE, "caretaker", None).levels == {"birth": 0, "sex": 0}


def test_a_table_that_grew_is_released_as_without_profiles(ledger: Ledger) -> None:
    _released(ledger, PEOPLE, "public use")
    grown = [*PEOPLE, ("1964", "m"), ("1964", "m")]
    assert _released(ledger, grown, "researcher").levels == COARSE


def test_rows_that_the_public_did_not_get_are_not_told_apart(ledger: Ledger) -> None:
    """The odd row was left out for the public; the researcher would see that it is new."""
    people = [("1964", "m")] * 2 + [("1974", "m")] * 2 + [("1975", "f")]
    first = _released(ledger, people, "public use", suppress=0.2)
    assert first.rows == 4
    second = _released(ledger, people, "researcher", suppress=0.2)
    assert second.levels == first.levels
    assert second.rows == 4


def test_a_column_that_the_public_got_and_this_release_lacks_is_minded(ledger: Ledger) -> None:
    _released(ledger, PEOPLE, "public use")
    assert _released(ledger, PEOPLE, "researcher", columns={"id": None}).levels == COARSE


@given(
    people=st.lists(
        st.sampled_from([(b, s) for b in ("1964", "1965", "1974") for s in "mf"]),
        min_size=4,
        max_size=14,
    ),
    order=st.permutations(["public use", "researcher", "caretaker", "public use"]),
)
@settings(max_examples=10, deadline=None)
def test_what_the_lab_and_the_public_hold_keeps_their_promises(
    people: list[tuple[str, str]], order: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """All releases in a hand, joined row by row, on what its reader may link on."""
    hands: dict[str, list[dict[str, Any]]] = {"public": [], "lab": []}
    with Ledger.open(tmp_path_factory.mktemp("ledger") / "l") as ledger:
        for profile in order:
            release = _released(ledger, people, profile)
            with release._build_recoder().open_reader() as rows:
                cells = {row["id"]: row for row in rows.read_all().to_pylist()}
            if profile == "public use":
                hands["public"].append(cells)
            if profile != "caretaker":
                hands["lab"].append(cells)
    for reader, sets in {"public": [("birth", "sex")], "lab": [("birth",), ("sex",)]}.items():
        for columns in sets:
            seen = Counter(
                tuple(tuple(one[n][c] for c in columns) for one in hands[reader])
                for n in hands[reader][0]
            )
            assert min(seen.values()) >= 2


DIVERSE = [{"k_anonymity": {"k": 2}}, {"l_diversity": {"column": "ill", "ell": 2}}]


def _diverse(ledger: Ledger, profile: str, people: list[tuple[str, str]]) -> Release:
    columns = {"birth": {"role": "quasi"}, "ill": {"role": "sensitive"}}
    policy = Policy(columns=columns, require=DIVERSE, profiles=PROFILES, profile=profile)
    births, ill = zip(*people, strict=True)
    release = anonymize_again(pa.table({"birth": list(births), "ill": list(ill)}), policy, ledger)
    ledger.add(release.record.entry("release.csv", "hash"))
    return release


ILL = [("1964", "flu"), ("1964", "gout"), ("1965", "flu"), ("1965", "flu")]


def test_promises_on_sensitive_values_keep_everybody_at_the_levels_of_the_public(
    ledger: Ledger,
) -> None:
    assert _diverse(ledger, "public use", ILL).levels == {"birth": 1}
    assert _diverse(ledger, "caretaker", ILL).levels == {"birth": 1}


def test_whoever_holds_the_same_rows_more_finely_learns_nothing_from_the_next(
    ledger: Ledger,
) -> None:
    assert _diverse(ledger, "caretaker", ILL).levels == {"birth": 0}
    public = _diverse(ledger, "public use", ILL)
    assert public.levels == {"birth": 1}
    assert any("l_diversity holds against the others" in note for note in public.notes)
    with pytest.raises(EarlierReleaseError, match="l_diversity can be kept with them only"):
        _diverse(ledger, "public use", [*ILL, ("1964", "acne")])


def test_a_recipient_of_single_columns_gets_new_rows_at_the_same_levels(ledger: Ledger) -> None:
    """No birth with a sex occurs twice, and that was never promised."""
    first = _released(ledger, PEOPLE, "researcher")
    second = _released(ledger, [*PEOPLE, ("1964", "f"), ("1965", "m")], "researcher")
    assert second.levels == first.levels == {"birth": 0, "sex": 0}
    assert second.rows == len(PEOPLE) + 2
