"""Every piece of a policy that the docs show is one that the program takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from discreet.policy.policy import Policy
from tests.docs.page import PAGES, ROOT

SHOWN = [
    pytest.param(block, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, block in enumerate(
        re.findall(
            r"(?<!<!-- file: wrong\.yaml -->\n)^```yaml\n(.*?)^```",
            page.read_text("utf-8"),
            flags=re.DOTALL | re.MULTILINE,
        )
    )
]


@pytest.mark.parametrize("text", SHOWN)
def test_policies_in_the_docs_are_accepted(text: str, tmp_path: Path) -> None:
    data = yaml.safe_load(text)
    named = {entry.get("column") for one in data.get("require", []) for entry in one.values()}
    quasi = {
        name
        for one in data.get("require", [])
        for e in one.values()
        for name in e.get("columns", [])
    }
    columns = {name: {"role": "sensitive"} for name in named if name}
    columns |= {name: {"role": "quasi"} for name in (quasi or {"age"})}
    whole = {"columns": columns, "require": [{"k_anonymity": {"k": 2}}], **data}
    file = tmp_path / "policy.yaml"
    file.write_text(yaml.safe_dump(whole), encoding="utf-8")
    assert Policy.load(file).quasi
