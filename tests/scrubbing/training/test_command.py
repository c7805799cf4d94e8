"""Training, likelihoods and external models on the command line: what they write and refuse."""

import json

import pytest
from typer.testing import CliRunner

from discreet.cli.failure import FlagError
from discreet.cli.main import app
from discreet.errors import ParameterError, ScrubError

TEXT = "Seen with Mr. Zyxgraves on the ward."


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "gold.jsonl"
    span = {"start": 14, "end": 23, "label": "NAME"}
    path.write_text(json.dumps({"text": TEXT, "spans": [span]}) + "\n")
    return path


def run(*words):
    return CliRunner().invoke(app, ["scrub", *map(str, words)])


def test_training_writes_likelihoods_that_a_later_run_uses(gold, tmp_path):
    file = tmp_path / "ours.json"
    done = run("--train", gold, "--likelihoods", file)
    assert done.exit_code == 0, done.output
    assert "Recall 100.0 %" in done.output and "Zyxgraves" not in done.output
    whole = json.loads(file.read_text())
    whole["templates"] = {"written_date/month, year": 0.1}
    file.write_text(json.dumps(whole))
    note = tmp_path / "note.txt"
    note.write_text("It was in March 1999.")
    plain, changed = (
        json.loads(run(note, "--json", *more).stdout)["findings"]
        for more in ((), ("--likelihoods", file))
    )
    assert plain == {"DATE": 1}
    assert changed == {}


def test_training_without_a_file_writes_nothing_and_json_has_the_facts(gold, tmp_path):
    assert "Nothing was written" in run("--train", gold).output
    facts = json.loads(run("--train", gold, "--json").stdout)
    assert facts["recall"] == 1.0
    assert "never" in facts["weaknesses"]
    assert [path.name for path in tmp_path.iterdir()] == ["gold.jsonl"]


def test_what_does_not_fit_is_refused(gold, tmp_path):
    there = tmp_path / "there.json"
    there.write_text("{}")
    for words, error, said in (
        (("--train", gold, "--likelihoods", there), FlagError, "there already"),
        (("--train", gold, "--evaluate", gold), FlagError, "not scrubbed or measured"),
        ((gold, "--likelihoods", there), ScrubError, "no likelihoods"),
        ((gold, "--external-model", "other:x"), ParameterError, "spacy:MODEL"),
    ):
        done = run(*words)
        assert done.exit_code != 0
        told = done.output + str(done.exception)
        assert said in told, error
    assert there.read_text() == "{}"


def test_a_german_letter_is_scrubbed_from_the_command_line(tmp_path):
    note = tmp_path / "brief.txt"
    note.write_text("Frau Krzyszowski, geb. am 1. März 1991, hat Morbus Crohn.\n", encoding="utf-8")
    done = run(note, "-o", tmp_path / "out.txt", "--language", "de")
    assert done.exit_code == 0, done.output
    text = (tmp_path / "out.txt").read_text(encoding="utf-8")
    assert "Krzyszowski" not in text and "Morbus Crohn" in text
