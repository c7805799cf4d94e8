"""The pattern language of templates, and what a mistake in one says."""

from __future__ import annotations

import pytest

from discreet.errors import ScrubError
from discreet.scrubbing.languages.load import load_language
from discreet.scrubbing.templates.alphabet import UPPER, Alphabet
from discreet.scrubbing.templates.atoms import END, START, Atoms
from discreet.scrubbing.templates.dispatch import TemplateSet
from discreet.scrubbing.templates.expression import (
    ENDLESS,
    Expression,
    compute_pattern_facts,
    list_atoms,
)
from discreet.scrubbing.templates.lexicon import Lexicon
from discreet.scrubbing.templates.template import (
    Template,
    is_on_board,
    read_templates,
    set_likelihoods,
)
from discreet.scrubbing.templates.tokens import tokenize

WORDS = Lexicon(
    {"first": ["mary", "rose"], "last": ["fox"], "ordinary": ["rose", "fox", "dear", "the"]}
)


def found(pattern: str, text: str) -> list[str]:
    template = Template("NAME", pattern, 0.9, "x")
    templates = TemplateSet([template], WORDS)
    tokens = tokenize(text)
    matches = templates.matches(tokens, "")
    return ["".join(tokens[first:after]).strip() for _, first, after in matches]


@pytest.mark.parametrize(
    ("pattern", "text", "words"),
    [
        ("<first>", "Mary saw a rose", ["Mary", "rose"]),
        ("<first&capitalized>", "Mary saw a rose", ["Mary"]),
        ("<first|last>", "the fox", ["fox"]),
        ("<capitalized&!ordinary>", "Mary Rose Zunk", ["Mary", "Zunk"]),
        ('"dear" [<capitalized>]', "DEAR Bob", ["Bob"]),
        ('{mr,mrs} "."? [<capitalized>]', "Mr. Ash and Mrs Elm", ["Ash", "Elm"]),
        ("<capitalized&!{mary}>", "Mary Ann", ["Ann"]),
        ("<capitalized>{2,3}", "A Bob Carl Dora Ed", ["Bob Carl Dora"]),
        ('<","|";"> [<word>]', "a, b; c", ["b", "c"]),
        ("^ [<word>] $", "one two\nthree\nfour", ["three", "four"]),
        ("(?<=<lower>) <capitalized>", "Bob saw Carl", ["Carl"]),
        ('<capitalized&!spaced> "-" <capitalized>', "A-B Bo-Li Ab - Cd", ["Bo-Li"]),
        ("[<first>] <last> | <last> [<first>]", "fox mary", ["mary"]),
        ("<unknown>", "the zunk", ["zunk"]),
    ],
)
def test_a_pattern_finds_tokens(pattern: str, text: str, words: list[str]) -> None:
    assert found(pattern, text) == words


def test_a_word_met_later_is_found_too() -> None:
    templates = TemplateSet([Template("NAME", "<mixed>", 0.9, "x")], WORDS)
    for text in ("plain", "iPhone", "A12", "eBay"):
        assert bool(templates.matches([text], "")) == (text in ("iPhone", "eBay"))


def test_tokens_that_no_template_tells_apart_share_a_letter() -> None:
    alphabet = Alphabet(Atoms(["<digits>"], WORDS))
    assert len(set(alphabet.letters(["Mary", "fox", ",", "12"]))) == 2


def test_in_a_text_of_capitals_names_keep_a_capital_and_words_lose_it() -> None:
    atoms = Atoms(["<capitalized>", "<lower>", "<upper>"], WORDS)
    name, word, both = Alphabet(atoms, UPPER).letters(["MARY", "THE", "ROSE"])
    assert [name, word, both] == Alphabet(atoms).letters(["Mary", "the", "ROSE"])


def test_short_forms_stand_for_patterns_and_for_features() -> None:
    lines = ["@no = !first&!last", "@x = <capitalized&@no> | <digits>", "A | 0.5 | n | @x @x  # e"]
    (template,) = read_templates(lines, "file")
    assert template.pattern == "(<capitalized&!first&!last> | <digits>) " * 1 + (
        "(<capitalized&!first&!last> | <digits>)"
    )
    assert template.example == "e"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("NAME | 0.9 | only three", "names.txt line 1: .*kind | likelihood"),
        ("NAME | 90 | x | <first>", "names.txt line 1"),
    ],
)
def test_a_wrong_line_is_named(line: str, message: str) -> None:
    with pytest.raises(ScrubError, match=message):
        read_templates([line], "names.txt")


@pytest.mark.parametrize(
    ("pattern", "message"), [("<frist>", "did you mean 'first'"), ("<a b>", "a b"), ("§", "§")]
)
def test_a_wrong_pattern_says_what_is_not_understood(pattern: str, message: str) -> None:
    with pytest.raises(ScrubError, match=message):
        found(pattern, "text")


def test_templates_that_use_the_blackboard_are_known() -> None:
    assert is_on_board(Template("NAME", "<posted_name&lower>", 0.9, "x"))
    assert not is_on_board(Template("NAME", "<lower>", 0.9, "x"))


def test_training_changes_a_likelihood_by_section_and_name() -> None:
    template = Template("NAME", "<lower>", 0.9, "x", "s")
    assert set_likelihoods([template], {"s/x": 0.4})[0].likelihood == 0.4
    assert set_likelihoods([template], {"t/x": 0.4})[0].likelihood == 0.9


@pytest.mark.parametrize(
    ("pattern", "facts"),
    [
        ("<a> <b>? <c>{2} <d>{1,3} <e>{0,2}", (4, 9, 0, 9)),
        ("(<a>|<b> <c>) [<d>]", (2, 3, 0, 3)),
        ("(?<=<a> <b>) <c> (?!<d>{2})", (1, 1, 2, 3)),
        ("<a> (?<=<a>) <b>", (2, 2, 0, 2)),  # what it looks behind for is part of the match
        ("^ <a> $", (1, 1, 1, 2)),
        ("(<a>? <b>)?", (0, 2, 0, 2)),
        ("<a>+ <b>*", (1, ENDLESS, 0, ENDLESS)),
    ],
)
def test_how_long_a_template_is_and_how_far_it_looks(
    pattern: str, facts: tuple[int, int, int, int]
) -> None:
    assert compute_pattern_facts(Template("NAME", pattern, 0.9, "x"))[:4] == facts


@pytest.mark.parametrize(
    ("pattern", "atoms"),
    [
        ("<a> <b>? <c>* <d>+ <e>{0,2} <f>{1,2}", {"<a>", "<d>", "<f>"}),
        ("<a>|<b>", set()),
        ("(<a>|<b> <a>) [<c>]", {"<a>", "<c>"}),
        ("((<a>) <b>)?", set()),
        ("(?<=<a>) <b> (?!<c>) (?<!<d>)", {"<a>", "<b>"}),
        ("^ <a> $", {"<a>"}),
    ],
)
def test_atoms_that_a_template_cannot_do_without(pattern: str, atoms: set[str]) -> None:
    assert compute_pattern_facts(Template("NAME", pattern, 0.9, "x")).needs == atoms


def test_a_word_that_is_needed_may_stand_far_away() -> None:
    near, far = "fox " * 60 + "mary", "fox " * 100 + "mary"
    assert found("^ <last>{1,60} <first>", near) == [near]
    assert found("^ <last>{1,100} <first>", far) == [far]
    assert found("^ <last>{1,60} <first>", far) == []


def test_a_pattern_that_can_be_empty_is_known() -> None:
    assert compute_pattern_facts(Template("NAME", "<a>? (<b>|^)", 0.9, "x")).can_be_empty


def test_a_pattern_that_can_be_empty_is_found_where_it_is_not() -> None:
    assert found("<first>? <last>?", "the mary fox the rose") == ["mary fox", "rose"]


def test_a_long_run_of_words_is_read_to_its_end() -> None:
    words = "fox " * 300
    assert found("<last>+ <first>", f"{words}mary") == [f"{words}mary"]
    assert found("<last>+ <first>", words) == []


def test_a_match_has_an_end_in_a_text_of_nothing_else() -> None:
    (match,) = found("<last>+ <first>", f"{'fox ' * 2_000}mary")
    assert match.endswith("fox mary")
    assert len(match.split()) <= 512


def test_what_was_read_before_changes_nothing() -> None:
    template = Template("NAME", "(?<=<lower>) (<camel>|<accented&!short>) <mixed|alnum>?", 0.9, "x")
    texts = ["we saw McLean A12", "for Zoë eBay", "by Åström 5mg", "a LeBron iPhone", "no one"]
    tokens = [tokenize(text) for text in texts]

    def run(order: list[list[str]]) -> dict[str, list[tuple[int, int]]]:
        templates = TemplateSet([template], Lexicon({}))
        found = {}
        for part in order:
            matches = templates.matches(part, "")
            found["".join(part)] = [(first, after) for _, first, after in matches]
        return found

    assert run(tokens) == run(tokens[::-1])
    assert list(run(tokens).values()) == [[(2, 4)], [], [(1, 3)], [(1, 3)], []]


@pytest.mark.parametrize("file", ["names.txt", "places.txt", "special.txt"])
def test_one_pass_finds_what_each_expression_finds_alone(file: str) -> None:
    templates, lexicon = load_language("en").templates(file), load_language("en").lexicon
    text = (
        "Dear Dr. Zoë McLean-Fox, Mrs. Mary Rose Graves lives at 12 Oak Hill Road, Apt 4,\n"
        "San Diego, CA 92101. She has Parkinson's and works for Acme Widgets Inc. in New York.\n"
    )
    atoms = Atoms((a for t in templates.templates for a in list_atoms(t)), lexicon)
    alphabet = Alphabet(atoms)
    for part in (text, text.upper(), text.lower(), ""):
        tokens = tokenize(part)
        row = START, START, START, *alphabet.letters(tokens), END
        sections = dict.fromkeys(template.section for template in templates.templates)
        alone = []
        for template in templates.templates:
            if not template.section.startswith("caseless_"):
                spans = Expression(template, atoms.bits).match_everywhere(row)
                alone += [(template, a - 3, b - 3) for a, b in spans if a < b]
        together = [m for s in sections for m in templates.matches(tokens, s)]
        assert together == alone
        assert alone or part != text


def test_when_no_more_can_be_kept_the_same_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Dear Mary Fox, the rose of Mary is with Rose Fox"
    kept = found("<first&capitalized> <last>?", text)
    for limit in ("automaton._KEPT", "automaton._STATES", "expression._KEPT", "alphabet._KEPT"):
        monkeypatch.setattr(f"discreet.scrubbing.templates.{limit}", 0)
    assert found("<first&capitalized> <last>?", text) == kept == ["Mary Fox", "Mary", "Rose Fox"]
