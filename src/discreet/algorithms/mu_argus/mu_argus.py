"""mu-Argus: columns are generalized by hand, and cells of rare combinations are suppressed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.claims import HeuristicError, find_class_size, make_unreachable_error
from discreet.algorithms.complementary import complementary
from discreet.algorithms.floors import find_floor_bound
from discreet.algorithms.mu_argus.session import Combination, Session, list_combinations
from discreet.algorithms.mu_argus.suppression import count_blanked_cells, suppress
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Search, build_cell_solution
from discreet.display import dataclass
from discreet.errors import ParameterError, did_you_mean
from discreet.measures.precision import Precision
from discreet.models.k_anonymity import KAnonymity
from discreet.models.parameters import require_choice
from discreet.models.risks import LargestRisk
from discreet.models.safe_harbor import SafeHarbor

# The data holder's ranks of identifying columns, checked.


RANKS = ("most", "more", "identifying")


def check_ranks(algorithm: MuArgus) -> None:
    """Refuse ranks that share a column, and a variant without the ranks it needs."""
    seen: dict[str, str] = {}
    for key in (*RANKS, "generalize"):
        names = getattr(algorithm, key)
        if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
            raise ParameterError(algorithm.name, key, "a list of column names")
    for key in RANKS:
        for name in getattr(algorithm, key):
            if name in seen:
                wanted = f"without '{name}', which is named under '{seen[name]}' already"
                raise ParameterError(algorithm.name, key, wanted)
            seen[name] = key
    if algorithm.variant != "complete" and not seen:
        wanted = f"given, with 'more' and 'identifying', for the variant {algorithm.variant}"
        raise ParameterError(algorithm.name, "most", wanted)
    if algorithm.variant == "actual" and algorithm.suppression != "greedy":
        raise ParameterError(algorithm.name, "suppression", "greedy for the variant actual")


def choose_combinations(algorithm: MuArgus, columns: Sequence[str]) -> tuple[Combination, ...]:
    """The combinations that a variant tests; refuses names that are not quasi columns."""
    for key in (*RANKS, "generalize"):
        for name in getattr(algorithm, key):
            if name not in columns:
                wanted = f"names of quasi columns, and '{name}' is none"
                raise ParameterError(
                    algorithm.name, key, f"{wanted}. {did_you_mean(name, columns)[:-1]}"
                )
    if algorithm.variant == "complete":
        return (tuple(range(len(columns))),)
    ranked = [[columns.index(name) for name in getattr(algorithm, key)] for key in RANKS]
    for column, name in enumerate(columns):
        if not any(column in rank for rank in ranked):
            wanted = f"complete: '{name}' is under none of {', '.join(RANKS)}"
            raise ParameterError(algorithm.name, "identifying", wanted)
    return list_combinations(*ranked)


@dataclass(frozen=True)
class MuArgus:
    """Statistics Netherlands' program: generalizes whole columns, then blanks rare combinations.

    Parameters
    ----------
    variant
        ``complete`` checks all columns together and always keeps k. ``published`` and ``actual``
        are as in the paper and in the program; both can leave rows unprotected, and report it.

        ``complete`` counts suppressed cells as values. ``published`` tests only some pairs and
        triples of columns; ``actual`` also suppresses too little, as the program itself did.
    most, more, identifying
        Columns by how identifying they are; each quasi column is under one of these three. Not
        used by ``complete``.
    generalize
        The data holder's decisions in between: each mention raises that column by one level.
    complementary
        Suppress further cells, so that classes with suppressed cells have k rows and published
        counts of the columns do not reveal them.
    suppression
        ``greedy`` repeatedly blanks the column that helps most; ``fewest`` blanks the fewest cells.

    Notes
    -----
    [Sweeney2001]_, sec. 7.2, figs. 48 to 62. *Departures*: k is the largest class size that the
    promises ask for; for ``complete``, classes below k are found by all columns at once, since k
    rows that agree on all columns agree on any. Phases C and D are ``generalize``, or the terminal
    (``--interactive``). See :func:`list_combinations` for where figs. 49 and 56 disagree, and
    :func:`choose_first_cells` for ``actual``. *Cost*: one roll-up for each combination tested;
    ``complete`` two for each set of columns.

    >>> MuArgus("published", most=("birth",), more=("sex", "zip"), identifying=("race",)).name
    'mu-argus'
    """

    variant: Literal["published", "actual", "complete"] = "complete"
    most: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    identifying: tuple[str, ...] = ()
    generalize: tuple[str, ...] = ()
    complementary: bool = False
    suppression: Literal["greedy", "fewest"] = "greedy"

    name: ClassVar[str] = "mu-argus"
    claims: ClassVar[tuple[type, ...]] = (KAnonymity, LargestRisk, SafeHarbor)

    def __post_init__(self) -> None:
        require_choice(self.name, "variant", self.variant, ("published", "actual", "complete"))
        require_choice(self.name, "suppression", self.suppression, ("greedy", "fewest"))
        if not isinstance(self.complementary, bool):
            raise ParameterError(self.name, "complementary", "true or false")
        check_ranks(self)

    def __call__(
        self, problem: Problem, seconds: float | None = None, progress: Progress | None = None
    ) -> CellSolution:
        """Solve a problem, or raise if the table has fewer rows than k.

        ``seconds`` limits the search for the fewest cells, which is given five at most; the rest is
        not limited.
        """
        session = self.session(problem)
        recoding, notes = self.suppress(session, seconds, progress)
        search = Search(False, None, problem.lattice.nodes, session.checked)
        found = build_cell_solution(problem, self.name, recoding, search, notes)
        if not found.holds:
            return found
        return replace(
            found, search=replace(search, bound=find_floor_bound(problem, progress=progress))
        )

    def suppress(
        self, session: Session, seconds: float | None = None, progress: Progress | None = None
    ) -> tuple[CellRecoding, tuple[str, ...]]:
        """Phase E: the release as it would be now, and notes on its suppressed cells."""
        recoding, note = suppress(self, session, seconds, progress)
        if not self.complementary:
            return recoding, (note,)
        before = count_blanked_cells(recoding)
        recoding = complementary(session.problem, recoding, session.k, progress)
        more = count_blanked_cells(recoding) - before
        return recoding, (note, f"complementary suppression took {more:,} cells more")

    def session(self, problem: Problem) -> Session:
        """The table after phase A and the requested generalizations."""
        k = find_class_size(self, problem)
        if problem.total < k:
            never = problem.limit < problem.total
            raise make_unreachable_error(problem) if never else HeuristicError(self.name)
        session = Session(problem, choose_combinations(self, problem.frequency.columns), k)
        for name in self.generalize:
            column = problem.frequency.columns.index(name)
            if session.is_at_top(column):
                raise ParameterError(self.name, "generalize", f"shorter: '{name}' is at its top")
            session.generalize(column)
        return session


# What the data holder should know before deciding: how much is lost, how much is unsafe.


@dataclass(frozen=True)
class SessionStatus:
    """The status of a session: as it is now, and as it would be released.

    ``precision`` and ``outlier_rows`` are before any cell is suppressed. If the session ended now,
    ``cells`` would be suppressed, which leaves ``precision_released``, and ``unprotected`` rows
    would be in classes below k.
    """

    precision: float
    outlier_rows: int
    cells: int
    precision_released: float
    unprotected: int


def measure_session(algorithm: MuArgus, session: Session) -> SessionStatus:
    """Suppress as the algorithm would now, and measure the result (sec. 7.3.4 misses this)."""
    recoding, _ = algorithm.suppress(session, seconds=0)
    sizes = recoding.counter(session.problem).base.rows
    measure = Precision()
    return SessionStatus(
        session.precision(),
        session.outliers().rows_with_outliers,
        count_blanked_cells(recoding),
        measure.convert_score(recoding.score(session.problem, measure, sizes)),
        int(sizes[sizes < session.k].sum()),
    )
