"""Second opinions: each promise measured anew on the released file, in SQL, from its definition.

Nothing here uses the codes, keys or kernels of the search. One file a promise; ``CHECKS`` names
them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from discreet.errors import InternalError
from discreet.models import ALL
from discreet.models.verdict import Verdict
from discreet.release.checks import (
    beta_likeness,
    delta_disclosure,
    k_anonymity,
    l_diversity,
    probabilistic,
    register,
    risks,
    safe_harbor,
    t_closeness,
)
from discreet.release.checks.evidence import Evidence

CHECKS: Mapping[str, Callable[[Any, Evidence], Verdict]] = {
    "k_anonymity": k_anonymity.check,
    "l_diversity": l_diversity.check,
    "t_closeness": t_closeness.check,
    "delta_disclosure": delta_disclosure.check,
    "beta_likeness": beta_likeness.check,
    "average_risk": risks.check_average,
    "largest_risk": risks.check_largest,
    "sample_uniques": risks.check_uniques,
    "safe_harbor": safe_harbor.check,
    "probabilistic": probabilistic.check,
    "k_map": register.check_k_map,
    "delta_presence": register.check_delta_presence,
}
"""How each model of a policy is checked, by the model's name."""


def require_checks(models: Iterable[type[Any]], checks: Mapping[str, object]) -> None:
    """Refuse models without a check, and checks without a model.

    A promise that the released file cannot show has a check too: one that raises
    :class:`Unchecked` and says why.
    """
    names = {model.name for model in models}
    if lacking := sorted(names - checks.keys()):
        raise InternalError(f"CHECKS does not say how verify checks {', '.join(lacking)}")
    if unknown := sorted(checks.keys() - names):
        raise InternalError(f"CHECKS has checks of no model: {', '.join(unknown)}")


require_checks(ALL, CHECKS)

__all__ = ["CHECKS", "Evidence", "require_checks"]
