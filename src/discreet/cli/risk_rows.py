"""The risk of each row by its number, in a file that holds no value of the table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from discreet.frequency.count import Counted
    from discreet.risk.risk_findings import RiskFindings
    from discreet.risk.special_uniques import SpecialFindings
    from discreet.table.table import Table

ENDINGS = (".csv",)


def write_rows(
    out: Path,
    table: Table,
    counted: Counted,
    found: RiskFindings,
    special: SpecialFindings | None,
    replace: bool = True,
) -> None:
    """Write a line for each row in the order of the file, whole or not at all.

    ``row`` counts from 1, the header left out; ``class_rows`` are rows alike, itself included;
    ``journalist`` is 0 where nobody in the register fits.
    """
    from discreet.risk.row_risk import row_classes
    from discreet.table.atomic import appearing

    columns = {
        "class_rows": found.class_rows,
        "prosecutor": found.class_risk["prosecutor"],
        "journalist": found.class_risk["journalist"],
    }
    if special is not None:
        columns |= {"special_score": special.scores, "special_columns": special.smallest}
    if special is not None and special.dis_scores is not None:
        columns["dis_score"] = special.dis_scores
    lines = zip(*columns.values(), strict=True)
    texts = np.array([",".join(f"{one:.6g}" for one in line) for line in lines], dtype=object)
    row = 0
    with (
        appearing(out, out.suffix, replace=replace) as part,
        part.open("w", encoding="utf-8") as file,
    ):
        file.write(f"{','.join(['row', *columns])}\n")
        for classes in row_classes(table, counted):
            numbers = range(row + 1, row + 1 + len(classes))
            told = zip(numbers, texts[classes].tolist(), strict=True)
            file.write("".join(f"{number},{text}\n" for number, text in told))
            row += len(classes)
