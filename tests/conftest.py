"""How random tests are run: the same examples every time, unless another profile is asked for.

``HYPOTHESIS_PROFILE=hunt HYPOTHESIS_SCALE=10 pytest tests/properties`` looks for new trouble, with
other examples each time and twenty times as many of them.

The suite passes whatever its parent did with signals, time zone, locale, umask and home folder. A
parent that ignores Ctrl-C (``nohup``, a background job) hands that on to every child, so the usual
handling is restored here, before the first test.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, Phase, settings

signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())
signal.signal(signal.SIGINT, signal.default_int_handler)
for _number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGCHLD):
    signal.signal(_number, signal.SIG_DFL)

gc.disable()  # until all tests are known: there is no garbage yet, and it is sought in all of them

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


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[Any], list[Any]]:
    """Doctests are in the package: to look for some in every test takes ten seconds per worker."""
    found = yield
    return [one for one in found if not isinstance(one, DoctestModule)]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of Spark come first: one worker has them all, so one Java starts and not one in each.

    They are also the longest tests, which the others then fill up.
    """
    items.sort(key=lambda item: not _needs_spark(item))


def _needs_spark(item: pytest.Item) -> bool:
    """Whether a test starts Spark, by its fixtures, its engine or its page of the docs."""
    return "spark" in item.nodeid or "spark_server" in getattr(item, "fixturenames", ())


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Seek garbage from now on, but not among the modules and tests, which stay to the end."""
    gc.freeze()
    gc.enable()
    atexit.register(gc.unfreeze)  # compiled modules complain of what the interpreter leaves
