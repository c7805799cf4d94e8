"""[Sweeney2001]_, chapters 5 and 6: the private tables and hierarchies, as printed.

The pictures of the hierarchies are lost in the text; they follow from the printed distance vectors
and precisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from discreet.algorithms import Problem
from discreet.frequency.count import count
from discreet.hierarchy import Dates, Prefix, Tree, WithSuppression
from discreet.models import KAnonymity
from discreet.pipeline.plan import plan_problem
from discreet.policy.policy import Policy
from discreet.table.read import read

Rows = Sequence[Sequence[str]]
Builders = Mapping[str, Any]

ETHNICITIES = ("Asian", "Black", "White")
ZIPS = ("02138", "02139", "02141", "02142")
FIGURE_27 = tuple((ethnicity, code) for ethnicity in ETHNICITIES for code in ZIPS)
"""The private table of figure 27: columns ethnicity and zip."""

FIGURE_26: Builders = {
    "ethnicity": Tree({"Person": list(ETHNICITIES)}),
    "zip": Prefix([4, 3], mask="0"),
}
FIGURES_28_AND_29: Builders = {name: WithSuppression(b) for name, b in FIGURE_26.items()}

PEOPLE = ("race", "birth", "sex", "zip")
FIGURE_34 = (
    ("black", "1965-09-20", "male", "02141", "short of breath"),
    ("black", "1965-02-14", "male", "02141", "chest pain"),
    ("black", "1965-10-23", "female", "02138", "painful eye"),
    ("black", "1965-08-24", "female", "02138", "wheezing"),
    ("black", "1964-11-07", "female", "02138", "obesity"),
    ("black", "1964-12-01", "female", "02138", "chest pain"),
    ("white", "1964-10-23", "male", "02138", "short of breath"),
    ("white", "1965-03-15", "female", "02139", "hypertension"),
    ("white", "1964-08-13", "male", "02139", "obesity"),
    ("white", "1964-05-05", "male", "02139", "fever"),
    ("white", "1967-02-13", "male", "02138", "vomiting"),
    ("white", "1967-03-21", "male", "02138", "back pain"),
)
"""The private table of figures 34 and 44, t1 to t12: the people columns, then problem."""

FIGURE_43 = (
    ("black", "1965", "male", "02141", "short of breath"),
    ("black", "1965", "male", "02141", "chest pain"),
    ("black", "1965", "female", "02138", "painful eye"),
    ("black", "1965", "female", "02138", "wheezing"),
    ("black", "1964", "female", "02138", "obesity"),
    ("black", "1964", "female", "02138", "chest pain"),
    ("white", "1964", "male", "02139", "obesity"),
    ("white", "1964", "male", "02139", "fever"),
    ("white", "1967", "male", "02138", "vomiting"),
    ("white", "1967", "male", "02138", "back pain"),
)
"""What Datafly releases of figure 34."""

FIGURE_32: Builders = {
    "race": Tree({"person": ["black", "white"]}),
    "birth": Dates(["month", "year", "5 years", "decade"]),
    "sex": Tree({"human": ["male", "female"]}),
    "zip": Prefix([4, 3]),
}
FIGURE_33: Builders = {name: WithSuppression(b) for name, b in FIGURE_32.items()}


def private_table(names: Iterable[str], rows: Rows) -> pa.Table:
    """Printed rows as a table of text."""
    columns = zip(*rows, strict=True)
    return pa.table(
        {name: pa.array(cells, pa.string()) for name, cells in zip(names, columns, strict=False)}
    )


def policy(builders: Builders, k: int, **more: Any) -> Policy:
    """k-anonymity over the columns of the hierarchies."""
    columns = {name: {"role": "quasi", "hierarchy": b} for name, b in builders.items()}
    return Policy(columns=columns | more.pop("columns", {}), require=[KAnonymity(k)], **more)


def problem(rows: Rows, builders: Builders, k: int, **more: Any) -> Problem:
    """The printed rows, counted, with the printed hierarchies."""
    wanted = policy(builders, k, **more)
    return plan_problem(wanted, count(read(private_table(builders, rows)), wanted.quasi).frequency)
