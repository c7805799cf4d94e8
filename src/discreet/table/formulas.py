"""Cells that a spreadsheet program would run as formulas, counted on their way into a text file.

Notes
-----
[OWASP, CSV injection]: a cell that starts with ``=``, ``+``, ``-``, ``@``, a tab or a carriage
return may be run when a CSV file is opened in a spreadsheet program. Numbers, ranges of numbers and
marks such as ``--`` are harmless. Workbooks store their cells as text, which is never run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

RUN = r"^[=+\-@\t\r]"
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
HARMLESS = rf"^(?:{_NUMBER}(?:(?: to <?|-){_NUMBER})?|[-+]+)$"


def is_formula(text: str) -> bool:
    """Whether a spreadsheet program would run a cell with this text.

    >>> [is_formula(text) for text in ("=1+1", "@x", "-5", "+7", "-5 to 4", "--", "a=b")]
    [True, True, False, False, False, False, False]
    """
    return bool(re.match(RUN, text)) and not re.match(HARMLESS, text, re.ASCII)


def count_formulas(rows: pa.RecordBatchReader, found: Counter[str]) -> pa.RecordBatchReader:
    """The same rows; cells that a spreadsheet would run are counted in ``found`` by column."""
    texts = [at for at, field in enumerate(rows.schema) if _is_text(field.type)]

    def each() -> Iterator[pa.RecordBatch]:
        for batch in rows:
            for at in texts:
                column = batch.column(at)
                odd = column.filter(pc.match_substring_regex(column, RUN))
                if len(odd):
                    harmless = pc.sum(pc.match_substring_regex(odd, HARMLESS)).as_py()
                    found[rows.schema.field(at).name] += len(odd) - harmless
            yield batch

    return pa.RecordBatchReader.from_batches(rows.schema, each())


def tell_formulas(cells: Counter[str], names: Sequence[str]) -> list[str]:
    """What to say of such cells and names of columns; no cell is quoted."""
    told = []
    columns = [name for name, count in cells.items() if count]
    if columns:
        total = sum(cells.values())
        shown = ", ".join(columns[:5]) + (", ..." if len(columns) > 5 else "")
        told.append(
            f"{total:,} cell{'' if total == 1 else 's'} of {len(columns)} "
            f"column{'' if len(columns) == 1 else 's'} ({shown}) start like a formula (=, +, -, @, "
            "tab): a spreadsheet program may run them. Write .xlsx, where cells are text"
        )
    if any(is_formula(name) for name in names):
        told.append(
            "a released column has a name that starts like a formula: a spreadsheet program may "
            "run it. Rename the column, or write .xlsx"
        )
    return told


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
