"""discreet: computational disclosure control for people who hold data about people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.attacks.linking.link import Links, link
    from discreet.certificate.certify import Certificate, add_signature, certify
    from discreet.certificate.check import CheckedCertificate, verify
    from discreet.certificate.keys import SigningKey
    from discreet.certificate.statement import certificate_schema
    from discreet.engines.read import read
    from discreet.identification.identify import Identification, identify
    from discreet.identification.inspect import inspect
    from discreet.identification.inspection import Inspection
    from discreet.identification.keys.masking import Masked
    from discreet.identification.mask import mask
    from discreet.ledger.anonymize_again import anonymize_again
    from discreet.ledger.ledger import Ledger
    from discreet.pipeline.advice.advise import Advice, advise
    from discreet.pipeline.advice.first_policy import FirstPolicy, first_policy
    from discreet.pipeline.anonymize import Release, anonymize
    from discreet.pipeline.attack import Attacked, attack
    from discreet.pipeline.compare import Comparison, compare
    from discreet.pipeline.compare_techniques import TriedTechniques, compare_techniques
    from discreet.pipeline.description.facts import report_schema
    from discreet.pipeline.exploration.explore import Exploration, explore
    from discreet.pipeline.exploration.view import View
    from discreet.pipeline.hipaa import SafeHarborCheck, hipaa
    from discreet.pipeline.levels import Levels, levels
    from discreet.pipeline.part import Part
    from discreet.pipeline.people.together import ReleaseTogether, together, verify_together
    from discreet.pipeline.verify import Verification
    from discreet.policy.editable_text import PolicyText
    from discreet.policy.policy import ColumnPolicy, Policy
    from discreet.policy.policy_schema import policy_schema
    from discreet.pseudonyms.restore import Restored, restore
    from discreet.replacement_key import ReplacementKey
    from discreet.reporting.report import Report, report
    from discreet.risks.delta import ChosenDelta, delta
    from discreet.risks.risk import Risk, risk
    from discreet.schemas.schemas import facts_schema
    from discreet.scrubbing.finding import Finding
    from discreet.scrubbing.machine import Scrubber
    from discreet.scrubbing.replace.replacer import Replacer, Scrubbed
    from discreet.scrubbing.report import ScrubReport
    from discreet.scrubbing.scrub import scrub
    from discreet.table.table import Role, Table

_HOMES = {
    "Advice": "discreet.pipeline.advice.advise",
    "Attacked": "discreet.pipeline.attack",
    "Certificate": "discreet.certificate.certify",
    "CheckedCertificate": "discreet.certificate.check",
    "ChosenDelta": "discreet.risks.delta",
    "ColumnPolicy": "discreet.policy.policy",
    "Comparison": "discreet.pipeline.compare",
    "Exploration": "discreet.pipeline.exploration.explore",
    "Finding": "discreet.scrubbing.finding",
    "FirstPolicy": "discreet.pipeline.advice.first_policy",
    "Identification": "discreet.identification.identify",
    "Inspection": "discreet.identification.inspection",
    "Ledger": "discreet.ledger.ledger",
    "Levels": "discreet.pipeline.levels",
    "Links": "discreet.attacks.linking.link",
    "Masked": "discreet.identification.keys.masking",
    "Part": "discreet.pipeline.part",
    "Policy": "discreet.policy.policy",
    "PolicyText": "discreet.policy.editable_text",
    "Release": "discreet.pipeline.anonymize",
    "ReleaseTogether": "discreet.pipeline.people.together",
    "ReplacementKey": "discreet.replacement_key",
    "Replacer": "discreet.scrubbing.replace.replacer",
    "Report": "discreet.reporting.report",
    "Restored": "discreet.pseudonyms.restore",
    "Risk": "discreet.risks.risk",
    "Role": "discreet.table.table",
    "SafeHarborCheck": "discreet.pipeline.hipaa",
    "ScrubReport": "discreet.scrubbing.report",
    "Scrubbed": "discreet.scrubbing.replace.replacer",
    "Scrubber": "discreet.scrubbing.machine",
    "SigningKey": "discreet.certificate.keys",
    "Table": "discreet.table.table",
    "TriedTechniques": "discreet.pipeline.compare_techniques",
    "Verification": "discreet.pipeline.verify",
    "View": "discreet.pipeline.exploration.view",
    "add_signature": "discreet.certificate.certify",
    "advise": "discreet.pipeline.advice.advise",
    "anonymize": "discreet.pipeline.anonymize",
    "anonymize_again": "discreet.ledger.anonymize_again",
    "attack": "discreet.pipeline.attack",
    "certificate_schema": "discreet.certificate.statement",
    "certify": "discreet.certificate.certify",
    "compare": "discreet.pipeline.compare",
    "compare_techniques": "discreet.pipeline.compare_techniques",
    "delta": "discreet.risks.delta",
    "explore": "discreet.pipeline.exploration.explore",
    "facts_schema": "discreet.schemas.schemas",
    "first_policy": "discreet.pipeline.advice.first_policy",
    "hipaa": "discreet.pipeline.hipaa",
    "identify": "discreet.identification.identify",
    "inspect": "discreet.identification.inspect",
    "levels": "discreet.pipeline.levels",
    "link": "discreet.attacks.linking.link",
    "mask": "discreet.identification.mask",
    "policy_schema": "discreet.policy.policy_schema",
    "read": "discreet.engines.read",
    "report": "discreet.reporting.report",
    "report_schema": "discreet.pipeline.description.facts",
    "restore": "discreet.pseudonyms.restore",
    "risk": "discreet.risks.risk",
    "scrub": "discreet.scrubbing.scrub",
    "together": "discreet.pipeline.people.together",
    "verify": "discreet.certificate.check",
    "verify_together": "discreet.pipeline.people.together",
}
"""Where each public name lives; its module is loaded when the name is first used."""

__all__ = [
    "Advice",
    "Attacked",
    "Certificate",
    "CheckedCertificate",
    "ChosenDelta",
    "ColumnPolicy",
    "Comparison",
    "Exploration",
    "Finding",
    "FirstPolicy",
    "Identification",
    "Inspection",
    "Ledger",
    "Levels",
    "Links",
    "Masked",
    "Part",
    "Policy",
    "PolicyText",
    "Release",
    "ReleaseTogether",
    "ReplacementKey",
    "Replacer",
    "Report",
    "Restored",
    "Risk",
    "Role",
    "SafeHarborCheck",
    "ScrubReport",
    "Scrubbed",
    "Scrubber",
    "SigningKey",
    "Table",
    "TriedTechniques",
    "Verification",
    "View",
    "add_signature",
    "advise",
    "anonymize",
    "anonymize_again",
    "attack",
    "certificate_schema",
    "certify",
    "compare",
    "compare_techniques",
    "delta",
    "explore",
    "facts_schema",
    "first_policy",
    "hipaa",
    "identify",
    "inspect",
    "levels",
    "link",
    "mask",
    "policy_schema",
    "read",
    "report",
    "report_schema",
    "restore",
    "risk",
    "scrub",
    "together",
    "verify",
    "verify_together",
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use, so that ``import discreet`` costs next to nothing."""
    from importlib import import_module  # itself a millisecond

    if name == "__version__":
        return import_module("discreet.version").read_version()
    if name not in _HOMES:
        raise AttributeError(f"module 'discreet' has no attribute '{name}'")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
