"""The JSON schema of a policy, so that editors complete and check it while it is written."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from discreet.policy.policy import Policy


class _Generator(GenerateJsonSchema):
    """JSON schema as a policy file needs it: no made-up titles, numbers are numbers."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """A key is its own title."""
        return False

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """YAML has no decimals, only numbers."""
        return {"type": "number"}

    def handle_invalid_for_json_schema(
        self, schema: core_schema.CoreSchema, error_info: str
    ) -> JsonSchemaValue:
        """What JSON has no type for, such as any value that can be looked up, may be anything."""
        return {}


def policy_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of a policy: every key, what it may hold, and its default.

    It describes the shape. Whether the parts fit together, such as a column that a model names, is
    checked when the policy is loaded.

    >>> sorted(policy_schema()["properties"])[:3]
    ['about', 'algorithm', 'anonymity']
    """
    made = Policy.model_json_schema(schema_generator=_Generator)
    made["required"] = ["columns"]
    made["anyOf"] = [{"required": ["require"]}, {"required": ["anonymity"]}]
    made |= {
        "title": "discreet policy",
        "description": "What is released of a table, what must hold, and what may be lost for it.",
    }
    return {"$schema": GenerateJsonSchema.schema_dialect, **_simplify(made)}


def _simplify(schema: Any) -> Any:
    """The same schema without alternatives that say nothing more."""
    if isinstance(schema, list):
        return [_simplify(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _simplify(value) for key, value in schema.items()}
    if isinstance(made.get("description"), str):
        made["description"] = " ".join(made["description"].partition("\n\n")[0].split())
    choices = made.get("anyOf")
    if isinstance(choices, list) and {"type": "number"} in choices:
        made["anyOf"] = [one for one in choices if one != {"type": "integer"}]
    if len(made.get("anyOf", ())) == 1 and isinstance(made["anyOf"], list):
        made |= made.pop("anyOf")[0]
    return made
