"""Who is part of whom, as signed lines of a ledger and as part of a release."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet.errors import ArgumentError, LedgerError, PolicyError
from discreet.ledger.anonymize_again import anonymize_again
from discreet.ledger.key import find_key_path
from discreet.ledger.ledger import Ledger
from discreet.policy.policy import Policy
from tests.ledger.entries import entry

TABLE = pa.table({"birth": ["1964", "1964", "1965", "1965"], "sex": ["m", "m", "f", "f"]})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "releases.ledger"


def _policy(**profile: Any) -> Policy:
    columns = {"birth": {"role": "quasi"}, "sex": {"role": "quasi"}}
    require = [{"k_anonymity": {"k": 2}}]
    return Policy(columns=columns, require=require, profiles={"who": profile}, profile="who")


def test_a_membership_is_read_again_and_signed(path: Path) -> None:
    with Ledger.open(path) as ledger:
        ledger.add(entry(1, "lab"))
        ledger.include("health", ["lab", "council"])
        ledger.include("health", ["lab"])
        ledger.include("council", ["press"])
    found = Ledger.read(path)
    assert found.audiences.members("health") == {"lab", "council", "press"}
    assert [line.number for line in found.lines] == [1, 2, 3]
    assert [one.number for one in found.releases()] == [1]
    path.write_text(path.read_text().replace('"lab","council"', '"lab"'))
    with pytest.raises(LedgerError, match="line 2 was changed"):
        Ledger.read(path)


def test_a_membership_that_is_taken_out_is_missed(path: Path) -> None:
    with Ledger.open(path) as ledger:
        ledger.include("health", ["lab"])
    path.write_text("")
    with pytest.raises(LedgerError, match="missing at the end"):
        Ledger.read(path)


def test_a_circle_is_refused_and_nothing_is_written(path: Path) -> None:
    with Ledger.open(path) as ledger:
        ledger.include("health", ["lab"])
        with pytest.raises(LedgerError, match="part of itself by way of health"):
            ledger.include("lab", ["health"])
        assert len(ledger.lines) == 1


def test_ledgers_without_memberships_are_read_as_before(path: Path, tmp_path: Path) -> None:
    with Ledger.open(path) as ledger:
        ledger.add(entry(1, "lab"))
    copy = tmp_path / "copy.ledger"
    shutil.copy(path, copy)
    shutil.copy(find_key_path(path), find_key_path(copy))
    assert Ledger.read(copy).audiences.names == ()


def test_a_release_for_a_profile_goes_to_its_audience_and_says_who_is_in_it(path: Path) -> None:
    policy = _policy(audience="Health Council", includes=["Lab"])
    with Ledger.open(path) as ledger:
        release = anonymize_again(TABLE, policy, ledger)
        assert ledger.lines == ()
        release.write(path.with_name("out.csv"))
        assert ledger.audiences.includes == {"health council": ("lab",)}
        assert [(one.number, one.to) for one in ledger.releases()] == [(2, "health council")]
        again = anonymize_again(TABLE, policy, ledger)
        again.write(path.with_name("again.csv"))
        assert again.known == (2,)
        assert len(ledger.lines) == 3


def test_a_release_is_held_to_what_those_in_its_audience_have(path: Path) -> None:
    with Ledger.open(path) as ledger:
        anonymize_again(TABLE, _policy(audience="lab"), ledger).write(path.with_name("1.csv"))
        apart = anonymize_again(TABLE, _policy(audience="health"), ledger)
        assert apart.known == ()
        beside = anonymize_again(TABLE, _policy(audience="health", includes=["lab"]), ledger)
        assert beside.known == (1,)


def test_a_profile_that_joins_earlier_releases_says_so(path: Path) -> None:
    with Ledger.open(path) as ledger:
        anonymize_again(TABLE, _policy(), ledger, "lab").write(path.with_name("1.csv"))
        anonymize_again(TABLE, _policy(), ledger, "health").write(path.with_name("2.csv"))
        third = anonymize_again(TABLE, _policy(audience="health", includes=["lab"]), ledger)
        warned = [note for note in third.facts()["notes"] if "never checked together" in note]
        assert warned == [
            "lab now holds releases 1 and 2 of 'table', which were never checked together and have "
            "already been released"
        ]


def test_who_gets_the_release_must_be_said_once(path: Path) -> None:
    with Ledger.open(path) as ledger:
        with pytest.raises(ArgumentError, match="the recipient is missing"):
            anonymize_again(TABLE, _policy(), ledger)
        with pytest.raises(ArgumentError, match="'who' is for lab, not for press"):
            anonymize_again(TABLE, _policy(audience="lab"), ledger, "press")
        with pytest.raises(LedgerError, match="everybody"):
            anonymize_again(TABLE, _policy(audience="public", includes=["lab"]), ledger)
        with pytest.raises(PolicyError, match="no recipient is named"):
            anonymize_again(TABLE, _policy().replace(profile=None), ledger, "lab")
