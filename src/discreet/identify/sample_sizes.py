"""How many rows or pairs of rows a sample needs for a stated promise.

With probability at least 1 - delta over the draw, what is found in the sample holds for the whole
table up to epsilon, for all 2**m sets of m columns at once.

Notes
-----
[Motwani2007]_. Sizes are rounded up. *Departures*: lemma 6 is mended, see `distinct_key_rows`.
"""

from __future__ import annotations

import math

from discreet.errors import ParameterError, SampleTooSmallError

OWNER = "a sample"


def log_sets(columns: int, delta: float) -> float:
    """The logarithm of 2**m / delta, for any number of columns."""
    check_delta(delta)
    return columns * math.log(2) - math.log(delta)


def check_epsilon(epsilon: float) -> None:
    """Refuse an error that allows nothing or everything."""
    if not _between(epsilon):
        raise ParameterError(OWNER, "epsilon", "above 0 and below 1")


def check_delta(delta: float) -> None:
    """Refuse a probability of failure that cannot be had."""
    if not _between(delta):
        raise ParameterError(OWNER, "delta", "above 0 and below 1")


def check_beta(beta: float, owner: str = OWNER) -> None:
    """Refuse a ratio that no set of columns has."""
    if isinstance(beta, bool) or not isinstance(beta, int | float) or not 0 < beta <= 1:
        raise ParameterError(owner, "beta", "above 0 and at most 1")


def cover_elements(columns: int, epsilon: float, delta: float) -> int:
    """Theorem 4: elements to draw so that what covers them covers 1 - epsilon of all.

    k = log(2**m / delta) to the base 1 / (1 - epsilon).

    >>> cover_elements(14, 0.001, 0.01)
    14303
    """
    check_epsilon(epsilon)
    return max(1, whole(log_sets(columns, delta) / -math.log1p(-epsilon)))


def separation_key_pairs(columns: int, epsilon: float, delta: float) -> int:
    """Theorem 5: pairs of rows whose separation means a separation ratio of 1 - epsilon."""
    return cover_elements(columns, epsilon, delta)


def distinct_key_rows(columns: int, rows: int, epsilon: float, delta: float) -> int:
    """Theorem 7: rows among which a key means a distinct ratio of 1 - epsilon, at most all rows.

    >>> distinct_key_rows(14, 32561, 0.1, 0.01)
    2897

    Notes
    -----
    *Departures*: the bound of lemma 6, exp(-(1/alpha - 1) k**2 / 2n), does not follow from its
    product, and fails for small k (k = 2, n = 100, alpha = 1/2: 0.9899 against 0.9802). With
    k (k - 1) for k**2 it holds for every k, so the size here is the smallest k with
    k (k - 1) >= 2 (1 - epsilon) / epsilon n ln(2**m / delta): one row more than printed.
    """
    check_epsilon(epsilon)
    product = 2 * (1 - epsilon) / epsilon * rows * log_sets(columns, delta)
    return min(rows, whole(0.5 + math.sqrt(0.25 + product)))


def printed_distinct_key_rows(columns: int, rows: int, epsilon: float, delta: float) -> int:
    """Theorem 7 as it is printed, at most all rows."""
    check_epsilon(epsilon)
    product = 2 * (1 - epsilon) / epsilon * rows * log_sets(columns, delta)
    return min(rows, whole(math.sqrt(product)))


def separation_key_epsilon(columns: int, pairs: int, delta: float) -> float:
    """Theorem 5 read the other way: the epsilon that a number of pairs is enough for."""
    return -math.expm1(-log_sets(columns, delta) / pairs)


def distinct_key_epsilon(columns: int, rows: int, sample: int, delta: float) -> float:
    """Theorem 7, as mended, read the other way: the epsilon that a number of rows is enough for."""
    if sample >= rows:
        return 0.0
    return 1 / (1 + sample * (sample - 1) / (2 * rows * log_sets(columns, delta)))


def beta_separation_epsilon(columns: int, beta: float, pairs: int, delta: float) -> float:
    """Theorem 8 read the other way; a sample that is too small for any promise is an error."""
    check_beta(beta)
    epsilon = math.sqrt(16 * log_sets(columns, delta) / (beta * pairs))
    if epsilon >= 1:
        raise SampleTooSmallError(pairs, above(16 * log_sets(columns, delta) / beta))
    return epsilon


def beta_separation_pairs(columns: int, beta: float, epsilon: float, delta: float) -> int:
    """Theorem 8: pairs of rows by which to tell beta-separation from (1 - epsilon) beta."""
    check_epsilon(epsilon)
    check_beta(beta)
    return whole(16 / beta / epsilon / epsilon * log_sets(columns, delta))


def beta_separation_goal(pairs: int, beta: float, epsilon: float) -> int:
    """Theorem 8: how many of the pairs the greedy cover has to separate."""
    return math.ceil((2 - epsilon) * beta * pairs / 2)


def masking_beta(columns: int, beta: float, sample: int, delta: float) -> float:
    """Sec. 4: the ratio that a published set may have in a sample, so that beta holds for all.

    By lemmas 9 and 10, beta' = (1 - sqrt(2 ln(2**m / delta) / (beta k))) beta. At 0 or below, the
    sample is too small to let anything be published.
    """
    check_beta(beta)
    return (1 - math.sqrt(2 * log_sets(columns, delta) / (beta * sample))) * beta


def masking_sample(columns: int, beta: float, epsilon: float, delta: float) -> int:
    """The sample with which `masking_beta` gives up a share epsilon of beta, no more."""
    check_epsilon(epsilon)
    check_beta(beta)
    return whole(2 * log_sets(columns, delta) / beta / epsilon / epsilon)


def whole(size: float) -> int:
    """A size, rounded up; one that no table and no memory has is given as 10**18."""
    return math.ceil(min(size, 1e18))


def above(size: float) -> int:
    """The smallest whole number above a size, as far as `whole` goes."""
    return math.floor(min(size, 1e18)) + 1


def cover_size_factor(elements: int) -> float:
    """Lemma 1: by how much at most a greedy cover is larger than the smallest: 1 + ln elements."""
    return 1 + math.log(max(1, elements))


def key_size_factor(rows: int) -> float:
    """Theorem 2: by how much at most a greedy key is larger than the smallest: 1 + 2 ln rows."""
    return 1 + 2 * math.log(max(1, rows))


def _between(number: float) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and 0 < number < 1
