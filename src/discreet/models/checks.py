"""Second opinions: each promise measured anew on the released file, in SQL, from its definition.

Nothing here uses the codes, keys or kernels of the search. One file a promise; ``CHECKS`` names
them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from discreet.errors import InternalError
from discreet.models import (
    ALL,
    beta_likeness,
    delta_disclosure,
    k_anonymity,
    l_diversity,
    probabilistic_anonymity,
    register_check,
    risks,
    safe_harbor,
    t_closeness,
)
from discreet.models.evidence import Evidence
from discreet.models.verdict import Verdict

CHECKS: Mapping[str, Callable[[Any, Evidence], Verdict]] = {
    "k_anonymity": k_anonymity.check_k_anonymity,
    "l_diversity": l_diversity.check_l_diversity,
    "t_closeness": t_closeness.check_t_closeness,
    "delta_disclosure": delta_disclosure.check_delta_disclosure,
    "beta_likeness": beta_likeness.check_beta_likeness,
    "average_risk": risks.check_average,
    "largest_risk": risks.check_largest,
    "sample_uniques": risks.check_uniques,
    "safe_harbor": safe_harbor.check_safe_harbor,
    "probabilistic": probabilistic_anonymity.check_probabilistic,
    "k_map": register_check.check_k_map,
    "delta_presence": register_check.check_delta_presence,
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
