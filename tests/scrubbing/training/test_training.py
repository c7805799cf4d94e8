"""Training: likelihoods fitted to marked text, and what it says of the templates' weak places."""

import json
from dataclasses import replace

import pytest

from discreet.errors import ParameterError, ScrubError
from discreet.scrubbing.detectors.internet import EMAIL
from discreet.scrubbing.detectors.names import CONTEXT_NAME, FULL_NAME, SINGLE_NAME
from discreet.scrubbing.evaluate import Gold, evaluate
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.machine import Scrubber
from discreet.scrubbing.templates.template import Template
from discreet.scrubbing.training import Training, load_likelihoods, save_likelihoods, show
from discreet.scrubbing.training.training import Tallies, TextFindings, Trial, index_templates, look
from tests.scrubbing.corpus.make import as_gold, corpus

LOUD = ("GRAVES", "WESTON")
SOME = (FULL_NAME, CONTEXT_NAME, SINGLE_NAME, EMAIL)
"""Detectors enough for training, and quick to start."""
BAD = {
    name: 0.5
    for name, template in index_templates("en", {}).items()
    if template.section in ("full_name", "context_name", "single_name")
}
"""The templates of names, all taken for bad ones."""


@pytest.fixture(scope="module")
def plain() -> Scrubber:
    return Scrubber(detectors=SOME)


@pytest.fixture(scope="module")
def letters() -> Gold:
    return as_gold(corpus(20, 5, ("correspondence",)))


@pytest.fixture(scope="module")
def others() -> Gold:
    return as_gold(corpus(20, 6, ("clinical",)))


@pytest.fixture(scope="module")
def spoilt() -> Scrubber:
    return Scrubber(likelihoods=BAD, detectors=SOME)


@pytest.fixture(scope="module")
def trained(spoilt, letters):
    return Training(weight=5)(spoilt, letters)


def marked(text: str, *words: str, optional: bool = False) -> Gold:
    spans = [(text.index(w), text.index(w) + len(w), "NAME", optional) for w in words]
    return Gold.of([("a", text, spans)])


def looked(gold: Gold, *findings: Finding) -> TextFindings:
    return TextFindings(gold.texts[0], "normal", list(findings))


def test_training_on_one_family_mends_likelihoods_for_another(plain, spoilt, trained, others):
    mended = replace(spoilt, likelihoods=trained.likelihoods)
    before, after, printed = (evaluate(s.find, others, examples=0) for s in (spoilt, mended, plain))
    assert before.recall < 0.1 * printed.recall
    assert after.recall > 0.7 * printed.recall
    assert after.precision >= printed.precision
    assert [name for name in BAD if trained.likelihoods[name] > 0.7]


def test_training_on_one_family_does_no_harm_to_another(plain, letters, others):
    learned = replace(plain, likelihoods=Training()(plain, letters).likelihoods)
    before, after = (evaluate(s.find, others, examples=0) for s in (plain, learned))
    assert after.recall >= before.recall
    assert after.precision >= before.precision


def test_recall_and_precision_are_measured_before_and_after(trained):
    assert trained.after.recall > trained.before.recall
    facts = trained.facts()
    assert facts["recall_before"] == trained.before.recall
    assert facts["changed"] == len(trained.likelihoods)
    assert json.loads(json.dumps(facts)) == facts


def test_the_new_likelihood_is_the_share_of_right_matches_with_the_printed_one_as_weight():
    text = "Qux Ann. Qux Bob. Qux tea."
    gold = marked(text, "Ann", "Bob")
    hits = [
        Finding(at, at + 3, "NAME", 0.6, "full_name", "title, name")
        for at in (text.index(w) for w in ("Ann", "Bob", "tea"))
    ]
    tallies = Tallies()
    tallies.add(looked(gold, *hits), 0.7)
    tally = tallies.templates["full_name/title, name"]
    assert (tally.right, tally.wrong) == (2, 1)
    templates = {"full_name/title, name": Template("NAME", "", 0.6, "title, name", "full_name")}
    proposed = Training(weight=10)._list_proposals(templates, tallies.templates, ())
    assert proposed == {"full_name/title, name": round((2 + 6) / 13, 3)}
    held = Training(weight=10, highest=0.61)._list_proposals(templates, tallies.templates, ())
    assert held == {"full_name/title, name": 0.61}


def test_the_same_words_count_once_a_text_and_optional_spans_not_at_all():
    text = "Ann Ann tea"
    gold = Gold.of([("a", text, [(0, 3, "NAME"), (4, 7, "NAME"), (8, 11, "DATE", True)])])
    hits = [Finding(at, at + 3, "NAME", 0.9, "x", "y") for at in (0, 4, 8)]
    tallies = Tallies()
    tallies.add(looked(gold, *hits), 0.7)
    assert (tallies.templates["x/y"].right, tallies.templates["x/y"].wrong) == (1, 0)


def test_what_a_special_detector_keeps_is_wrong_where_it_is_marked():
    gold = marked("Ann tea", "Ann")
    hits = [Finding(at, at + 3, "DRUG", 0.9, "drug", "drug", 6, True) for at in (0, 4)]
    tallies = Tallies()
    tallies.add(looked(gold, *hits), 0.7)
    assert (tallies.templates["drug/drug"].right, tallies.templates["drug/drug"].wrong) == (1, 1)


@pytest.mark.parametrize(("likelihood", "taken"), [(0.8, True), (0.6, False)])
def test_a_change_is_taken_only_if_less_is_missed_or_false(likelihood, taken):
    gold = marked("Ann tea", "Ann")
    hit = looked(gold, Finding(0, 3, "NAME", 0.65, "x", "y"))
    assert Trial([hit], 0.7, 10).take({"x/y": likelihood}) == ({"x/y": 0.8} if taken else {})


def test_a_miss_weighs_more_than_a_false_finding():
    text = "Ann tea cup pot"
    gold = marked(text, "Ann")
    hits = [Finding(at, at + 3, "NAME", 0.8, "x", "y") for at in (0, 4, 8, 12)]
    proposal = {"x/y": 0.5}
    assert Trial([looked(gold, *hits)], 0.7, 10).take(proposal) == {}
    assert Trial([looked(gold, *hits)], 0.7, 2).take(proposal) == proposal


def test_weaknesses_are_named(plain):
    loud = "SEEN WITH MR. GRAVES AND MR. WESTON IN THE CLINIC."
    texts = [
        (f"l{n}", loud, [(loud.index(w), loud.index(w) + 6, "NAME") for w in LOUD])
        for n in range(3)
    ]
    texts.append(("s", "Zorb marks the ward 12.", [(0, 4, "WARD")]))
    weak = Training()(plain, Gold.of(texts)).weaknesses
    assert "WARD" in weak.low_recall
    assert weak.casing["upper"].whole == 6
    assert "age/years old" in weak.never
    assert "full_name/title, name" not in weak.never
    assert weak.single == {"NAME": "full_name/title, name"}


def test_kinds_that_nobody_marked_are_named_and_left_alone(plain):
    text = "Mail ann@example.org. Mr. Graves came."
    found = Training()(plain, marked(text, "Graves"))
    assert found.weaknesses.unmarked == ("EMAIL",)
    assert not [name for name in found.likelihoods if name.startswith("email")]


def test_what_is_shown_and_saved_holds_no_word_of_the_texts(plain, tmp_path):
    text = "Quorvath saw Mr. Zyxgraves."
    found = Training()(plain, marked(text, "Zyxgraves"))
    found.save(tmp_path / "l.json")
    for told in (show(found), str(found.facts()), repr(found), (tmp_path / "l.json").read_text()):
        assert "Zyxgraves" not in told and "Quorvath" not in told


def test_saved_likelihoods_are_read_back_and_used(tmp_path):
    file = tmp_path / "l.json"
    save_likelihoods(file, "en", BAD)
    assert load_likelihoods(file, "en") == BAD
    text = "Seen by Mr. Graves."
    found = {
        f.likelihood
        for f in look(
            Scrubber(likelihoods=BAD, detectors=SOME), marked(text, "Graves").texts[0]
        ).findings
    }
    assert found == {0.5}
    assert [path.name for path in tmp_path.iterdir()] == ["l.json"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "JSON"),
        ("[]", "no likelihoods"),
        ('{"format": "discreet likelihoods 1", "language": "de", "templates": {}}', "'en'"),
        ('{"format": "discreet likelihoods 1", "language": "en"}', "names no templates"),
        (
            '{"format": "discreet likelihoods 1", "language": "en", "templates": {"a/b": 2}}',
            "from 0 to 1",
        ),
    ],
)
def test_a_file_that_is_not_right_is_refused(tmp_path, content, said):
    file = tmp_path / "l.json"
    file.write_text(content)
    with pytest.raises(ScrubError, match=said):
        load_likelihoods(file, "en")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ScrubError, match="no such file"):
        load_likelihoods(tmp_path / "none.json", "en")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(ScrubError, match="cannot be read as JSON"):
        load_likelihoods(tmp_path / "deep.json", "en")
    with pytest.raises(ScrubError, match="cannot be written"):
        save_likelihoods(tmp_path / "none" / "l.json", "en", {})


@pytest.mark.parametrize(
    "wrong", [{"weight": 0}, {"lowest": 0.9, "highest": 0.5}, {"miss_cost": -1}]
)
def test_parameters_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ParameterError):
        Training(**wrong)
