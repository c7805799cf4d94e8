"""``discreet anonymize --attack``: nothing is written that falls to an attack."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

POLICY = """
columns:
  zip: {role: quasi, hierarchy: {prefix: [4]}}
  sex: {role: quasi}
  ill: {role: sensitive}
require:
  - k_anonymity: {k: 2}
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A table of eight people, two of them like nobody else."""
    rows = ["02138,f,flu", "02138,f,gout", "02138,f,flu", "02138,m,gout", "02138,m,flu"]
    rows += ["02139,m,flu", "02141,f,rash", "02142,f,cold"]
    (tmp_path / "t.csv").write_text("\n".join(["zip,sex,ill", *rows]) + "\n")
    (tmp_path / "p.yaml").write_text(POLICY)
    return tmp_path


def test_what_withstands_is_written_and_the_attacks_are_told(run: Any, files: Path) -> None:
    out = files / "out.csv"
    result = run("anonymize", files / "t.csv", "--policy", files / "p.yaml", "-o", out, "--attack")
    assert result.exit_code == 0, result.output
    assert out.exists()
    assert "The release (8 rows): withstands these attacks within the policy." in result.stdout


def test_json_has_every_attack(run: Any, files: Path) -> None:
    result = run("anonymize", files / "t.csv", "--policy", files / "p.yaml", "--attack", "--json")
    facts = json.loads(result.stdout)
    assert facts["withstands"]
    assert {one["attack"] for one in facts["attacks"]} >= {"unsorted", "summary", "homogeneity"}


def test_what_falls_to_an_earlier_release_is_not_written(run: Any, files: Path) -> None:
    earlier = files / "earlier.csv"
    earlier.write_text(
        "zip,sex,ill\n02138,*,flu\n02138,*,gout\n02138,*,flu\n02138,*,gout\n02138,*,flu\n"
        "02139,*,flu\n02141,*,rash\n02142,*,cold\n"
    )
    out = files / "out.csv"
    result = run(
        "anonymize", files / "t.csv", "--policy", files / "p.yaml", "-o", out, "--attack",
        "--earlier", earlier,
    )  # fmt: skip
    assert result.exit_code == 1
    assert "Nothing was written: an attack succeeds." in result.stdout
    assert not out.exists()


@pytest.mark.parametrize("flag", ["--register", "--earlier", "--summary"])
def test_what_an_intruder_has_goes_with_attack_only(run: Any, files: Path, flag: str) -> None:
    result = run("anonymize", files / "t.csv", "--policy", files / "p.yaml", flag, files / "t.csv")
    assert result.exit_code == 2
    assert "Give --attack too." in result.stderr


def test_a_literal_star_keeps_only_its_own_column_from_being_subtracted(
    run: Any, files: Path
) -> None:
    """The only row of 02139 could be left out, and the counts of zip would give it away."""
    rows = ["02138,flu", "02138,gout", "02138,flu", "02138,*", "02138,flu", "02139,gout"]
    (files / "s.csv").write_text("\n".join(["zip,ill", *rows]) + "\n")
    (files / "s.yaml").write_text(
        "columns:\n  zip: {role: quasi, hierarchy: {prefix: [4]}}\n  ill: {role: sensitive}\n"
        "require:\n  - k_anonymity: {k: 2}\nsuppress: 0.2\n"
    )
    counts = files / "counts.csv"
    counts.write_text("column,value,count\nzip,02138,5\nzip,02139,1\n")
    codes = {}
    for name, more in (("plain.csv", ()), ("attacked.csv", ("--attack",))):
        run("anonymize", files / "s.csv", "--policy", files / "s.yaml", "-o", files / name, *more)
        again = run("attack", files / name, "--policy", files / "s.yaml", "--summary", counts)
        codes[name] = again.exit_code
    assert codes == {"plain.csv": 1, "attacked.csv": 0}


def test_attack_takes_the_register_of_the_policy_and_says_if_nothing_was_tried(
    run: Any, files: Path
) -> None:
    (files / "people.csv").write_text("zip,sex\n" + "02138,f\n" * 3)
    (files / "m.yaml").write_text(
        "columns:\n  zip: {role: quasi}\n  sex: {role: quasi}\nrequire:\n"
        "  - k_map: {k: 4, register: people.csv}\n"
    )
    (files / "r.csv").write_text("zip,sex\n02138,f\n")
    result = run("attack", files / "r.csv", "--policy", files / "m.yaml")
    assert result.exit_code == 1, result.output
    result = run("attack", files / "r.csv", "-q", "zip", "-q", "sex")
    assert "NO attack could be tried" in result.stdout


def test_what_its_choice_gives_away_is_not_written(run: Any, tmp_path: Path) -> None:
    rows = "sex,ill\nm,hiv\nm,hiv\nf,flu\nf,gout\nf,cold\n"
    (tmp_path / "t.csv").write_text(rows)
    policy = "columns:\n  sex: {role: quasi}\n  ill: {role: sensitive}\n"
    policy += "require:\n  - l_diversity: {column: ill, ell: 2}\n"
    (tmp_path / "p.yaml").write_text(policy)
    out = tmp_path / "out.csv"
    made = ("anonymize", tmp_path / "t.csv", "--policy", tmp_path / "p.yaml", "-o", out)
    result = run(*made, "--attack")
    assert result.exit_code == 1, result.output
    assert "minimality: rows 1, 2 of t.csv." in result.stdout
    assert "hiv" not in result.output
    assert not out.exists()
    assert run(*made).exit_code == 0
    again = ("attack", out, "--policy", tmp_path / "p.yaml", "--original", tmp_path / "t.csv")
    assert run(*again).exit_code == 1
    out.unlink()
    (tmp_path / "p.yaml").write_text(policy + "choice: blind\n")
    result = run(*made, "--attack")
    assert result.exit_code == 2, result.output
    assert "do not keep l_diversity" in result.stderr
    assert not out.exists()


def test_verify_says_that_a_blind_choice_cannot_be_seen(run: Any, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("sex,ill\nm,flu\nm,hiv\nf,flu\nf,gout\n")
    policy = "columns:\n  sex: {role: quasi}\n  ill: {role: sensitive}\n"
    policy += "require:\n  - l_diversity: {column: ill, ell: 2}\nchoice: blind\n"
    (tmp_path / "p.yaml").write_text(policy)
    out = tmp_path / "out.csv"
    made = run("anonymize", tmp_path / "t.csv", "--policy", tmp_path / "p.yaml", "-o", out)
    assert made.exit_code == 0, made.output
    assert "knowing this program reveals nothing more" in made.stdout
    result = run("verify", out, "--policy", tmp_path / "p.yaml")
    assert result.exit_code == 0, result.output
    assert "you have to trust the maker of the release" in result.stdout


@pytest.fixture
def undecided(tmp_path: Path) -> Path:
    """A table of which the choice of levels cannot be repeated: missing values match any value."""
    rows = ["m,hiv", "m,gout", "f,flu", "f,cold", ",hiv", ",flu"]
    (tmp_path / "t.csv").write_text("\n".join(["sex,ill", *rows]) + "\n")
    policy = "columns:\n  sex: {role: quasi}\n  ill: {role: sensitive}\nmissing: wildcard\n"
    policy += "require:\n  - l_diversity: {column: ill, ell: 2}\n"
    (tmp_path / "p.yaml").write_text(policy)
    return tmp_path


def test_what_an_attack_could_not_decide_is_not_written_unless_it_is_accepted(
    run: Any, undecided: Path
) -> None:
    out = undecided / "out.csv"
    made = ("anonymize", undecided / "t.csv", "--policy", undecided / "p.yaml", "-o", out)
    result = run(*made, "--attack")
    assert result.exit_code == 1, result.output
    assert not out.exists()
    said = " ".join(result.stdout.split())
    assert "minimality could NOT be decided: missing values match any value" in said
    assert "What the choice of levels reveals is unknown and may be a lot" in said
    assert "choice: blind" in said
    assert "Nothing was written: minimality could not be decided." in said
    assert "--accept-undecided" in said
    assert "withstands these attacks" not in said
    result = run(*made, "--attack", "--accept-undecided")
    assert result.exit_code == 0, result.output
    assert "minimality could NOT be decided" in " ".join(result.stdout.split())
    assert out.exists()


def test_json_says_which_attack_could_not_be_decided_and_why(run: Any, undecided: Path) -> None:
    made = ("anonymize", undecided / "t.csv", "--policy", undecided / "p.yaml", "--json")
    for more, code in ((), 1), (("--accept-undecided",), 0):
        result = run(*made, "--attack", *more)
        assert result.exit_code == code, result.output
        facts = json.loads(result.stdout)
        assert facts["withstands"] is None
        assert [one["attack"] for one in facts["undecided"]] == ["minimality"]
        assert "missing values match any value" in facts["undecided"][0]["why"]
        assert "choice: blind" in facts["undecided"][0]["fix"]
        (one,) = (one for one in facts["attacks"] if one["attack"] == "minimality")
        assert (one["applies"], one["decided"]) == (True, False)


def test_undecided_is_accepted_with_attack_only(run: Any, undecided: Path) -> None:
    made = ("anonymize", undecided / "t.csv", "--policy", undecided / "p.yaml")
    result = run(*made, "--accept-undecided")
    assert result.exit_code == 2
    assert "Give --attack too." in result.stderr


def test_attack_on_a_file_says_what_it_could_not_decide(run: Any, undecided: Path) -> None:
    out, policy = undecided / "out.csv", undecided / "p.yaml"
    made = run("anonymize", undecided / "t.csv", "--policy", policy, "-o", out)
    assert made.exit_code == 0, made.output
    files = ("attack", out, "--policy", policy, "--original", undecided / "t.csv")
    result = run(*files)
    assert "minimality could NOT be decided" in " ".join(result.stdout.split())
    assert result.exit_code == 1
    facts = json.loads(run(*files, "--json").stdout)
    assert facts["holds"] is None
    assert [one["attack"] for one in facts["undecided"]] == ["minimality"]
