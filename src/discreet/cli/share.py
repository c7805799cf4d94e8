"""Options that are a share: above 0 and below 1, or at most 1."""

from __future__ import annotations

from discreet.errors import FlagError


def check_share(flag: str, value: float | None, most: bool = False) -> None:
    """Refuse a number that is no share of anything; with ``most``, the whole is one."""
    if value is None or 0 < value < 1 or (most and value == 1):
        return
    fix = f"Give a number above 0 and {'at most' if most else 'below'} 1."
    raise FlagError(f"{flag} {value:g}", "this cannot be", fix)
