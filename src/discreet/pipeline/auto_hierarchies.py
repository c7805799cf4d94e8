"""Hierarchies that a policy leaves to the data: proposed once, from the whole table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.hierarchy import Builder
from discreet.hierarchy.proposals import RowCodes, propose
from discreet.hierarchy.proposals.propose import LEAST_ROWS
from discreet.models import KAnonymity
from discreet.policy.parts import Auto

if TYPE_CHECKING:
    from discreet.pipeline.people.counted_people import CodedRows
    from discreet.policy.policy import Policy

LEAST_UNKNOWN = 20
"""Rows that a value needs to be named in a group while it is not known what k will be."""


def list_auto(policy: Policy) -> tuple[str, ...]:
    """The quasi columns of a policy whose hierarchy is still to be proposed."""
    return tuple(name for name in policy.quasi if _is_open(policy.columns[name].hierarchy))


def settle_auto(policy: Policy, codes: RowCodes) -> Policy:
    """The policy with a proposal for each column that leaves its hierarchy to the data.

    The proposals are made from all quasi columns that are coded, and from no sensitive column:
    what a group is called and who is in it is released. In a policy that is written the column
    still says ``auto``, since a learnt tree holds values of the table.
    """
    found = {
        name: Auto(propose_from_rows(policy, name, codes))
        for name in list_auto(policy)
        if name in codes.codes
    }
    return write_hierarchies(policy, found) if found else policy


def write_hierarchies(policy: Policy, builders: Mapping[str, Builder]) -> Policy:
    """The policy with other hierarchies for some columns."""
    columns = dict(policy.columns)
    for name, builder in builders.items():
        columns[name] = columns[name].model_copy(update={"hierarchy": builder})
    return policy.replace(columns=columns)


def propose_from_rows(policy: Policy, column: str, codes: RowCodes) -> Builder:
    """What is proposed for a column from the rows of its table."""
    values = codes.values[column]
    counts = codes.count_codes(column).tolist()
    return propose(column, values, counts, codes, find_least_named(policy)).builder


def find_least_named(policy: Policy) -> int:
    """How many rows a value needs to be named in a group: k, or more where k is not known."""
    if policy.anonymity is not None:
        return LEAST_UNKNOWN
    promised = [model.k for model in policy.require if isinstance(model, KAnonymity)]
    return max([LEAST_ROWS, *promised])


def list_row_codes(frequency: FrequencyList, columns: Sequence[str]) -> RowCodes:
    """The rows of a counted table, as proposals look at them."""
    place = {name: at for at, name in enumerate(frequency.columns)}
    return RowCodes(
        {name: frequency.codes[place[name]] for name in columns if name in place},
        frequency.values,
        frequency.rows,
    )


def list_people_codes(rows: CodedRows, columns: Sequence[str]) -> RowCodes:
    """The rows of a table about people, each combination of values once for each person."""
    many = len(rows.people)
    pairs = np.unique(rows.tuple.astype(np.int64) * many + rows.person)
    tuples, person = np.divmod(pairs, many)
    people = np.bincount(tuples, minlength=len(rows.codes)).astype(np.int64)
    codes = {name: rows.codes[:, place] for place, name in enumerate(columns)}
    values = {name: one.values for name, one in zip(columns, rows.dictionaries, strict=True)}
    units = {
        name: np.bincount(
            np.unique(own[tuples].astype(np.int64) * many + person) // many,
            minlength=len(values[name]),
        )
        for name, own in codes.items()
    }
    return RowCodes(codes, values, people, units)


def _is_open(builder: object) -> bool:
    return isinstance(builder, Auto) and builder.proposed is None
