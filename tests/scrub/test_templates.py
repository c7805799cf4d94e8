"""The pattern language of templates, and what a mistake in one says."""

from __future__ import annotations

import pytest

from discreet.errors import TemplateError
from discreet.scrub.alphabet import UPPER, Alphabet
from discreet.scrub.expression import View
from discreet.scrub.languages.load import load_language
from discreet.scrub.lexicon import Lexicon
from discreet.scrub.pattern_facts import pattern_facts
from discreet.scrub.template import Template, is_on_board, read_templates, with_likelihoods
from discreet.scrub.template_set import TemplateSet
from discreet.scrub.tokens import tokenize

WORDS = Lexicon(
    {"first": ["mary", "rose"], "last": ["fox"], "ordinary": ["rose", "fox", "dear", "the"]}
)


def found(pattern: str, text: str) -> list[str]:
    template = Template("NAME", pattern, 0.9, "x")
    templates = TemplateSet([template], WORDS)
    tokens = tokenize(text)
    matches = templates.matches(templates.alphabet.classes(tokens), "")
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
    alphabet = templates.alphabet
    for text in ("plain", "iPhone", "A12", "eBay"):
        matches = templates.matches(alphabet.classes([text]), "")
        assert bool(list(matches)) == (text in ("iPhone", "eBay"))


def test_tokens_that_no_template_tells_apart_share_a_character() -> None:
    alphabet = Alphabet(["<digits>"], WORDS)
    assert len(set(alphabet.classes(["Mary", "fox", ",", "12"]))) == 2


def test_in_a_text_of_capitals_names_keep_a_capital_and_words_lose_it() -> None:
    alphabet = Alphabet(["<capitalized>", "<lower>", "<upper>"], WORDS)
    name, word, both = alphabet.classes(["MARY", "THE", "ROSE"], casing=UPPER)
    assert [name, word, both] == list(alphabet.classes(["Mary", "the", "ROSE"]))


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
    with pytest.raises(TemplateError, match=message):
        read_templates([line], "names.txt")


@pytest.mark.parametrize(
    ("pattern", "message"), [("<frist>", "did you mean 'first'"), ("<a b>", "a b"), ("§", "§")]
)
def test_a_wrong_pattern_says_what_is_not_understood(pattern: str, message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        found(pattern, "text")


def test_templates_that_use_the_blackboard_are_known() -> None:
    assert is_on_board(Template("NAME", "<posted_name&lower>", 0.9, "x"))
    assert not is_on_board(Template("NAME", "<lower>", 0.9, "x"))


def test_training_changes_a_likelihood_by_section_and_name() -> None:
    template = Template("NAME", "<lower>", 0.9, "x", "s")
    assert with_likelihoods([template], {"s/x": 0.4})[0].likelihood == 0.4
    assert with_likelihoods([template], {"t/x": 0.4})[0].likelihood == 0.9


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
    assert pattern_facts(Template("NAME", pattern, 0.9, "x")).needs == atoms


@pytest.mark.parametrize(
    ("pattern", "atoms"),
    [
        ("<a>? [<b>] <c>", {"<a>", "<b>"}),
        ("(<a>|<b> <c>) <d>", {"<a>", "<b>"}),
        ("(?<=<a>) (?!<b>) ^ <c>", {"<c>"}),
        ("(<a>* <b>?)+ <c>", {"<a>", "<b>", "<c>"}),
    ],
)
def test_atoms_that_a_match_can_start_with(pattern: str, atoms: set[str]) -> None:
    facts = pattern_facts(Template("NAME", pattern, 0.9, "x"))
    assert facts.starts == atoms and not facts.can_be_empty


def test_a_pattern_that_can_be_empty_is_known() -> None:
    assert pattern_facts(Template("NAME", "<a>? (<b>|^)", 0.9, "x")).can_be_empty


def test_what_was_read_before_changes_nothing() -> None:
    template = Template("NAME", "(?<=<lower>) (<camel>|<accented&!short>) <mixed|alnum>?", 0.9, "x")
    texts = ["we saw McLean A12", "for Zoë eBay", "by Åström 5mg", "a LeBron iPhone", "no one"]
    tokens = [tokenize(text) for text in texts]

    def run(order: list[list[str]]) -> dict[str, list[tuple[int, int]]]:
        templates = TemplateSet([template], Lexicon({}))
        alphabet = templates.alphabet
        found = {}
        for part in order:
            matches = templates.matches(alphabet.classes(part), "")
            found["".join(part)] = [(first, after) for _, first, after in matches]
        return found

    assert run(tokens) == run(tokens[::-1])
    assert list(run(tokens).values()) == [[(2, 4)], [], [(1, 3)], [(1, 3)], []]


@pytest.mark.parametrize("file", ["names.txt", "places.txt", "special.txt"])
def test_one_pass_finds_what_each_expression_finds_alone(file: str) -> None:
    templates = load_language("en").templates(file)
    text = (
        "Dear Dr. Zoë McLean-Fox, Mrs. Mary Rose Graves lives at 12 Oak Hill Road, Apt 4,\n"
        "San Diego, CA 92101. She has Parkinson's and works for Acme Widgets Inc. in New York.\n"
    )
    for part in (text, text.upper(), text.lower(), ""):
        view = View(templates.alphabet, templates.alphabet.classes(tokenize(part)))
        sections = dict.fromkeys(template.section for template in templates.templates)
        alone = []
        for expression in templates.expressions:
            pattern, classes = expression.ready(view)
            spans = [found.span(found.lastindex or 0) for found in pattern.finditer(classes)]
            alone += [(expression.template, *span) for span in spans if span[0] < span[1]]
        found = templates.by_section(view)
        assert [m for s in sections for m in found.get(s, ())] == alone
        assert alone or part != text
