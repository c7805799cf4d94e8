"""A table with its columns masked: what is released, what is left out, and the verdicts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.one_dimensional.column_mask import ColumnMask
from discreet.algorithms.problem import Problem
from discreet.frequency.classes import Mask
from discreet.frequency.key_index import KeyIndex
from discreet.models.probabilistic_anonymity import ProbabilisticAnonymity
from discreet.models.verdict import Verdict


def released(problem: Problem, masks: tuple[ColumnMask, ...]) -> CellRecoding:
    """Every row with its values masked, column by column."""
    frequency = problem.frequency
    return CellRecoding(
        tuple(mask.values for mask in masks),
        np.arange(len(frequency), dtype=np.int32),
        frequency.rows,
        np.ones(len(frequency), dtype=np.bool_),
        tuple(m.code[codes] for m, codes in zip(masks, frequency.codes, strict=True)),
    )


def judged(
    problem: Problem, recoding: CellRecoding, verdicts: tuple[Verdict, ...]
) -> tuple[Verdict, ...]:
    """The verdicts, those on probabilistic anonymity from the values that each column shows."""
    values = {
        name: len(np.unique(v.alike[codes[recoding.kept]]))
        for name, v, codes in zip(
            problem.frequency.columns, recoding.values, recoding.codes, strict=True
        )
    }
    rows = int(recoding.rows[recoding.kept].sum())
    found = []
    for model, verdict in zip(problem.requirement.models, verdicts, strict=True):
        if isinstance(model, ProbabilisticAnonymity):
            shown = math.prod(values[name] for name in verdict.columns)
            verdict = model.judged(shown, rows, verdict.columns)
        found.append(verdict)
    return tuple(found)


def kept_rows(problem: Problem, recoding: CellRecoding) -> CellRecoding | None:
    """The recoding without classes that break a promise; None if too many rows are, or all."""
    counter = recoding.counter(problem)
    judgement = problem.requirement.judge(counter, counter.base)
    if judgement.suppressed > min(problem.limit, problem.total - 1):
        return None
    if not judgement.suppressed:
        return recoding
    alike = [v.alike[codes] for v, codes in zip(recoding.values, recoding.codes, strict=True)]
    keys = counter.packing.pack(alike, len(recoding.owner))
    kept: Mask = ~judgement.fails[KeyIndex(counter.base.keys).find(keys)]
    return replace(recoding, kept=kept)
