"""discreet: computational disclosure control for people who hold data about people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.attacks.run import Attacked, attack
    from discreet.identify.inspect import inspect
    from discreet.identify.inspection import Inspection
    from discreet.ledger.anonymize_again import anonymize_again
    from discreet.ledger.ledger import Ledger
    from discreet.linking.link import link
    from discreet.linking.links import Links
    from discreet.people.people_release import PeopleRelease
    from discreet.people.together import ReleaseTogether, anonymize_together
    from discreet.people.verify_together import verify_together
    from discreet.release.anonymize import anonymize
    from discreet.release.compare import Comparison, compare
    from discreet.release.part import Part
    from discreet.release.policy import ColumnPolicy, Policy
    from discreet.release.release import Release
    from discreet.release.verify import Verification, verify
    from discreet.replacement_key import ReplacementKey
    from discreet.scrub.finding import Finding
    from discreet.scrub.machine import Scrubber
    from discreet.scrub.replace.replacer import Replacer
    from discreet.scrub.replace.scrubbed import Scrubbed
    from discreet.table.read import read
    from discreet.table.role import Role
    from discreet.table.table import Table

_HOMES = {
    "Attacked": "discreet.attacks.run",
    "ColumnPolicy": "discreet.release.policy",
    "Comparison": "discreet.release.compare",
    "Finding": "discreet.scrub.finding",
    "Inspection": "discreet.identify.inspection",
    "Ledger": "discreet.ledger.ledger",
    "Links": "discreet.linking.links",
    "Part": "discreet.release.part",
    "PeopleRelease": "discreet.people.people_release",
    "Policy": "discreet.release.policy",
    "Release": "discreet.release.release",
    "ReleaseTogether": "discreet.people.together",
    "ReplacementKey": "discreet.replacement_key",
    "Replacer": "discreet.scrub.replace.replacer",
    "Role": "discreet.table.role",
    "Scrubbed": "discreet.scrub.replace.scrubbed",
    "Scrubber": "discreet.scrub.machine",
    "Table": "discreet.table.table",
    "Verification": "discreet.release.verify",
    "anonymize": "discreet.release.anonymize",
    "anonymize_again": "discreet.ledger.anonymize_again",
    "anonymize_together": "discreet.people.together",
    "attack": "discreet.attacks.run",
    "compare": "discreet.release.compare",
    "inspect": "discreet.identify.inspect",
    "link": "discreet.linking.link",
    "read": "discreet.table.read",
    "verify": "discreet.release.verify",
    "verify_together": "discreet.people.verify_together",
}
"""Where each public name lives; its module is loaded when the name is first used."""

__all__ = [
    "Attacked",
    "ColumnPolicy",
    "Comparison",
    "Finding",
    "Inspection",
    "Ledger",
    "Links",
    "Part",
    "PeopleRelease",
    "Policy",
    "Release",
    "ReleaseTogether",
    "ReplacementKey",
    "Replacer",
    "Role",
    "Scrubbed",
    "Scrubber",
    "Table",
    "Verification",
    "anonymize",
    "anonymize_again",
    "anonymize_together",
    "attack",
    "compare",
    "inspect",
    "link",
    "read",
    "verify",
    "verify_together",
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use, so that ``import discreet`` costs next to nothing."""
    if name == "__version__":
        from discreet.version import read_version

        return read_version()
    if name not in _HOMES:
        raise AttributeError(f"module 'discreet' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
