"""Identifiers that a policy replaces: what it may say, and what the release holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet.errors import PolicyError, PseudonymError
from discreet.ledger.anonymize_again import anonymize_again
from discreet.ledger.ledger import Ledger
from discreet.pipeline.anonymize import anonymize
from discreet.pipeline.compare import compare
from discreet.pipeline.part import Part
from discreet.pipeline.prepare import prepare_table
from discreet.pipeline.promise import state_limits
from discreet.pipeline.verify import verify
from discreet.pipeline.withstand import Intruder, attack_release
from discreet.policy.policy import Policy
from discreet.policy.replacement import Encrypt, Pseudonym
from discreet.pseudonyms.key import create_key
from discreet.table.read import read

PEOPLE = [f"{100 + n:03d}-45-{6000 + n}" for n in range(8)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    create_key(tmp_path / "people.key")
    return tmp_path


def _policy(folder: Path, replace: Any, **more: Any) -> Policy:
    columns = {
        "ssn": {"role": "identifier", "replace": replace},
        "age": {"role": "quasi", "hierarchy": {"intervals": [10, 20]}},
        "ill": {"role": "sensitive"},
        **more,
    }
    return Policy(columns=columns, require=[{"k_anonymity": {"k": 2}}], folder=folder, seed=1)


def _table(**more: list[Any]) -> pa.Table:
    ages = [31, 32, 33, 34, 41, 42, 43, 44]
    ill = ["flu", "gout"] * 4
    return pa.table({"ssn": PEOPLE, "age": ages, "ill": ill, **more})


SSN = {"pseudonym": {"key": "people.key", "format": "ssn"}}


def test_a_released_identifier_is_a_pseudonym_and_verify_is_content(folder: Path) -> None:
    policy = _policy(folder, SSN)
    made = anonymize(_table(), policy)
    rows = made.to_arrow()
    new = rows["ssn"].to_pylist()
    assert all(one[0] == "9" and len(one) == 11 for one in new) and len(set(new)) == 8
    assert verify(rows, policy).holds
    assert made.facts()["replaced"] == {"ssn": "pseudonym (ssn)"}
    assert attack_release(made, Intruder()).rows == 8


def test_every_way_to_a_release_replaces(folder: Path) -> None:
    policy = _policy(folder, SSN)
    for made in compare(_table(), policy, ["datafly", "local"]).releases.values():
        assert not set(made.to_arrow()["ssn"].to_pylist()) & set(PEOPLE)
    with Ledger.open(folder / "ledger") as ledger:
        again = anonymize_again(_table(), policy, ledger, to="us")
        again.write(folder / "one.csv")
        later = anonymize_again(_table(), policy, ledger, to="us")
        later.write(folder / "two.csv")
    texts = [(folder / name).read_text() for name in ("one.csv", "two.csv")]
    assert not any(number in text for number in PEOPLE for text in texts)
    assert sorted(texts[0].split()) == sorted(texts[1].split())


def test_encrypted_identifiers_come_back_with_the_key(folder: Path) -> None:
    from discreet.pseudonyms.key import load_key
    from discreet.pseudonyms.reversible import Reversible

    policy = _policy(folder, {"encrypt": {"key": "people.key", "domain": "visits"}})
    rows = anonymize(_table(), policy).to_arrow()
    assert not set(rows["ssn"].to_pylist()) & set(PEOPLE)
    back = Reversible(load_key(folder / "people.key"), "visits").restore(rows["ssn"])
    assert sorted(back.to_pylist()) == PEOPLE


def test_columns_of_one_key_and_domain_agree_and_others_do_not(folder: Path) -> None:
    mothers = [*PEOPLE[4:], *PEOPLE[:4]]
    more = {
        "mother": {"role": "identifier", "replace": SSN},
        "payer": {
            "role": "identifier",
            "replace": {"pseudonym": {"key": "people.key", "format": "ssn", "domain": "bills"}},
        },
    }
    rows = anonymize(_table(mother=mothers, payer=PEOPLE), _policy(folder, SSN, **more)).to_arrow()
    by = dict(zip(rows["ssn"].to_pylist(), rows["mother"].to_pylist(), strict=True))
    assert set(by) == set(by.values()) and all(by[by[one]] == one for one in by)
    assert not set(by) & set(rows["payer"].to_pylist())


def test_texts_are_scrubbed_of_the_true_identifiers(folder: Path) -> None:
    notes = [f"file K{n}Q{n}X of somebody" for n in range(8)]
    more = {
        "file": {"role": "identifier", "replace": {"pseudonym": {"key": "people.key"}}},
        "note": {"role": "text", "scrub": True},
    }
    table = _table(file=[f"K{n}Q{n}X" for n in range(8)], note=notes)
    rows = anonymize(table, _policy(folder, SSN, **more)).to_arrow()
    assert not any(f"K{n}Q{n}X" in text for n in range(8) for text in rows["note"].to_pylist())
    assert not set(rows["file"].to_pylist()) & {f"K{n}Q{n}X" for n in range(8)}


def test_a_promise_says_what_pseudonyms_tell(folder: Path) -> None:
    said = state_limits(_policy(folder, SSN))
    assert "ssn shows which rows belong to one person" in said and "same key" in said
    assert "same key" not in state_limits(_policy(folder, None))


@pytest.mark.parametrize(
    "replace",
    [
        {"pseudonym": {"key": "people.key"}},
        {"pseudonym": {"key": "people.key", "format": "token", "domain": "a", "unfit": "missing"}},
        {"encrypt": {"key": "people.key"}},
        {"encrypt": {"key": "keys/people.key", "domain": "visits"}},
    ],
)
def test_what_a_policy_says_comes_back(folder: Path, replace: Any) -> None:
    policy = _policy(folder, replace)
    (folder / "policy.yml").write_text(policy.to_yaml(folder))
    again = Policy.load(folder / "policy.yml")
    assert again == policy and again.columns["ssn"].replace.write_spec(folder) == replace
    assert policy.replace(seed=1) == policy


@pytest.mark.parametrize(
    ("replace", "said"),
    [
        ({"pseudonym": {}}, "'key' is missing"),
        ({"pseudonym": {"key": "k", "format": "iban"}}, "one of shape, ssn"),
        ({"pseudonym": {"key": "k", "unfit": "keep"}}, "refuse, missing"),
        ({"pseudonym": {"key": "k", "domain": 3}}, "text"),
        ({"pseudonym": {"key": 7}}, "path of a key file"),
        ({"pseudonym": {"key": "~nobody-here/k"}}, "has no home directory here"),
        ({"pseudonym": {"key": ""}}, "path of a key file"),
        ({"pseudonym": {"kee": "k"}}, "'kee' is not a parameter"),
        ({"encrypt": {"key": "k", "format": "ssn"}}, "'format' is not a parameter"),
        ({"encrypt": {"key": "k", "domain": ""}}, "not empty"),
        ({"hash": {"key": "k"}}, "'hash' is not a known replacement"),
        ("pseudonym", "needs its parameters"),
        (5, "replacement"),
    ],
)
def test_mistakes_are_named(folder: Path, replace: Any, said: str) -> None:
    with pytest.raises(PolicyError, match=said) as caught:
        _policy(folder, replace)
    assert "columns.ssn.replace" in str(caught.value)


SECRET = "8f3b" * 16


@pytest.mark.parametrize(
    "replace",
    [
        {"pseudonym": {"key": SECRET}},
        {"encrypt": {"key": "-----BEGIN KEY-----\nabc"}},
        {"pseudonym": {"key": "aGVsbG8gd29ybGQgaGVsbG8gd29ybGQgaGVsbG8gd29ybGQ="}},
        {"pseudonym": SECRET},
        SECRET,
    ],
)
def test_a_secret_in_the_policy_is_refused_and_not_repeated(folder: Path, replace: Any) -> None:
    with pytest.raises(PolicyError, match="looks like a secret") as caught:
        _policy(folder, replace)
    assert SECRET[:8] not in str(caught.value) and "aGVsbG8" not in str(caught.value)


def test_a_long_path_of_a_key_is_no_secret(folder: Path) -> None:
    where = folder / "keys-of-the-hospital-in-the-city-of-sweetwater" / "people"
    where.parent.mkdir()
    create_key(where)
    policy = _policy(folder, {"pseudonym": {"key": str(where.relative_to(folder))}})
    assert policy.columns["ssn"].replace.key == where


def test_what_another_run_draws_before_the_release_is_read_stays_its_own(folder: Path) -> None:
    phone = {"pseudonym": {"key": "people.key", "format": "phone"}}
    lines = [f"255-{line:04d}" for line in range(80)]
    tables = [
        pa.table({"ssn": part, "age": [30] * 40, "ill": ["flu", "gout"] * 20})
        for part in (lines[:40], lines[40:])
    ]
    first, second = (anonymize(table, _policy(folder, phone)) for table in tables)
    made = [one.to_arrow()["ssn"].to_pylist() for one in (first, second)]
    assert len({*made[0], *made[1]}) == 80
    again = [anonymize(table, _policy(folder, phone)).to_arrow()["ssn"] for table in tables]
    assert [{*one} for one in made] == [{*one.to_pylist()} for one in again]


def test_no_pseudonym_of_a_part_is_a_value_of_the_whole_column(folder: Path) -> None:
    codes = [str(n) for n in range(100, 400)]
    table = pa.table({"ssn": codes, "age": [30, 40] * 150, "ill": ["flu"] * 300})
    policy = _policy(folder, {"pseudonym": {"key": "people.key"}})
    made = anonymize(table, policy, part=Part(where="age = 30")).to_arrow()["ssn"].to_pylist()
    assert len(made) == 150 and not {*made} & {*codes}


@pytest.mark.parametrize("how", [SSN, {"encrypt": {"key": "people.key"}}])
def test_a_file_with_true_identifiers_does_not_pass_beside_the_private_table(
    folder: Path, how: Any
) -> None:
    policy = _policy(folder, how)
    made = anonymize(_table(), policy).to_arrow()
    assert verify(made, policy, original=_table()).holds
    forgotten = pa.array([PEOPLE[0], *made["ssn"].to_pylist()[1:]])
    found = verify(made.set_column(0, "ssn", forgotten), policy, original=_table())
    (bad,) = (verdict for verdict in found.verdicts if not verdict.holds)
    assert not found.holds and bad.rows_at_risk == 1 and "pseudonyms should be" in bad.note


def test_only_identifiers_are_replaced(folder: Path) -> None:
    with pytest.raises(PolicyError, match="only identifiers are replaced"):
        _policy(folder, SSN, ill={"role": "sensitive", "replace": SSN})


def test_values_of_another_kind_are_refused_before_any_work(folder: Path) -> None:
    table = _table().set_column(0, "ssn", pa.array(["12", *PEOPLE[1:]]))
    with pytest.raises(PseudonymError, match=r"column 'ssn': 1 of its 8"):
        prepare_table(read(table), _policy(folder, SSN))
    lenient = {"pseudonym": {**SSN["pseudonym"], "unfit": "missing"}}
    made = anonymize(table, _policy(folder, lenient))
    assert made.to_arrow()["ssn"].null_count == 1
    assert any("not of the format" in note for note in made.facts()["notes"])


def test_a_lost_key_is_refused_before_any_work(folder: Path) -> None:
    (folder / "people.key").unlink()
    for replace in (SSN, {"encrypt": {"key": "people.key"}}):
        with pytest.raises(PseudonymError, match="cannot be reproduced or decrypted"):
            prepare_table(read(_table()), _policy(folder, replace))


def test_parts_can_be_made_in_python() -> None:
    assert Pseudonym(Path("a.key")).write_spec() == {"pseudonym": {"key": "a.key"}}
    assert Encrypt(Path("/x/a.key")).write_spec(Path("/x")) == {"encrypt": {"key": "a.key"}}
    assert Policy(
        columns={
            "id": {"role": "identifier", "replace": Pseudonym(Path("a.key"))},
            "age": {"role": "quasi"},
        },
        require=[{"k_anonymity": {"k": 2}}],
    ).released == ("id", "age")


def test_people_with_several_rows_are_told_of_where_rows_are_counted(folder: Path) -> None:
    policy = _policy(folder, SSN)
    assert not any("several rows" in note for note in anonymize(_table(), policy).facts()["notes"])
    twice = pa.concat_tables([_table(), _table().slice(0, 1)])
    (told,) = [n for n in anonymize(twice, policy).facts()["notes"] if "several rows" in n]
    assert "people: {column: ssn}" in told and PEOPLE[0] not in told
