"""Phase E: the cells to suppress, by the variant that was chosen, and how few would have done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from discreet.algorithms.argus.blank_alike import blank_alike
from discreet.algorithms.argus.fewest_alike import fewest_alike, least_cells
from discreet.algorithms.argus.fewest_cells import SECONDS, fewest_cells
from discreet.algorithms.argus.looks import looks_of
from discreet.algorithms.argus.session import Session
from discreet.algorithms.argus.suppress_outliers import first_cells, greedy_cells
from discreet.algorithms.box_search import Progress
from discreet.algorithms.cell_recoding import CellRecoding, at_levels
from discreet.frequency.classes import Mask

if TYPE_CHECKING:
    from discreet.algorithms.mu_argus import MuArgus


def suppress(
    algorithm: MuArgus,
    session: Session,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> tuple[CellRecoding, str]:
    """Suppress cells as the variant does; with it goes what to say of their number."""
    limit = SECONDS if seconds is None else min(SECONDS, seconds)
    if algorithm.variant == "complete":
        return _complete(session, algorithm.suppression == "fewest", limit, progress)
    outliers = session.outliers()
    about = (outliers.unsafe, outliers.combinations, len(session.levels))
    greedy, fewest = greedy_cells(*about), fewest_cells(*about, limit)
    chosen = fewest.cells if algorithm.suppression == "fewest" else greedy
    if algorithm.variant == "actual":
        chosen = first_cells(*about)
    count = [int(cells.sum(axis=1) @ outliers.rows) for cells in (chosen, greedy, fewest.cells)]
    note = side_by_side(count[1], count[2], int(fewest.least @ outliers.rows))
    if algorithm.variant == "actual":
        note = (
            f"{count[0]:,} cells suppressed, which does not exhaust the outliers; that takes {note}"
        )
    else:
        note = f"suppressed cells: {note}"
    return _recoded(session, chosen[outliers.group]), note


def _complete(
    session: Session, want_fewest: bool, seconds: float, progress: Progress | None
) -> tuple[CellRecoding, str]:
    """Blank cells until every class has k rows, the blanks counted as values."""
    problem, k = session.problem, session.k
    session.outliers()
    plain = _recoded(session, np.zeros((len(problem.frequency), len(session.levels)), np.bool_))
    greedy = blank_alike(problem, plain, k, progress)
    fewest = fewest_alike(problem, plain, k, seconds)
    if fewest is None:
        least = least_cells(looks_of(problem, plain), k, seconds)
        return greedy, f"suppressed cells: {side_by_side(cells_blanked(greedy), None, least)}"
    few = cells_blanked(fewest)
    chosen = fewest if want_fewest else greedy
    return chosen, f"suppressed cells: {side_by_side(cells_blanked(greedy), few, few)}"


def side_by_side(greedy: int, fewest: int | None, least: int) -> str:
    """The number of suppressed cells by the greedy choice, and how few would do."""
    if fewest is None or least < fewest:
        return f"{greedy:,} by greedy choice, and no choice does with fewer than {least:,}"
    return f"{greedy:,} by greedy choice, {fewest:,} at the fewest"


def cells_blanked(recoding: CellRecoding) -> int:
    """Cells of released rows that were suppressed one by one."""
    return sum(
        int(recoding.rows[recoding.kept & (codes == values.blank)].sum())
        for values, codes in zip(recoding.values, recoding.codes, strict=True)
    )


def _recoded(session: Session, cells: Mask) -> CellRecoding:
    """The table at the session's levels, with some cells of its tuples suppressed."""
    above = np.array(session.problem.lattice.top) + 1
    return at_levels(session.problem, np.where(cells, above, np.array(session.levels)))
