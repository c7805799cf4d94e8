"""German: the same detectors with the words and templates of another folder."""

import pytest

from discreet.errors import ParameterError
from discreet.replacement_key import ReplacementKey
from discreet.scrubbing.languages.load import list_languages
from discreet.scrubbing.machine import Scrubber, list_texts
from discreet.scrubbing.replace.replacer import Replacer
from discreet.scrubbing.training.training import read_all_templates

LETTER = """Klinikum Großhadern
Marchioninistraße 15
81377 München
Tel.: +49 89 4400-0, Fax: 089 4400 1234

Herrn Dr. med. Karl Oberhuber
Hauptstraße 12
80331 München

München, den 1. März 1991

Patient: Herr Jürgen Krzyszowski, geb. am 01.03.51, wohnhaft in Tutzing, Am Anger 5, 82327 Tutzing
Versichertennummer: A123456780, Steuer-ID: 12 345 678 901

Sehr geehrter Herr Kollege Oberhuber,

wir berichten über Herrn Krzyszowski, der sich vom 12.02. bis 28.02.1991 bei uns befand.
Diagnosen: Morbus Crohn, arterielle Hypertonie, Diabetes mellitus Typ 2.
Der 91-jährige Patient lebt mit seiner Ehefrau Hannelore Krzyszowski. Seine Tochter Sabine ist
unter 0171 1234567 erreichbar.
Medikation: Ramipril 5 mg 1-0-1, Metformin 500 mg. RR 120/80.
Die Gastroskopie zeigte eine Gastritis. Krzyszowskis Befinden besserte sich. Frau Klein von der
AOK Bayern wurde informiert. Er arbeitete bei der Siemens AG. E-Mail: j.krzyszowski@web.de

Mit freundlichen kollegialen Grüßen

Prof. Dr. Anna-Maria von Berg
Chefärztin
"""
PERSONAL = (
    *("Großhadern", "Marchionini", "81377", "München", "4400", "Karl", "Oberhuber", "Hauptstraße"),
    *("80331", "1. März 1991", "Jürgen", "Krzyszowski", "01.03.51", "Tutzing", "Anger", "82327"),
    *("A123456780", "12 345 678 901", "12.02.", "28.02.1991", "91-jährige", "Hannelore", "Sabine"),
    *("0171 1234567", "Klein", "AOK", "Siemens", "j.krzyszowski@web.de", "Anna-Maria", "Berg"),
)
KEPT = (
    *("Morbus Crohn", "Hypertonie", "Diabetes mellitus", "Ramipril 5 mg 1-0-1", "Metformin 500 mg"),
    *("RR 120/80", "Die Gastroskopie zeigte eine Gastritis", "Sehr geehrter Herr Kollege"),
    *("Befinden besserte sich", "Mit freundlichen kollegialen Grüßen"),
)
EXAMPLES = (
    ("Ich habe Herrn Dr. Lang gesehen.", (("Lang", "NAME"),)),
    ("Frau Müller-Lüdenscheidt kam.", (("Müller-Lüdenscheidt", "NAME"),)),
    ("Anna Schmidt, geb. Hofmeier", (("Anna Schmidt", "NAME"), ("Hofmeier", "NAME"))),
    ("Name: Krzyszowski, Jürgen", (("Krzyszowski, Jürgen", "NAME"),)),
    ("Sein Bruder, Holger Wiebke, kam.", (("Holger Wiebke", "NAME"),)),
    ("Goethe-Gymnasium in Feldkirch", (("Goethe-Gymnasium in Feldkirch", "ORGANIZATION"),)),
    ("Liebe Sabine,", (("Sabine", "NAME"),)),
    ("Familie Oberhuber war da.", (("Oberhuber", "NAME"),)),
    ("Geb. am 1. März 1991 in Ulm", (("1. März 1991", "DATE"), ("Ulm", "CITY"))),
    ("Aufnahme am 01.03.91", (("01.03.91", "DATE"),)),
    ("Am Di., den 5. Mai wieder", (("Di., den 5. Mai", "DATE"),)),
    ("Jahrgang 1951", (("1951", "DATE"),)),
    ("Berliner Straße 12", (("Berliner Straße 12", "STREET"),)),
    ("Postfach 10 12", (("Postfach 10 12", "STREET"),)),
    ("80331 München", (("80331", "ZIP"), ("München", "CITY"))),
    ("Rückruf: 089 123456", (("089 123456", "PHONE"),)),
    ("Telefax 089 123457", (("089 123457", "FAX"),)),
    ("Versicherten-Nr.: A123456780", (("A123456780", "ACCOUNT"),)),
    ("Fallnummer 4711234", (("4711234", "RECORD"),)),
    ("Steuer-ID: 12 345 678 901", (("12 345 678 901", "ID"),)),
    ("Aktenzeichen: 4471/22", (("4471/22", "ID"),)),
    ("Sie ist 91 Jahre alt.", (("91 Jahre alt", "AGE"),)),
    ("im Elisabeth-Krankenhaus", (("Elisabeth-Krankenhaus", "ORGANIZATION"),)),
    ("Muster & Söhne GmbH", (("Muster & Söhne GmbH", "ORGANIZATION"),)),
    ("Arbeitgeber: Krupp", (("Krupp", "ORGANIZATION"),)),
    ("Kein Hinweis auf Morbus Parkinson.", ()),
    ("Der Koch kam mit einer kleinen Wunde.", ()),
    ("Die Patientin erhielt 5 mg Ramipril.", ()),
    ("Ein Arzt und eine Krankenschwester waren im Zimmer.", ()),
    ("Die Steuer ist hoch, der Ring glänzt.", ()),
    ("Sehr geehrte Damen und Herren,", ()),
)


@pytest.fixture(scope="module")
def scrubber() -> Scrubber:
    return Scrubber(language="de")


@pytest.mark.parametrize(("text", "wanted"), EXAMPLES, ids=[text for text, _ in EXAMPLES])
def test_what_is_personal_in_german_is_found(scrubber, text, wanted):
    assert tuple(list_texts(text, scrubber.find(text))) == wanted


def test_a_letter_of_a_doctor_is_scrubbed_and_its_medicine_kept(scrubber):
    left = LETTER
    for finding in reversed(scrubber.find(LETTER)):
        left = left[: finding.start] + "#" + left[finding.end :]
    assert [words for words in PERSONAL if words in left] == []
    assert [words for words in KEPT if words not in left] == []


def test_a_german_letter_is_replaced_in_german(scrubber):
    replacer = Replacer(key=ReplacementKey.for_this_run(), language="de")
    scrubbed = replacer.apply(LETTER, scrubber.find(LETTER)).text
    assert not [w for w in ("Krzyszowski", "Oberhuber", "Großhadern", "Tutzing") if w in scrubbed]
    assert "März 1991" in scrubbed


def test_templates_of_one_name_find_one_kind_so_that_a_likelihood_has_one_meaning():
    assert list_languages() == ["de", "en"]
    for code in list_languages():
        kinds: dict[str, set[str]] = {}
        for template in read_all_templates(code):
            assert template.section and 0 < template.likelihood < 1
            kinds.setdefault(f"{template.section}/{template.name}", set()).add(template.kind)
        assert [name for name, of in kinds.items() if len(of) > 1] == []


def test_german_names_no_section_that_english_has_not():
    """Detectors are shared, so that a section without a detector would never run."""
    english, german = (
        {template.section for template in read_all_templates(code)} for code in ("en", "de")
    )
    assert german <= english


def test_a_language_without_a_folder_is_refused_with_those_there_are():
    with pytest.raises(ParameterError, match="de, en"):
        Scrubber(language="xx")
