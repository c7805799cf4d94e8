"""The screens, in the order of the work."""

from __future__ import annotations

from discreet.web.screens import compare, explore, open_file, policy, roles, search
from discreet.web.screens.screen import Screen

ALL: tuple[Screen, ...] = (
    open_file.SCREEN,
    roles.SCREEN,
    search.SCREEN,
    explore.SCREEN,
    compare.SCREEN,
    policy.SCREEN,
)
"""Every screen; the navigation shows them in this order."""
