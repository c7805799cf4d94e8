"""What the data holder should know before deciding on: how much is lost, how much is unsafe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.algorithms.mu_argus.session import Session
from discreet.algorithms.mu_argus.suppression import count_blanked_cells
from discreet.display import dataclass
from discreet.measures.precision import Precision

if TYPE_CHECKING:
    from discreet.algorithms.mu_argus.mu_argus import MuArgus


@dataclass(frozen=True)
class Standing:
    """Where a session stands: now, and as it would be released.

    ``precision`` and ``outlier_rows`` are before any cell is suppressed. Were the data holder done,
    ``cells`` would be suppressed, which leaves ``precision_released``, and ``unprotected`` rows
    would be in classes below k.
    """

    precision: float
    outlier_rows: int
    cells: int
    precision_released: float
    unprotected: int


def standing(algorithm: MuArgus, session: Session) -> Standing:
    """Suppress as the algorithm would now, and tell what comes of it (sec. 7.3.4 misses this)."""
    recoding, _ = algorithm.suppress(session, seconds=0)
    sizes = recoding.counter(session.problem).base.rows
    measure = Precision()
    return Standing(
        session.precision(),
        session.outliers().rows_with_outliers,
        count_blanked_cells(recoding),
        measure.convert_score(recoding.score(session.problem, measure, sizes)),
        int(sizes[sizes < session.k].sum()),
    )
