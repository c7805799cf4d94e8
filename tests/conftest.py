"""How random tests are run: the same examples every time, unless another profile is asked for.

``HYPOTHESIS_PROFILE=hunt HYPOTHESIS_SCALE=20 pytest tests/properties`` looks for new trouble, with
other examples each time and twenty times as many of them.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large)

settings.register_profile(
    "ci", derandomize=True, deadline=None, print_blob=True, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile(
    "hunt",
    deadline=None,
    suppress_health_check=SLOW_IS_FINE,
    phases=[phase for phase in Phase if phase is not Phase.explain],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
