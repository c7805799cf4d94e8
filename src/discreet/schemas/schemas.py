"""The schema of what each command prints as JSON, by the name of the command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from discreet.certificate.statement import certificate_schema
from discreet.errors import ParameterError
from discreet.pipeline.description.facts import report_schema
from discreet.schemas import check_answers, look_answers, release_answers
from discreet.schemas.shapes import TEXT, Shape, maybe, record

ANSWERS: dict[str, Shape] = {
    "inspect": look_answers.INSPECT,
    "identify": look_answers.IDENTIFY,
    "risk": check_answers.RISK,
    "mask": look_answers.MASK,
    "levels": look_answers.LEVELS,
    "hipaa": look_answers.HIPAA,
    "techniques": look_answers.TECHNIQUES,
    "delta": look_answers.DELTA,
    "anonymize": release_answers.ANONYMIZE,
    "compare": release_answers.COMPARE,
    "advise": release_answers.ADVISE,
    "together": release_answers.TOGETHER,
    "verify": check_answers.VERIFY,
    "attack": check_answers.ATTACK,
    "scrub": check_answers.SCRUB,
}
"""Of commands that print facts of their own; their first key says the version of these."""

DOCUMENTS: dict[str, Callable[[], dict[str, Any]]] = {
    "report": report_schema,
    "certify": certificate_schema,
}
"""Of commands whose answer is a document that is kept: a report, what a certificate says."""

ERROR = record(
    {
        "error": record(
            {"kind": TEXT, "message": TEXT, "where": maybe({"type": "object"})},
        )
    }
)
"""What every command prints as JSON where it ends with exit code 2: a definition of each schema."""


def facts_schema(command: str) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of what a command prints with ``--json`` if it succeeds.

    Keys that are required stay; later versions of discreet may add others. Where a key would change
    its meaning or go away, the number at the end of ``format`` grows.

    >>> facts_schema("verify")["$id"]
    'urn:discreet:verify:v1'
    """
    if command in DOCUMENTS:
        return DOCUMENTS[command]()
    if command not in ANSWERS:
        expected = f"one of {', '.join([*ANSWERS, *DOCUMENTS])}"
        raise ParameterError("facts_schema", "command", expected)
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        "$id": f"urn:discreet:{command}:v1",
        "title": f"discreet {command} --json",
        "description": "docs/reference/json.md says what each key means.",
        **ANSWERS[command],
        "$defs": {"error": ERROR},
    }
