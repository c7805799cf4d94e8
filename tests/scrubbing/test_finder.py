"""What is known of one text does not help in another."""

from __future__ import annotations

import pytest

from discreet.scrubbing.detectors.names import SINGLE_NAME
from discreet.scrubbing.finder import Finder, Work


@pytest.mark.parametrize("nobody", [None, ""])
def test_what_is_known_of_a_row_without_a_person_is_forgotten(nobody: str | None) -> None:
    works = [Work(("Zunk came.",), nobody, ((known,),)) for known in ("Zunk", "Vole")]
    looked = list(Finder({"detectors": (SINGLE_NAME,)}, jobs=1).look(works))
    assert [len(one.findings[0]) for _, one in looked] == [1, 0]
