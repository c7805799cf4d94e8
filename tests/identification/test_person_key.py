"""Names of columns that tell people apart, and names that do not."""

from __future__ import annotations

import pytest

from discreet.identification.person_key import find_key_kind
from discreet.kinds.column_name import split_words

PEOPLE = split_words(
    "patient patient_id PatientID patient_no patient_nr patientnr patienten_nr Patientennummer "
    "pat_id patid pat_nr patnr PAT_NO patno id_patient num_patient numero_patient patient_key "
    "patient_uuid patient_code encrypted_patient_id mrn MRN medical_record_number mrn_hash "
    "hospital_number nhs nhs_number nhs_no subject subject_id SUBJID usubjid subj_id participant "
    "participant_id respondent_id study_id member member_id member_no mbr_id memberNumber "
    "beneficiary beneficiary_id bene_id DESYNPUF_ID insured_id versichertennummer Versicherten_Nr "
    "versichertennr kvnr sozialversicherungsnummer customer customer_id cust_id custno client "
    "client_id kundennr Kunden-Nr kundennummer kdnr cliente_id numero_cliente klantnummer user_id "
    "person person_id persnr person_nr personalnummer pers_id id_personne individual_id "
    "employee_id employee_no emp_id mitarbeiter_id mitgliedsnummer mitgliedsnr "
    "teilnehmer_id probandennr matrikelnr student_id pupil_id paciente id_paciente paziente "
    "ssn bsn donor_id resident_id inmate_id worker_id enrollee_id"
)
CASES = ["case_no", "case_id", "caseNumber", "fallnummer", "fall_nr", "fallnr", "Fall-ID"]
HOUSEHOLDS = ["household", "household_id", "hh_id", "haushalt", "haushalts_nr", "family_id"]
OTHERS = split_words(
    "order_no product_id station station_id zip row row_id year visit_id encounter_id claim_id "
    "invoice_no event_id hospital_id provider_id physician_id ward household_size household_income "
    "family_size subject_area subject_line email_subject mail_subject member_count member_since "
    "member_status members_total patient_type patient_age patient_count patient_satisfaction "
    "customer_segment client_version user_agent beneficiary_type case_count case_type cases "
    "fallzahl fallart device_id vehicle_id teacher_id store_id sample_id test_id transaction_id "
    "diagnosis_code procedure_code kundentyp bestellnummer artikelnummer rechnungsnummer plz "
    "hausnummer zeilennummer lfd_nr index personal personality patio patent patent_no unit "
    "clientele subjective memory_id paternity no nr"
)


@pytest.mark.parametrize("name", sorted(PEOPLE))
def test_these_names_are_of_people(name: str) -> None:
    found = find_key_kind(name)
    assert found.rank is not None
    assert found.unit == "people"


@pytest.mark.parametrize(
    ("name", "unit"),
    [*((name, "cases") for name in CASES), *((name, "households") for name in HOUSEHOLDS)],
)
def test_these_names_are_of_cases_or_households_and_do_not_say_that_people_have_one_row(
    name: str, unit: str
) -> None:
    found = find_key_kind(name)
    assert (found.rank is not None, found.unit, found.decides) == (True, unit, False)


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_these_names_are_not_of_people(name: str) -> None:
    assert find_key_kind(name).rank is None


def test_a_name_of_a_million_letters_is_answered_at_once() -> None:
    assert find_key_kind("patient" + "id" * 500_000 + "x").rank is None
