"""Makes marked German texts that the tagger is fitted to: ``python corpora/de/make.py OUT``.

Sentences (``sentences.txt``) are filled with words (``words.txt``) and put together to letters,
notes, mails, chats and forms. The same seed gives the same texts.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
BOTH = HERE.parents[1] / "src/discreet/scrubbing/languages/de/words/both.txt"
"""Nouns that are names too; here they are nouns."""
NAMES_ONLY = {"becker", "gross", "meyer", "müller", "roth", "schmidt", "weiss"}
TEXTS = 1400
SEED = 11
SLOT = re.compile(r"\{(N|F|LF|L|I|C|S|Z|O|D|P|R|E|X|M|Y|J|A|B)\}")
MONTHS = ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
          "Oktober", "November", "Dezember")  # fmt: skip


def read_words() -> dict[str, list[str]]:
    """The word lists: separated by strokes, or by spaces where there are none."""
    lists = {}
    for line in (HERE / "words.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name, _, words = line.partition(" = ")
            lists[name] = words.split("|") if "|" in words else words.split(" ")
    both = " ".join(line.partition("#")[0] for line in BOTH.read_text("utf-8").splitlines())
    lists["both"] = [w.capitalize() for w in both.split() if len(w) > 2 and w not in NAMES_ONLY]
    return lists


def read_sentences() -> dict[str, list[str]]:
    """The sentences by kind."""
    kinds: dict[str, list[str]] = {}
    for line in (HERE / "sentences.txt").read_text("utf-8").splitlines():
        if line.startswith("== "):
            kinds[line[3:]] = []
        elif line and not line.startswith("#"):
            kinds[list(kinds)[-1]].append(line)
    return kinds


class Filler:
    """Fills slots; each call of ``fill`` draws new words."""

    def __init__(self, seed: int) -> None:
        self.random, self.words = Random(seed), read_words()

    def fill(self, sentence: str) -> str:
        """The sentence with marked words in its slots."""
        return SLOT.sub(lambda found: getattr(self, f"make_{found[1].lower()}")(), sentence)

    def draw(self, name: str) -> str:
        """One of a list."""
        return self.random.choice(self.words[name])

    def draw_last(self) -> str:
        """A last name, sometimes a double one or with a particle."""
        chance = self.random.random()
        if chance < 0.08:
            return f"{self.draw('last')}-{self.draw('last')}"
        return f"von {self.draw('last')}" if chance < 0.1 else self.draw("last")

    def draw_number(self, digits: int) -> str:
        """Digits."""
        return "".join(str(self.random.randrange(10)) for _ in range(digits))

    def make_n(self) -> str:
        return f"{{{{NAME:{self.draw('first')} {self.draw_last()}}}}}"

    def make_f(self) -> str:
        return f"{{{{NAME:{self.draw('first')}}}}}"

    def make_l(self) -> str:
        return f"{{{{NAME:{self.draw_last()}}}}}"

    def make_lf(self) -> str:
        return f"{{{{NAME:{self.draw_last()}, {self.draw('first')}}}}}"

    def make_i(self) -> str:
        return f"{{{{NAME:{self.draw('first')[0]}. {self.draw_last()}}}}}"

    def make_c(self) -> str:
        return f"{{{{CITY:{self.draw('town')}}}}}"

    def make_s(self) -> str:
        return f"{{{{STREET:{self.draw('street')} {self.random.randint(1, 140)}}}}}"

    def make_z(self) -> str:
        return f"{{{{ZIP:{self.draw_number(5)}}}}}"

    def make_o(self) -> str:
        pattern = self.draw("org")
        filled = pattern.format(l=self.draw("last"), c=self.draw("town"), f=self.draw("first"))
        return f"{{{{ORGANIZATION:{filled}}}}}"

    def make_d(self) -> str:
        day, month, year = (self.random.randint(1, n) for n in (28, 12, 60))
        forms = (
            f"{day:02}.{month:02}.{1960 + year}",
            f"{day}. {MONTHS[month - 1]}",
            f"{day}. {MONTHS[month - 1]} {1960 + year}",
            f"{day}.{month}.",
        )
        return f"{{{{DATE:{self.random.choice(forms)}}}}}"

    def make_p(self) -> str:
        return f"{{{{PHONE:0{self.draw_number(3)} {self.draw_number(6)}}}}}"

    def make_r(self) -> str:
        return f"{{{{ID:{self.random.choice('ABKX')}{self.draw_number(8)}}}}}"

    def make_e(self) -> str:
        return f"{{{{EMAIL:{self.draw('first').lower()}@{self.draw('last').lower()}.example}}}}"

    def make_x(self) -> str:
        word = self.draw("stem") + self.draw("head")
        return f"{self.draw('stem')}-{word[0].upper()}{word[1:]}" if self.chance(0.05) else word

    def make_m(self) -> str:
        return self.draw("drug")

    def make_y(self) -> str:
        return self.draw("illness")

    def make_j(self) -> str:
        return f"{{{{?OCCUPATION:{self.draw('job')}}}}}"

    def make_a(self) -> str:
        return self.draw("noun")

    def make_b(self) -> str:
        return self.draw("both")

    def chance(self, share: float) -> bool:
        """Whether something happens."""
        return self.random.random() < share


def make_texts(seed: int, count: int) -> list[str]:
    """Texts with marks, each of a kind."""
    filler, kinds = Filler(seed), read_sentences()
    return [make_text(filler, kinds) for _ in range(count)]


def make_text(filler: Filler, kinds: dict[str, list[str]]) -> str:
    """One text: sentences of a kind and some without names, with what stands around them."""
    random = filler.random
    kind = random.choice(("clinic", "clinic", "office", "talk", "form", "none", "none"))
    count = 1 if filler.chance(0.25) else random.randint(2, 9)
    sentences = []
    for _ in range(count):
        plain = kind not in ("form", "none", "talk") and filler.chance(0.5)
        sentences.append(filler.fill(random.choice(kinds["none" if plain else kind])))
    if kind == "form" or filler.chance(0.25):
        body = "\n".join(sentences)
    else:
        body = " ".join(sentences)
    if kind == "form" and filler.chance(0.3):
        body += "\n\n" + filler.fill(random.choice(kinds["clinic"]))
    if kind in ("clinic", "office") and filler.chance(0.2):
        body = (
            filler.fill(
                "{O}\n{S}\n{Z} {C}\n\nHerrn\n{N}\n{S}\n{Z} {C}\n\n{C}, den {D}\n\n"
                "Sehr geehrter Herr {L},\n\n"
            )
            + f"{body}\n\nMit freundlichen Grüßen\n\n"
            + filler.fill("{N}\n{J}")
        )
    elif kind == "talk" and filler.chance(0.25):
        body = filler.fill("Hallo {F},\n\n") + body + filler.fill("\n\nLiebe Grüße\n{F}")
    return body


def main(out: str) -> None:
    """Write the texts to a file."""
    texts = make_texts(SEED, TEXTS)
    parts = [f"=== made{number:04} | made\n{text}\n" for number, text in enumerate(texts)]
    Path(out).write_text("".join(parts), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
