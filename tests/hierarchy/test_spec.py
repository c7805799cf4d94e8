from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import HierarchyError
from discreet.hierarchy import (
    BUILDERS,
    Cuts,
    Dates,
    File,
    Flat,
    Intervals,
    Known,
    Prefix,
    Tree,
    WithSuppression,
    make_builder,
    write_spec,
)

PAIRS = [
    ({"intervals": [5, 10, 20]}, Intervals((5, 10, 20))),
    (
        {"intervals": {"widths": [0.5, 1], "origin": 1, "bottom": 18, "top": 90}},
        Intervals((0.5, 1), 1, 18, 90),
    ),
    ({"cuts": [[20, 30, 65.5], [30]]}, Cuts(((20, 30, 65.5), (30,)))),
    ({"prefix": [4, 3]}, Prefix((4, 3))),
    ({"prefix": {"lengths": [4], "mask": "0"}}, Prefix((4,), "0")),
    ({"dates": ["month", "5 years"]}, Dates(("month", "5 years"))),
    (
        {"dates": {"levels": ["year"], "format": "%d.%m.%Y", "pivot": 50}},
        Dates(("year",), "%d.%m.%Y", 50),
    ),
    ({"tree": {"all": ["a", "b"]}}, Tree({"all": ["a", "b"]})),
    ({"file": "x.csv"}, File(Path("policies/x.csv"))),
    ({"known": "countries"}, Known("countries")),
    (
        {"known": {"name": "countries", "levels": ["country", "region"]}},
        Known("countries", ("country", "region")),
    ),
    ({"flat": True}, Flat()),
    ({"prefix": [4], "top": "*"}, WithSuppression(Prefix((4,)))),
]


@pytest.mark.parametrize(("spec", "builder"), PAIRS)
def test_a_policy_names_a_builder_and_a_builder_is_written_as_a_policy(spec, builder):
    folder = Path("policies")
    assert make_builder(spec, folder) == builder
    assert write_spec(builder, folder) == spec


def test_every_builder_can_be_written_in_a_policy():
    assert {type(builder) for _, builder in PAIRS} >= set(BUILDERS)


def test_without_a_hierarchy_it_is_the_value_then_a_star():
    assert make_builder(None, Path()) == Flat()


def test_a_single_level_needs_no_list():
    assert make_builder({"dates": "year"}) == Dates(("year",))
    assert make_builder({"prefix": 3}) == Prefix((3,))
    assert make_builder({"cuts": [18, 65]}) == Cuts(((18, 65),))
    assert make_builder({"cuts": 18}) == Cuts(((18,),))


def test_a_builder_stays_as_it_is():
    assert make_builder(Prefix([3])) == Prefix((3,))


def test_top_puts_a_star_above_the_root():
    built = make_builder({"tree": {"person": ["a", "b"]}, "top": "*"}).build("race", ["a", "b"])
    assert built.labels[1:] == (("person",), ("*",))


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"interval": [5]}, "Did you mean 'intervals'"),
        ({"intervals": {"width": [5]}}, "Did you mean 'widths'"),
        ({"intervals": {"top": 5}}, "'widths' is missing"),
        ({"intervals": [5], "top": 90}, "For top coding write"),
        ({"intervals": ["5", "x"]}, "must be numbers"),
        ({"intervals": None}, "must be numbers"),
        ({"cuts": {"level": [5]}}, "Did you mean 'levels'"),
        ({"cuts": {}}, "every level needs a list"),
        ({"cuts": []}, "every level needs a list"),
        ({"cuts": [[]]}, "every level needs a list"),
        ({"cuts": [[5], 6]}, "every level needs a list"),
        ({"cuts": ["x"]}, "it needs numbers"),
        ({"cuts": [[True, 5]]}, "it needs numbers"),
        ({"cuts": [30, 20]}, "must rise"),
        ({"cuts": [[20, 30], [25]]}, "not some of the numbers of the level below"),
        ({"cuts": [[20, 30], [20, 30]]}, "not some of the numbers of the level below"),
        ({"dates": {"levels": ["year"], "frmat": "%Y"}}, "Did you mean 'format'"),
        ({"dates": [5]}, "there is no level '5'"),
        ({"prefix": "four"}, "must be whole"),
        ({"prefix": {"lengths": [4], "mask": 0}}, "mask must be one character"),
        ({"dates": {"levels": ["year"], "format": 5}}, "format"),
        ({"intervals": {"widths": [5], "bottom": [1]}}, "must be numbers"),
        ({"file": 5}, "must be a path"),
        ({"file": None}, "must be a path"),
        ({"flat": False}, "no settings"),
        ({"tree": ["a"]}, "must be a mapping"),
        ({"prefix": [4], "flat": True}, "names 2"),
        ({"top": "*"}, "names 0"),
        ({}, "names 0"),
        ([5, 10], "must be a mapping"),
        ("flat", "must be a mapping"),
        ({5: 1}, "no such kind"),
    ],
)
def test_a_mistake_in_a_policy_is_named_with_its_fix(spec, words):
    with pytest.raises(HierarchyError, match=words):
        make_builder(spec, Path())


def test_all_mistakes_are_hierarchy_errors():
    with pytest.raises(HierarchyError):
        make_builder({"intervals": [5, 12]}, Path())


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("contries", "countries"),
        ({"name": "countries", "levels": ["continent"]}, "subregion"),
        ({"name": "countries", "levels": ["region", "country"]}, "from fine to coarse"),
        ({"name": "countries", "levels": []}, "from fine to coarse"),
        ({"name": "countries", "level": ["region"]}, "levels"),
        ({"levels": ["region"]}, "'name' is missing"),
        ([1], "no such known hierarchy"),
    ],
)
def test_a_known_hierarchy_that_is_not_there_is_refused_with_the_fix(said, word):
    with pytest.raises(HierarchyError, match=word):
        make_builder({"known": said})


def test_a_single_known_level_needs_no_list():
    assert make_builder({"known": {"name": "ages", "levels": "ten years"}}) == Known(
        "ages", ("ten years",)
    )
