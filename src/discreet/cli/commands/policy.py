"""``discreet policy``: what a policy may say."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from discreet.cli import options, output

Action = Annotated[Literal["schema"], typer.Argument(metavar="schema", hidden=True)]


def policy(action: Action, json: options.Json = False, quiet: options.Quiet = False) -> None:
    """Print the JSON schema of a policy, for editors.

    The schema has every key with its meaning, what it may hold and its default. Save it with
    discreet policy schema > policy.schema.json, and start a policy with the line
    # yaml-language-server: $schema=policy.schema.json; editors then complete and check it.
    It is JSON with and without --json.
    """
    import discreet

    schema = discreet.policy_schema()
    if not quiet:
        output.print_json(schema)
