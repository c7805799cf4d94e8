"""The screens, in the order of the work."""

from __future__ import annotations

from discreet.web.screens import open_file, policy, release, roles, text
from discreet.web.screens.screen import Screen

ALL: tuple[Screen, ...] = (
    open_file.SCREEN,
    roles.SCREEN,
    text.SCREEN,
    release.SCREEN,
    policy.SCREEN,
)
"""Every screen; the navigation shows them in this order."""
