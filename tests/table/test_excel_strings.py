"""Cells of a workbook name their texts by number: where texts were lost, others would be shown."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from discreet import read
from discreet.errors import SourceError

TEXTS = "xl/sharedStrings.xml"


ROWS = (("who", "ill"), ("ann", "flu"), ("bob", "gout"), ("eve", "flu"))
SCHEMA = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"


def make_book(path: Path, change: Callable[[str], str]) -> Path:
    """Names and illnesses in a workbook as Excel writes it, with its table of texts changed."""
    book = openpyxl.Workbook()
    book.save(path)
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name).decode() for name in old.namelist()}
    texts = list(dict.fromkeys(cell for row in ROWS for cell in row))
    rows = "".join(
        f'<row r="{n}">'
        + "".join(
            f'<c r="{place}{n}" t="s"><v>{texts.index(cell)}</v></c>'
            for place, cell in zip("AB", row, strict=True)
        )
        + "</row>"
        for n, row in enumerate(ROWS, 1)
    )
    sheet = "xl/worksheets/sheet1.xml"
    members[sheet] = f'<worksheet xmlns="{SCHEMA}"><sheetData>{rows}</sheetData></worksheet>'
    listed = "".join(f"<si><t>{text}</t></si>" for text in texts)
    head = f'<sst xmlns="{SCHEMA}" count="8" uniqueCount="{len(texts)}">'
    members[TEXTS] = change(f"{head}{listed}</sst>")
    relations = "xl/_rels/workbook.xml.rels"
    relation = f'<Relationship Id="s" Type="{RELATION}" Target="sharedStrings.xml"/>'
    members[relations] = members[relations].replace(
        "</Relationships>", f"{relation}</Relationships>"
    )
    kinds = "[Content_Types].xml"
    kind = f'<Override PartName="/{TEXTS}" ContentType="{KIND}"/>'
    members[kinds] = members[kinds].replace("</Types>", f"{kind}</Types>")
    with zipfile.ZipFile(path, "w") as new:
        for name, data in members.items():
            new.writestr(name, data)
    return path


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("<si><t>flu</t></si>", ""),
        lambda text: text.replace("<si><t>who</t></si>", ""),
        lambda text: re.sub("<si><t>eve</t></si>", "", text),
        lambda text: text.replace("<si><t>ann</t></si>", "<si><t>ann</t></si>" * 2),
        lambda text: text.replace("<si>", "<x>").replace("</si>", "</x>"),
    ],
)
def test_a_workbook_that_lost_or_gained_texts_is_refused(
    tmp_path: Path, change: Callable[[str], str]
) -> None:
    with pytest.raises(SourceError, match="damaged") as caught:
        read(make_book(tmp_path / "people.xlsx", change))
    assert not any(value in str(caught.value) for value in ("ann", "gout", "flu"))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: re.sub(r' count="[^"]*"', ' count="99"', text),
        lambda text: re.sub(r' (unique)?[cC]ount="[^"]*"', "", text),
    ],
)
def test_a_wrong_or_absent_count_of_cells_does_no_harm(
    tmp_path: Path, change: Callable[[str], str]
) -> None:
    table = read(make_book(tmp_path / "people.xlsx", change))
    assert table.scan(text=["ill"]).read_all()["ill"].to_pylist() == ["flu", "gout", "flu"]
