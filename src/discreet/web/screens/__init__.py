"""The screens, in the order of the work."""

from __future__ import annotations

from discreet.web.screens import (
    compare,
    explore,
    hierarchies,
    open_file,
    policy,
    promises,
    release,
    roles,
    search,
    text,
)
from discreet.web.screens.screen import Screen

ALL: tuple[Screen, ...] = (
    open_file.SCREEN,
    roles.SCREEN,
    hierarchies.SCREEN,
    promises.SCREEN,
    search.SCREEN,
    explore.SCREEN,
    compare.SCREEN,
    text.SCREEN,
    release.SCREEN,
    policy.SCREEN,
)
"""Every screen; the navigation shows them in this order."""
