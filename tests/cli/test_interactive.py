"""mu-Argus at the terminal: what is shown, what is asked, what is refused."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from discreet.algorithms.mu_argus.mu_argus import MuArgus
from discreet.cli import interactive
from discreet.cli.failure import FlagError
from discreet.cli.interactive import QUESTION, WARNING, choose, choose_generalizations
from discreet.policy.policy import Policy
from discreet.table.read import read
from tests.papers.test_sweeney_mu_argus import RANKS, figure_34

PUBLISHED = MuArgus("published", **RANKS)


def dialogue(answers: Iterable[str], algorithm: MuArgus = PUBLISHED) -> MuArgus:
    """Give these answers, one a question; all of them must be asked for."""
    left = list(answers)

    def ask(question: str) -> str:
        assert question == QUESTION
        return left.pop(0)

    found = choose(figure_34(), algorithm, ask)
    assert not left
    return found


def test_done_at_once_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert dialogue(["done"]) == PUBLISHED
    assert capsys.readouterr().out.startswith(WARNING)


@pytest.mark.parametrize("answer", ["zip", "4", " zip "])
def test_a_column_is_named_or_numbered(answer: str) -> None:
    assert dialogue([answer, "done"]).generalize == ("zip",)


def test_what_was_chosen_gives_figure_79_without_a_terminal() -> None:
    asked = figure_34()
    found = dialogue(["zip", "done"])(asked)
    assert found.measures["precision"] == pytest.approx(0.796, abs=5e-4)


def test_steps_are_taken_back_one_by_one_and_those_of_the_policy_stay() -> None:
    start = MuArgus("published", **RANKS, generalize=("sex",))
    answers = ["zip", "race", "undo", "birth", "undo", "undo", "undo", "zip", "done"]
    assert dialogue(answers, start).generalize == ("sex", "zip")


def test_nothing_to_undo_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    dialogue(["undo", "done"])
    assert "There is nothing to undo." in capsys.readouterr().out


def test_a_wrong_answer_is_explained_and_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert dialogue(["zap", "0", "5", "done"]) == PUBLISHED
    out = capsys.readouterr().out
    assert "'zap' is no column. Did you mean 'zip'?" in out
    assert "'5' is no column." in out


def test_a_column_at_its_top_is_not_raised(capsys: pytest.CaptureFixture[str]) -> None:
    assert dialogue(["sex", "sex", "sex", "done"]).generalize == ("sex", "sex")
    assert "'sex' is at its top" in capsys.readouterr().out


def test_outliers_and_what_a_step_does_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """Figures 74 and 78, and the precisions of figures 75 and 79."""
    dialogue(["zip", "done"])
    first, second = capsys.readouterr().out.split("Columns")[1:]
    assert "white, 1965, 02139 (1); white, 1964, 02138 (1)" in first
    assert "white, 1965, 0213* (1)" in second
    assert [line.split() for line in first.splitlines() if "now  " in line] == [
        ["now", "0.9", "2", "3", "0.8542", "2"]
    ]
    told = [line.split() for line in second.splitlines() if line.startswith((" before", " now"))]
    assert told == [
        ["before", "0.9", "2", "3", "0.8542", "2"],
        ["now", "0.8167", "1", "1", "0.7958", "1"],
    ]


def test_the_complete_variant_can_be_guided_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert dialogue(["zip", "done"], MuArgus()).generalize == ("zip",)
    assert "race, birth, sex, zip" in capsys.readouterr().out


def policy_of(policy: Path, algorithm: Any) -> Policy:
    loaded = Policy.load(policy)
    return loaded.model_copy(update={"algorithm": algorithm})


def test_without_a_terminal_it_is_refused_by_name(table: Path, policy: Path) -> None:
    with pytest.raises(FlagError, match="--interactive: there is no terminal to ask on"):
        choose_generalizations(read(table), policy_of(policy, MuArgus()))


def test_other_algorithms_ask_nothing(table: Path, policy: Path) -> None:
    with pytest.raises(FlagError, match="--interactive: the algorithm optimal asks nothing"):
        choose_generalizations(read(table), Policy.load(policy))


def test_at_a_terminal_the_policy_gets_what_was_chosen(
    table: Path, policy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    answers = iter(["zip", "done"])
    monkeypatch.setattr(interactive.click, "prompt", lambda *_, **__: next(answers))
    made = choose_generalizations(read(table), Policy.load(policy).replace(algorithm=MuArgus()))
    assert made.algorithm == MuArgus(generalize=("zip",))
