"""Registers that a policy names: matched by values, by names and by key, and refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import discreet
from discreet.algorithms import ALL, Mpalm, Optimal, Spalm
from discreet.cli.main import app
from discreet.errors import DiscreetError, PolicyError, RegisterError, ReleaseError
from discreet.models import DeltaPresence
from discreet.pipeline.search import count_for_policy
from discreet.policy.policy import Policy
from discreet.table.read import read

PEOPLE = "id,age,zip\n1,31,02138\n2,31,02138\n3,35,02139\n4,35,02139\n5,47,02139\n6,47,02138\n"
PRIVATE = "id,age,zip\n1,31,02138\n3,35,02139\n5,47,02139\n"
PRESENCE = "delta_presence: {public: people.csv, min: 0.2, max: 0.9"
MAP = "k_map: {k: 2, register: people.csv"


def folder_with(folder: Path, promise: str, people: str, private: str, algorithm: str) -> Path:
    """The three files of a run; the policy's."""
    (folder / "people.csv").write_text(people)
    (folder / "private.csv").write_text(private)
    policy = folder / "policy.yaml"
    policy.write_text(
        "columns:\n"
        "  age: {role: quasi, hierarchy: {intervals: [5, 10]}}\n"
        "  zip: {role: quasi, hierarchy: {prefix: [4]}}\n"
        f"require:\n  - {promise}}}\nalgorithm: {algorithm}\n"
    )
    return policy


BAD: dict[str, tuple[str, str, str, type[DiscreetError], str]] = {
    "not a part": (
        PRESENCE,
        PEOPLE.replace("3,35,02139\n4,35,02139\n", "3,36,02139\n4,36,02139\n"),
        PRIVATE,
        RegisterError,
        r"1 of 3 rows are not in the public table 'people.csv' \(by the quasi columns\)",
    ),
    "twice in the table, once in the public": (
        PRESENCE,
        PEOPLE,
        PRIVATE.replace("3,35,02139", "3,47,02139"),
        RegisterError,
        "1 of 3 rows",
    ),
    "min above the share": (
        PRESENCE.replace("0.2", "0.6"),
        PEOPLE,
        PRIVATE,
        RegisterError,
        "0.5 for everybody, below min, which is 0.6",
    ),
    "max below the share": (
        PRESENCE.replace("0.9", "0.4"),
        PEOPLE,
        PRIVATE,
        RegisterError,
        "0.5 for everybody, above max, which is 0.4",
    ),
    "other names": (
        PRESENCE,
        PEOPLE.replace("id,age,zip", "id,Age,zipcode"),
        PRIVATE,
        RegisterError,
        r"has no column age, zip. .* names: \{age: Age, zip: zipcode\} in delta_presence",
    ),
    "a wrong other name": (
        PRESENCE + ", names: {zip: zipcod}",
        PEOPLE.replace("id,age,zip", "id,age,zipcode"),
        PRIVATE,
        RegisterError,
        r"has no column zipcod. .* names: \{zip: zipcode\} in delta_presence",
    ),
    "another format": (
        PRESENCE,
        PEOPLE.replace(",0213", ",MA-213"),
        PRIVATE,
        RegisterError,
        "age 3 of 3, zip 0 of 2",
    ),
    "an empty public": (PRESENCE, "id,age,zip\n", PRIVATE, RegisterError, "has 0 rows"),
    "an empty register": (MAP, "id,age,zip\n", PRIVATE, RegisterError, "has 0 rows, k is 2"),
    "a register of fewer than k": (
        MAP.replace("2", "7"),
        PEOPLE,
        PRIVATE,
        RegisterError,
        "has 6 rows, k is 7",
    ),
    "no key in the public": (
        PRESENCE + ", key: id",
        PEOPLE.replace("id", "number"),
        PRIVATE,
        RegisterError,
        "key 'id' is not a column in 'people.csv'",
    ),
    "no key in the table": (
        PRESENCE + ", key: id",
        PEOPLE,
        PRIVATE.replace("id", "number"),
        RegisterError,
        "key 'id' is not a column in 'private.csv'",
    ),
    "a key twice in the public": (
        PRESENCE + ", key: id",
        PEOPLE.replace("6,47", "5,47"),
        PRIVATE,
        RegisterError,
        "key 'id' repeats in 1 rows in 'people.csv'",
    ),
    "a key twice in the table": (
        PRESENCE + ", key: id",
        PEOPLE,
        PRIVATE.replace("3,35", "1,35"),
        RegisterError,
        "key 'id' repeats in 1 rows in 'private.csv'",
    ),
    "a missing key in the public": (
        PRESENCE + ", key: id",
        PEOPLE.replace("6,47", ",47"),
        PRIVATE,
        RegisterError,
        "key 'id' is missing in 1 rows in 'people.csv'",
    ),
    "a missing key in the table": (
        PRESENCE + ", key: id",
        PEOPLE,
        PRIVATE.replace("3,35", ",35"),
        RegisterError,
        "key 'id' is missing in 1 rows in 'private.csv'",
    ),
    "a key that is somebody else": (
        PRESENCE + ", key: id",
        PEOPLE,
        PRIVATE.replace("3,35", "6,35"),
        RegisterError,
        r"1 of 3 rows .* \(by id and the quasi columns\)",
    ),
    "a key that nobody has": (
        PRESENCE + ", key: id",
        PEOPLE,
        PRIVATE.replace("3,35", "9,35"),
        RegisterError,
        r"1 of 3 rows .* \(by id and the quasi columns\)",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_joined_is_refused(tmp_path: Path, case: str) -> None:
    promise, people, private, kind, says = BAD[case]
    policy = folder_with(tmp_path, promise, people, private, "spalm")
    with pytest.raises(kind, match=says):
        discreet.anonymize(tmp_path / "private.csv", Policy.load(policy))


@pytest.mark.parametrize("case", BAD)
def test_the_command_says_why_and_ends_with_two(tmp_path: Path, case: str) -> None:
    promise, people, private, _, _ = BAD[case]
    policy = folder_with(tmp_path, promise, people, private, "mpalm")
    files = ["anonymize", tmp_path / "private.csv", "--policy", policy, "-o", tmp_path / "out.csv"]
    result = CliRunner().invoke(app, [str(part) for part in files])
    assert result.exit_code == 2
    assert result.stderr.startswith("discreet: ")
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "out.csv").exists()
    assert not any(cell in result.stderr for cell in ("02138", "02139", "MA-213"))


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (", columns: [age]", "a register is joined on all quasi columns"),
        (", names: {name: x}", "'name' is not a quasi column"),
        (", publik: x", "publik"),
    ],
)
def test_a_policy_that_asks_for_what_cannot_be_is_refused(
    tmp_path: Path, more: str, says: str
) -> None:
    policy = folder_with(tmp_path, PRESENCE + more, PEOPLE, PRIVATE, "spalm")
    with pytest.raises(PolicyError, match=says):
        Policy.load(policy)


def people_of(folder: Path, promise: str, people: str = PEOPLE) -> list[float]:
    """The people whom each tuple fits, most first."""
    policy = Policy.load(folder_with(folder, promise, people, PRIVATE, "spalm"))
    found = count_for_policy(read(folder / "private.csv"), policy)
    return sorted(found.frequency.tallies[policy.require[0].tally].tolist(), reverse=True)


@pytest.mark.parametrize("promise", [PRESENCE, MAP, PRESENCE + ", key: id"])
def test_people_are_counted_by_the_quasi_columns(tmp_path: Path, promise: str) -> None:
    assert people_of(tmp_path, promise) == [2, 2, 1, 1]


@pytest.mark.parametrize("promise", [PRESENCE, MAP])
def test_a_register_with_other_names_is_joined_by_those(tmp_path: Path, promise: str) -> None:
    renamed = PEOPLE.replace("age,zip", "years,postcode")
    told = promise + ", names: {age: years, zip: postcode}"
    assert people_of(tmp_path, told, renamed) == [2, 2, 1, 1]


def test_one_file_under_two_sets_of_names_is_counted_twice(tmp_path: Path) -> None:
    """Home and work addresses are different people to look for."""
    lines = PEOPLE.splitlines()
    people = "\n".join([f"{lines[0]},work", *(f"{line},02139" for line in lines[1:])]) + "\n"
    both = MAP.replace("2,", "1,") + "}\n  - " + MAP.replace("2,", "1,") + ", names: {zip: work}"
    policy = Policy.load(folder_with(tmp_path, both, people, PRIVATE, "spalm"))
    found = count_for_policy(read(tmp_path / "private.csv"), policy).frequency
    home, work = (found.tallies[model.tally] for model in policy.require)
    assert home.tolist() != work.tolist()
    assert home.sum() == work.sum() == 6


@pytest.mark.parametrize("maker", [Spalm, Optimal, Mpalm])
def test_presence_is_measured_over_the_public(tmp_path: Path, maker: Callable[..., Any]) -> None:
    policy = Policy.load(folder_with(tmp_path, PRESENCE, PEOPLE, PRIVATE, "spalm"))
    release = discreet.anonymize(tmp_path / "private.csv", policy.replace(algorithm=maker()))
    (verdict,) = release.solution.verdicts
    assert verdict.holds
    assert 0.2 <= verdict.measured <= 0.9
    assert release.solution.suppressed == 0
    released = release.to_arrow()
    assert discreet.verify(released, release.policy, original=tmp_path / "private.csv").holds


def test_the_command_writes_a_release_that_verifies(tmp_path: Path) -> None:
    ranged = "{mpalm: {columns_by: best, values_by: first, ranges: [age]}}"
    policy = folder_with(tmp_path, PRESENCE, PEOPLE, PRIVATE, ranged)
    out = tmp_path / "out.csv"
    for args in (["anonymize", tmp_path / "private.csv", "-o", out], ["verify", out]):
        result = CliRunner().invoke(app, [*map(str, args), "--policy", str(policy)])
        assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize(
    "maker", [m for m in ALL if DeltaPresence not in m.claims], ids=lambda maker: str(maker.name)
)
def test_algorithms_whose_releases_overlap_refuse_by_name(
    tmp_path: Path, maker: Callable[..., Any]
) -> None:
    policy = Policy.load(folder_with(tmp_path, PRESENCE, PEOPLE, PRIVATE, "spalm"))
    with pytest.raises(ReleaseError, match="delta_presence"):
        discreet.anonymize(tmp_path / "private.csv", policy.replace(algorithm=maker()))


def test_a_hierarchy_in_which_a_value_is_named_as_a_group_is_refused(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("place\nNew York\nAlbany\nBangor\n")
    policy = Policy(
        folder=tmp_path,
        columns={
            "place": {
                "role": "quasi",
                "hierarchy": {"tree": {"*": {"New York": ["New York", "Albany"], "M": ["Bangor"]}}},
            }
        },
        require=[{"k_map": {"k": 2, "register": "people.csv"}}],
    )
    (tmp_path / "private.csv").write_text("place\nNew York\nBangor\n")
    with pytest.raises(RegisterError, match=r"column 'place'.*k_map cannot be checked"):
        discreet.anonymize(read(tmp_path / "private.csv"), policy)


@pytest.mark.parametrize("hierarchy", [{"prefix": [1]}, None, {"flat": True}])
@pytest.mark.parametrize("algorithm", ["optimal", "datafly", "spalm", "mpalm"])
def test_a_code_that_reads_like_a_masked_one_is_refused(
    tmp_path: Path, algorithm: str, hierarchy: dict[str, Any] | None
) -> None:
    """AB* as found would be taken for all codes that begin with AB."""
    (tmp_path / "people.csv").write_text("code\nAB*\nAB1\nAB1\nAB*\nCD1\nCD2\n")
    policy = Policy(
        folder=tmp_path,
        columns={"code": {"role": "quasi", "hierarchy": hierarchy}},
        require=[{"delta_presence": {"public": "people.csv", "min": 0, "max": 1}}],
        algorithm=algorithm,
    )
    (tmp_path / "private.csv").write_text("code\nAB*\nAB1\nCD1\nCD2\n")
    with pytest.raises(RegisterError, match=r"column 'code'.*delta_presence cannot be checked"):
        discreet.anonymize(read(tmp_path / "private.csv"), policy)


def test_a_label_that_covers_fewer_codes_than_it_reads_is_refused(tmp_path: Path) -> None:
    """0*1 becomes 0**, which reads like 001 and 002 too."""
    for name in ("people.csv", "private.csv"):
        (tmp_path / name).write_text("code\n0*1\n0*2\n001\n002\n")
    policy = Policy(
        folder=tmp_path,
        columns={"code": {"role": "quasi", "hierarchy": {"prefix": [2], "top": "*"}}},
        require=[{"k_map": {"k": 2, "register": "people.csv"}}],
    )
    with pytest.raises(RegisterError, match="stands for a value and for a group"):
        discreet.anonymize(read(tmp_path / "private.csv"), policy)


@pytest.mark.parametrize("codes", ["AB*\nCD1\nCD2\n", "A*B\nA*C\nCD2\n", "AB*\nAB12\nCD2\n"])
def test_a_code_that_ends_in_the_mask_is_taken_where_it_covers_no_other(
    tmp_path: Path, codes: str
) -> None:
    for name in ("people.csv", "private.csv"):
        (tmp_path / name).write_text("code\n" + codes)
    policy = Policy(
        folder=tmp_path,
        columns={"code": {"role": "quasi", "hierarchy": {"prefix": [1]}}},
        require=[{"delta_presence": {"public": "people.csv", "min": 0, "max": 1}}],
    )
    release = discreet.anonymize(read(tmp_path / "private.csv"), policy)
    assert release.to_arrow().num_rows == 3


def test_rows_of_stars_do_not_go_with_presence() -> None:
    with pytest.raises(PolicyError, match=r"rows of \* match everybody"):
        Policy(
            columns={"age": {"role": "quasi"}},
            require=[{"delta_presence": {"public": "people.csv", "min": 0, "max": 0.5}}],
            suppressed_rows="keep",
        )


@pytest.mark.parametrize("algorithm", ["spalm", "optimal"])
def test_a_number_that_is_written_in_two_ways_is_refused_by_name(
    tmp_path: Path, algorithm: str
) -> None:
    """Whoever reads -1 in the release cannot tell it from -1e0, which the search counts apart."""
    (tmp_path / "people.csv").write_text("m\n-1e0\n-1\n-1\n")
    private = tmp_path / "private.csv"
    private.write_text("m\n-1e0\n-1\n")
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "columns:\n  m: {role: quasi, hierarchy: {intervals: [5]}}\n"
        "require:\n  - delta_presence: {public: people.csv, min: 0, max: 1}\n"
        f"algorithm: {algorithm}\n"
    )
    with pytest.raises(RegisterError, match="written in several ways"):
        discreet.anonymize(read(private), Policy.load(policy))


def test_a_group_that_is_called_like_a_value_that_nobody_has_is_refused_by_name(
    tmp_path: Path,
) -> None:
    (tmp_path / "h.csv").write_text("fi;fi;*\nse;fi;*\nno;fi;*\nde;de;*\n")
    (tmp_path / "people.csv").write_text("c\nse\nno\nde\nde\n")
    private = tmp_path / "private.csv"
    private.write_text("c\nse\nde\n")
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "columns:\n  c: {role: quasi, hierarchy: {file: h.csv}}\n"
        "require:\n  - delta_presence: {public: people.csv, min: 0, max: 0.6}\n"
    )
    with pytest.raises(DiscreetError, match="column 'c'"):
        discreet.anonymize(read(private), Policy.load(policy))
