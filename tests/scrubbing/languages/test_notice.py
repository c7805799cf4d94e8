"""A text in another language than the one that is set is noticed."""

from __future__ import annotations

import pytest

from discreet.scrubbing.languages.notice import guess_language, name_language

NOTES = {
    "en": (
        "Pt seen for follow-up of her blood pressure, which is still too high.",
        "Dear Dr. Graves, thank you for sending this gentleman to our clinic.",
        "No chest pain. Continue with the same dose and come back in two weeks.",
        "Mrs. Garcia de la Cruz and Herr Müller are both waiting in the hall.",
    ),
    "de": (
        "Patient klagt über Schmerzen im Knie, Röntgen ohne Befund.",
        "Sehr geehrter Herr Kollege, wir berichten über Ihre Patientin.",
        "Die Wunde ist gut verheilt, die Fäden wurden gestern gezogen.",
    ),
    "es": (
        "El paciente refiere dolor en la rodilla desde hace dos semanas.",
        "Se recomienda control de la presión y volver en un mes.",
    ),
    "fr": (
        "Le patient se plaint de douleurs au genou depuis deux semaines.",
        "Cher confrère, je vous remercie de m'avoir adressé cette patiente.",
    ),
    "it": (
        "Il paziente riferisce dolore al ginocchio da circa due settimane.",
        "La signora è stata vista in ambulatorio con il marito.",
    ),
    "nl": (
        "De patiënt klaagt over pijn in de knie sinds twee weken.",
        "Mevrouw komt volgende week terug voor het verwijderen van de hechtingen.",
    ),
    "pt": (
        "O paciente refere dor no joelho há duas semanas, sem febre.",
        "A senhora foi vista na consulta e vai voltar daqui a um mês.",
    ),
}


@pytest.mark.parametrize("language", NOTES)
def test_a_note_is_of_its_language_whichever_of_the_two_is_set(language: str) -> None:
    for text in NOTES[language]:
        for given in (text, text.upper()):
            for is_set in ("en", "de"):
                assert guess_language(given, is_set) == language, (given, is_set)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Пациент жалуется на боль в колене.", "Cyrl"),
        ("患者は膝の痛みを訴えている。", "Jpan"),
        ("المريض يشكو من ألم في الركبة", "Arab"),
        ("Mgonjwa analalamika maumivu makali ya goti lake tangu wiki mbili zilizopita, hana homa "
         "wala uvimbe; alipewa dawa za kupunguza maumivu akaambiwa arudi", "other"),
    ],
)  # fmt: skip
def test_other_scripts_and_languages_are_noticed(text: str, code: str) -> None:
    assert guess_language(text, "en") == code
    assert name_language(code).startswith("in ")


@pytest.mark.parametrize("text", ["", "4711", "BP 120/80, HR 72", "Oberhuber, Anna", "ok -- n/a"])
def test_too_little_text_tells_nothing(text: str) -> None:
    assert guess_language(text, "en") is None
    assert guess_language(text, "de") is None
