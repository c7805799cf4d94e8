"""Makes the corpus: texts of three families, in four variants, with exact spans."""

from __future__ import annotations

from itertools import cycle
from random import Random

from discreet.scrubbing.evaluate import Gold, GoldSpan, GoldText
from tests.scrubbing.corpus.frames import clinical, correspondence, records
from tests.scrubbing.corpus.mark import Made, Mark, joined, same_length_upper
from tests.scrubbing.corpus.scene import Scene
from tests.scrubbing.corpus.style import Style

FAMILIES: dict[str, tuple[Style, ...]] = {
    "clinical": clinical.STYLES,
    "correspondence": correspondence.STYLES,
    "records": records.STYLES,
}
VARIANTS = ("plain", "plain", "plain", "plain", "plain", "plain", "misspelt", "capitals", "lower")
"""Two thirds of the texts are as typed; the others are reported apart."""


def corpus(size: int = 1200, seed: int = 7, families: tuple[str, ...] = ()) -> list[Made]:
    """So many made texts, the families in turn; the same seed gives the same texts."""
    chosen = families or tuple(FAMILIES)
    styles = {family: cycle(FAMILIES[family]) for family in chosen}
    made = []
    for number, family in zip(range(size), cycle(chosen), strict=False):
        rng = Random(f"{seed}/{number}")
        made.append(text_of(family, next(styles[family]), rng))
    return made


def text_of(family: str, style: Style, rng: Random) -> Made:
    """One text of a style."""
    variant = "capitals" if style.case == "capitals" else rng.choice(VARIANTS)
    scene = Scene(rng, slips=0.35 if variant == "misspelt" else 0.0)
    marks = _rows(style, scene) if style is records.CSV else _sentences(style, scene)
    text, spans = joined(marks)
    if variant == "capitals":
        text = same_length_upper(text)
    elif variant == "lower":
        text = "".join(low if len(low := sign.lower()) == 1 else sign for sign in text)
    known, keeper = (_fields(scene, role) for role in ("p", "d"))
    return Made(text, spans, family, style.name, variant, known, keeper)


def as_gold(made: list[Made]) -> Gold:
    """The made texts as gold to evaluate against."""
    return Gold(
        tuple(
            GoldText(
                f"{one.family}/{one.style}/{one.variant} {number}",
                one.text,
                tuple(GoldSpan(*span[:4]) for span in one.spans),
            )
            for number, one in enumerate(made)
        )
    )


def _sentences(style: Style, scene: Scene) -> list[Mark]:
    rng = scene.rng
    count = min(rng.randint(style.least, style.most), len(style.bodies))
    marks = scene.fill(rng.choice(style.openings))
    for place, frame in enumerate(rng.sample(style.bodies, count)):
        breaks = "\n\n" if style.between == " " and rng.random() < 0.12 else style.between
        marks += [Mark(breaks)] if place else []
        marks += scene.fill(frame)
    return marks + scene.fill(rng.choice(style.closings))


def _rows(style: Style, scene: Scene) -> list[Mark]:
    heading = scene.rng.choice(style.openings)
    marks = [Mark(heading)]
    for number in range(scene.rng.randint(style.least, style.most)):
        role = "p" if number == 0 else f"p{'abcdefgh'[number]}"
        marks += [Mark(style.between)] if number else []
        marks += scene.fill(records.ROWS[heading].replace("X", role))
    return [*marks, Mark("\n")]


def _fields(scene: Scene, role: str) -> tuple[str, ...]:
    """What a database holds of somebody who is in the text."""
    if role not in scene.people:
        return ()
    person = scene.people[role]
    kept = [mark.text for field in ("record", "phone", "street", "ssn", "dob", "email")
            for mark in person.kept.get(field, ())]  # fmt: skip
    return (f"{person.first} {person.last}", person.first, person.last, *kept)
