"""``discreet anonymize --interactive``: the data holder and mu-Argus at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from discreet.algorithms.mu_argus.mu_argus import MuArgus, SessionStatus, measure_session
from discreet.algorithms.mu_argus.session import Session
from discreet.cli import output
from discreet.cli.failure import FlagError
from discreet.errors import did_you_mean

if TYPE_CHECKING:
    from discreet.algorithms.problem import Problem
    from discreet.policy.policy import Policy

WARNING = "This shows PRIVATE values of the table: for the eyes of the data holder only."
QUESTION = "Generalize which column (name or number), undo, or done?"
MOST_COMBINATIONS, MOST_VALUES = 12, 3
"""How many combinations are shown, those with most rows first, and how many values of each."""

Ask = Callable[[str], str]


def choose_generalizations(table: Any, policy: Policy) -> Policy:
    """The policy with the generalizations that the data holder chose at the terminal."""
    from discreet.pipeline.plan import plan_problem
    from discreet.pipeline.prepare import prepare_table
    from discreet.pipeline.search import count_for_policy
    from discreet.policy.anonymity_level import fill_in_k

    if not isinstance(policy.algorithm, MuArgus):
        what = f"the algorithm {policy.algorithm.name} asks nothing"
        raise FlagError("--interactive", what, "Use the algorithm mu-argus, or leave it out.")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        what = "there is no terminal to ask on"
        fix = "Name the columns under 'generalize' of mu-argus in the policy instead."
        raise FlagError("--interactive", what, fix)
    source = prepare_table(table, policy)
    frequency = count_for_policy(source, policy).frequency
    problem = plan_problem(fill_in_k(policy, frequency.total, source.name), frequency)
    return policy.replace(algorithm=choose(problem, policy.algorithm))


def choose(problem: Problem, algorithm: MuArgus, ask: Ask | None = None) -> MuArgus:
    """Phases C and D: show the outliers, ask which column to generalize, until the answer is done.

    Notes
    -----
    [Sweeney2001]_, sec. 7.2, fig. 48. *Departures*: precision, suppressed cells and unprotected
    rows are shown before and after each step.
    """
    ask = ask or (lambda question: str(click.prompt(question, prompt_suffix=" ")))
    session = algorithm.session(problem)
    output.write(WARNING)
    now = measure_session(algorithm, session)
    names: list[str] = []
    _show(session, [("now", now)])
    while (answer := ask(QUESTION).strip()) != "done":
        if not _take_step(session, names, answer):
            continue
        before, now = now, measure_session(algorithm, session)
        _show(session, [("before", before), ("now", now)])
    return replace(algorithm, generalize=(*algorithm.generalize, *names))


def _take_step(session: Session, names: list[str], answer: str) -> bool:
    """Do what was asked; say why where nothing can be done."""
    columns = session.problem.frequency.columns
    if answer == "undo":
        if not names:
            output.write("There is nothing to undo.")
            return False
        names.pop()
        return session.undo()
    if answer.isdecimal() and answer not in columns and 1 <= int(answer) <= len(columns):
        answer = columns[int(answer) - 1]
    if answer not in columns:
        known = [*columns, "undo", "done"]
        output.write(
            f"'{output.format_fact(answer)}' is not a column. {did_you_mean(answer, known)}"
        )
        return False
    if session.is_at_top(columns.index(answer)):
        output.write(
            f"'{output.format_fact(answer)}' is at its top and cannot be generalized further."
        )
        return False
    names.append(answer)
    session.generalize(columns.index(answer))
    return True


def _show(session: Session, standings: list[tuple[str, SessionStatus]]) -> None:
    heights = session.problem.lattice.top
    columns = zip(session.problem.frequency.columns, session.levels, heights, strict=True)
    rows = [(i + 1, name, level, height) for i, (name, level, height) in enumerate(columns)]
    output.print_table("Columns", ("number", "column", "level", "top"), rows)
    _show_outliers(session)
    heads = (
        "",
        "precision",
        "rows with outliers",
        "cells to suppress",
        "precision then",
        "unprotected then",
    )
    told = [
        (when, s.precision, s.outlier_rows, s.cells, s.precision_released, s.unprotected)
        for when, s in standings
    ]
    output.print_table("If you are done now", heads, told)


def _show_outliers(session: Session) -> None:
    """Combinations with rare values, those of most rows first, and some of the values."""
    found = session.outliers()
    rows = np.where(found.unsafe, found.rows[:, None], 0).sum(axis=0)
    order = [int(c) for c in np.argsort(-rows, kind="stable") if rows[c]]
    if not order:
        output.write(f"No outliers: all values that are tested are those of {session.k:,} rows.")
        return
    shown = [
        (
            ", ".join(session.problem.frequency.columns[c] for c in found.combinations[number]),
            int(rows[number]),
            "; ".join(_list_rare_values(session, number)),
        )
        for number in order[:MOST_COMBINATIONS]
    ]
    more = len(order) - len(shown)
    title = f"Outliers: values of fewer than {session.k:,} rows"
    title += f" (and {more:,} combinations more)" if more else ""
    output.print_table(title, ("columns", "rows", "such as"), shown)


def _list_rare_values(session: Session, number: int) -> Iterator[str]:
    """Some rare values of a combination, with the number of their rows."""
    found = session.outliers()
    columns = found.combinations[number]
    unsafe = found.unsafe[:, number]
    codes = np.stack([found.codes[c][unsafe] for c in columns], axis=1)
    values, place = np.unique(codes, axis=0, return_inverse=True)
    rows = np.bincount(place.reshape(-1), weights=found.rows[unsafe]).astype(int)
    for one in np.argsort(-rows, kind="stable")[:MOST_VALUES]:
        labels = [
            session.problem.lattice.hierarchies[c].labels[session.levels[c]][code]
            for c, code in zip(columns, values[one], strict=True)
        ]
        yield f"{output.format_fact(labels)} ({rows[one]:,})"
    if len(values) > MOST_VALUES:
        yield f"{len(values) - MOST_VALUES:,} more"
