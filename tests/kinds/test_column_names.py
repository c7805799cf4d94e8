"""What columns are called in practice, in five languages, and what must not be taken for it."""

from __future__ import annotations

import pytest

from discreet.kinds.catalogue import ALL, match_name
from discreet.kinds.column_name import split_name, split_words

NAMES = {
    "e-mail": "email e-mail EMail emailAddress MAIL customer_email correo_electronico courriel",
    "phone": "phone Phone1 phone_number telefonnummer mobile tel telefoonnummer telefono HomePhone",
    "fax": "fax fax_number Telefax",
    "url": "url website profileURL homepage",
    "ip": "ip ip_address IPAddress client_ip last-ip",
    "ssn": "ssn SSN social_security_number patient_ssn",
    "bsn": "bsn burgerservicenummer",
    "steuer-id": "SteuerID steuer_id",
    "medical record": "mrn MRN patient_id PatientID patid patientennummer medicalRecordNumber",
    "health plan": "member_id versichertennummer insuranceNumber health_plan_number",
    "account": "account_number kontonummer customer_id rekeningnummer AccountNo",
    "licence": "drivers_license licenseNumber rijbewijsnummer certificate_no",
    "license plate": "license_plate kenteken kennzeichen matricula",
    "vehicle": "vin VIN fahrgestellnummer",
    "device": "device_id serial_number SerialNo seriennummer",
    "mac": "mac mac_address MACAddress",
    "photo": "photo passfoto profile_picture",
    "biometric": "fingerprint retina_scan voiceprint",
    "id": "id ID subject_id participantId user_id personalnummer",
    "row number": "row_id rownum index",
    "given name": "first_name firstName FNAME vorname voornaam prenom given-name",
    "surname": "last_name LastName surname nachname achternaam apellidos nom maiden_name",
    "name": "name Name patient_name full_name naam patientenname",
    "address": "address street_address strasse Straße straat adresse address_line_1 direccion",
    "postal code": "zip ZIP zipcode ZipCode ZIPcode zip_code postcode PLZ postleitzahl postal_code",
    "city": "city town wohnort woonplaats ville ciudad county birthplace",
    "state": "state STATE province bundesland provincie",
    "country": "country native-country nationality nationalität land pays country_of_birth",
    "birth date": "dob DOB birth birth_date BirthDate dateOfBirth geburtsdatum geboortedatum "
    "date_de_naissance fecha_nacimiento",
    "birth year": "birth_year yearOfBirth yob geburtsjahr",
    "date": "admission_date dischargeDate date_of_death visit_date opnamedatum datum",
    "age": "age AGE age_group alter leeftijd edad",
    "sex": "sex SEX gender geschlecht geslacht sexe sexo",
    "race": "race ethnicity",
    "marital status": "marital-status maritalStatus familienstand estado_civil",
    "education": "education education-num schulabschluss opleiding",
    "work": "occupation job_title beruf beroep workclass hours-per-week",
    "family": "relationship household_size num_children",
    "language": "language muttersprache",
    "religion": "religion konfession",
    "body": "height weight bmi Gewicht",
    "diagnosis": "diagnosis icd10 ICD_10_code disease problem diagnose krankheit Hauptdiagnose "
    "Nebendiagnosen Infektionskrankheit Diagnoseschlüssel",
    "illness": "diabetes HighBP hiv_status is_pregnant Bluthochdruck Lungenkrebs Hepatitis_B",
    "health": "general_health Gesundheitszustand sick_days Krankheitstage vaccination_status",
    "treatment": "drug medication medikament Medikamentenplan Schmerztherapie",
    "insurance claim": "total_claim_amount health_insurance Krankenkasse medicaid",
    "result": "result test_result uitslag hba1c systolic_bp Blutdruck Laborbefund ViralLoad",
    "genetics": "genotype BRCA1 family_history Genmutation",
    "school results": "gpa final_grade MathScore Abiturnote PerformanceRating",
    "money": "income INCOME salary salary-class capital-gain gehalt inkomen Nettoeinkommen "
    "Haushaltsnettoeinkommen Einkommensklasse Bruttolohn Mietschulden credit_score bill_amt",
    "offence": "offence crime straftat prior_convictions is_recid Vorstrafen Freiheitsstrafe",
    "residence status": "asylum_seeker immigration_status Aufenthaltstitel",
    "politics": "party political_party vote_choice Parteimitglied Wahlabsicht",
    "union membership": "union_member trade_union Gewerkschaft Gewerkschaftsmitglied",
    "sexuality": "sexual_orientation sexuality lgbt sexuelle_Orientierung",
    "private life": "smoker smoking_status alcohol_use Raucherstatus Drogenkonsum",
    "free text": "notes comment remarks bemerkungen opmerking",
}
NOTHING = split_words(
    """
fnlwgt RAMNTALL NGIFTALL MINRAMNT product_name file_name column1 quantity color temperature
shipment voltage rows named advantage page sexton update
manager_count reset Fettgehalt Wassergehalt laboratory incoming Stromverbrauch
Banknote Belohnung partial unionfs scorecard creditor_count
"""
)
CASES = [(name, kind) for kind, names in NAMES.items() for name in names.split()]


def _kind(name: str) -> str | None:
    found = match_name(name)
    return found[0].recognizer.kind if found else None


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_the_name_of_a_column_says_what_it_holds(name: str, kind: str) -> None:
    assert _kind(name) == kind


@pytest.mark.parametrize("name", sorted(NOTHING))
def test_other_names_say_nothing(name: str) -> None:
    assert _kind(name) is None


def test_every_recognizer_with_names_that_we_meet_often_is_tried() -> None:
    kinds = {recognizer.kind for recognizer in ALL}
    assert set(NAMES) <= kinds


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dateOfBirth", ("date", "of", "birth")),
        ("DATE_OF_BIRTH", ("date", "of", "birth")),
        ("date-of birth", ("date", "of", "birth")),
        ("IPAddress2", ("ip", "address", "2")),
        ("Größe", ("grosse",)),
        ("", ()),
        ("年齢", ()),
    ],
)
def test_names_are_cut_into_words(name: str, words: tuple[str, ...]) -> None:
    assert split_name(name) == words
