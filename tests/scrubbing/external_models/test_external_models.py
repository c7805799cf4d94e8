"""Language models as one more detector, with made modules in the place of the libraries."""

import pickle
import sys
from types import ModuleType, SimpleNamespace

import pytest

from discreet.errors import MissingExtraError, ParameterError
from discreet.scrubbing.detectors import ALL
from discreet.scrubbing.external_models import (
    PresidioEar,
    SpacyEar,
    add_external_models,
    make_external_model,
    model,
    presidio,
)
from discreet.scrubbing.external_models.model import Heard, run_in_pieces
from discreet.scrubbing.machine import Scrubber, list_texts

TEXT = "there we met marble at noon. Then Marble left."
AT = TEXT.index("marble")


@pytest.fixture(autouse=True)
def nothing_is_kept():
    yield
    model.load_spacy_model.cache_clear()
    presidio._load_engine.cache_clear()


@pytest.fixture
def spacy(monkeypatch):
    """A spaCy with one model, that hears one name and one date."""
    made = ModuleType("spacy")
    made.loaded = []
    made.util = SimpleNamespace(is_package=lambda name: name == "made_model")

    def load(name):
        made.loaded.append(name)
        name_heard = SimpleNamespace(start_char=AT, end_char=AT + 6, label_="PERSON")
        date_heard = SimpleNamespace(start_char=0, end_char=2, label_="DATE")
        return lambda text: SimpleNamespace(ents=[name_heard, date_heard])

    made.load = load
    monkeypatch.setitem(sys.modules, "spacy", made)
    return made


@pytest.fixture
def presidio_library(monkeypatch, spacy):
    """A Presidio that hears one name, and notes what it is asked."""
    made, nlp = ModuleType("presidio_analyzer"), ModuleType("presidio_analyzer.nlp_engine")
    made.asked = []

    class Engine:
        def __init__(self, nlp_engine, supported_languages):
            made.languages = supported_languages

        def get_supported_entities(self, language):
            return ["PERSON", "EMAIL_ADDRESS", "URL", "DATE_TIME"]

        def analyze(self, text, language, entities):
            made.asked.append((language, entities))
            return [SimpleNamespace(start=AT, end=AT + 6, entity_type="PERSON", score=0.85)]

    made.AnalyzerEngine = Engine
    nlp.NlpEngineProvider = lambda nlp_configuration: SimpleNamespace(create_engine=object)
    monkeypatch.setitem(sys.modules, "presidio_analyzer", made)
    monkeypatch.setitem(sys.modules, "presidio_analyzer.nlp_engine", nlp)
    return made


def test_what_spacy_hears_is_found_and_posted_so_that_it_is_found_again(spacy):
    without = list_texts(TEXT, Scrubber().find(TEXT))
    found = Scrubber(detectors=(*ALL, SpacyEar("made_model"))).find(TEXT)
    assert ("marble", "NAME") not in without
    assert list_texts(TEXT, found) == [("marble", "NAME"), ("Marble", "NAME")]
    assert found[0].reason == "model made_model, PERSON"


def test_a_model_is_loaded_when_a_text_is_looked_at_and_only_once(spacy):
    scrubber = Scrubber(detectors=(SpacyEar("made_model"),))
    assert spacy.loaded == []
    scrubber.find(TEXT)
    scrubber.find(TEXT)
    assert spacy.loaded == ["made_model"]


def test_a_model_that_is_not_installed_is_never_downloaded(spacy, presidio_library):
    with pytest.raises(ParameterError, match="nothing is downloaded"):
        Scrubber(detectors=(SpacyEar("other_model"),)).find(TEXT)
    with pytest.raises(ParameterError, match="nothing is downloaded"):
        Scrubber(detectors=(PresidioEar("other_model"),)).find(TEXT)
    assert spacy.loaded == []


@pytest.mark.parametrize("made", [SpacyEar("m"), PresidioEar("m")])
def test_without_the_library_the_extra_is_named(monkeypatch, made):
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"discreet\[external-models\]"):
        Scrubber(detectors=(made,)).find(TEXT)


def test_presidio_is_asked_in_the_language_and_not_for_what_needs_the_network(presidio_library):
    scrubber = Scrubber(language="de", detectors=(PresidioEar("made_model"),))
    found = scrubber.find(TEXT)
    assert list_texts(TEXT, found) == [("marble", "NAME")]
    assert found[0].likelihood == 0.85
    assert presidio_library.asked == [("de", ["PERSON"])]
    assert presidio_library.languages == ["de"]


def test_ears_are_named_by_library_and_model():
    assert make_external_model("spacy:x") == SpacyEar("x")
    assert make_external_model("presidio:x") == PresidioEar("x")
    for wrong in ("spacy", "spacy:", "other:x", ""):
        with pytest.raises(ParameterError, match="spacy:MODEL"):
            make_external_model(wrong)


@pytest.mark.parametrize("made", [SpacyEar, PresidioEar])
def test_a_folder_that_is_no_model_is_refused_by_name(presidio_library, spacy, tmp_path, made):
    def broken(name=None, nlp_configuration=None):
        raise OSError("no config.cfg")

    spacy.load = sys.modules["presidio_analyzer.nlp_engine"].NlpEngineProvider = broken
    with pytest.raises(ParameterError, match="it raised OSError"):
        Scrubber(detectors=(made(str(tmp_path)),)).find(TEXT)


def test_a_text_that_is_too_long_for_a_model_is_heard_in_pieces():
    heard = []

    def hear(text):
        heard.append(len(text))
        return [
            Heard(at, at + 5, "PERSON", 1.0)
            for at in range(len(text))
            if text.startswith("Quorn", at)
        ]

    long = "word Quorn\n" * 20_000
    found = list(run_in_pieces(long, hear))
    assert max(heard) <= model.LONGEST + 2 * model.MARGIN < len(long)
    assert len(found) == 20_000
    assert {long[one.start : one.end] for one in found} == {"Quorn"}
    assert len({one.start for one in found}) == 20_000


def test_what_a_model_takes_with_a_name_is_left_where_it_is():
    text = 'saw "Ann\u2019s\n \n'
    (found,) = run_in_pieces(text, lambda text: [Heard(4, len(text), "PERSON", 1.0)])
    assert text[found.start : found.end] == "Ann"
    assert list(run_in_pieces(" \n ", lambda text: [Heard(0, 3, "PERSON", 1.0)])) == []


def test_detectors_with_ears_can_be_sent_to_another_process():
    made = add_external_models(["spacy:x", "presidio:y"])
    assert made == (*ALL, SpacyEar("x"), PresidioEar("y"))
    assert pickle.loads(pickle.dumps(made)) == made


def test_of_a_model_in_a_folder_only_its_name_is_told(spacy, tmp_path):
    found = Scrubber(detectors=(SpacyEar(str(tmp_path / "made")),))
    (tmp_path / "made").mkdir()
    assert found.find(TEXT)[0].reason == "model made, PERSON"
