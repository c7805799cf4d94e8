"""What is known of one text does not help in another; processes share the texts."""

from __future__ import annotations

import pytest

from discreet.scrubbing import finder
from discreet.scrubbing.detectors.names import SINGLE_NAME
from discreet.scrubbing.finder import Finder, Work


@pytest.mark.parametrize("nobody", [None, ""])
def test_what_is_known_of_a_row_without_a_person_is_forgotten(nobody: str | None) -> None:
    works = [Work(("Zunk came.",), nobody, ((known,),)) for known in ("Zunk", "Vole")]
    looked = list(Finder({"detectors": (SINGLE_NAME,)}, jobs=1).look(works))
    assert [len(one.findings[0]) for _, one in looked] == [1, 0]


def test_two_processes_find_what_one_finds_in_the_same_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(finder, "WORTH_IT", 10)
    monkeypatch.setattr(finder, "BATCH", 60)
    names = ("Ann Graves", "Bob Weston", "Cleo Fox", "Dan Hill", "Eve Marsh", "Finn Lake")
    texts = [f"Seen by Dr. {name} today." * (1 + place % 3) for place, name in enumerate(names)]
    works = [Work((text,), tag=place) for place, text in enumerate(texts)]
    alone, together = (list(Finder(jobs=jobs).look(works)) for jobs in (1, 2))
    assert [work.tag for work, _ in together] == list(range(len(texts)))
    assert together == alone
