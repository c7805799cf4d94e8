"""Headers of well-known tables with the role that a careful data holder would give each column.

One line a table: ``header:values:role``. Values are made up: ``n`` numbers, ``m`` numbers with
decimals that hardly repeat, ``b`` 0 and 1, ``f`` yes and no, ``c`` a few words, ``d`` dates, ``k``
codes that differ, ``y`` years, ``g`` ages, ``x`` sexes. Roles: ``s`` sensitive, ``q`` quasi, ``i``
identifier, ``o`` none of these.

The words of the catalogue were chosen with `TUNED` in view. `HELD_OUT` was labelled afterwards and
is for measuring only: a word that it shows to be missing is not added because of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa

from discreet.identification.judge import Evidence, judge_columns
from discreet.identification.profile import profile_and_sample
from discreet.table.read import read

TUNED = {
    "MIMIC-III": "subject_id:k:i gender:x:q dob:d:q dod:d:q expire_flag:b:s admittime:d:q "
    "admission_type:c:s admission_location:c:o discharge_location:c:o insurance:c:s language:c:q "
    "religion:c:s marital_status:c:q ethnicity:c:q diagnosis:c:s hospital_expire_flag:b:s "
    "icd9_code:c:s drug:c:s dose_val_rx:n:s valuenum:m:s first_careunit:c:o los:m:o",
    "Adult": "age:g:q workclass:c:q fnlwgt:n:o education:c:q education-num:n:q marital-status:c:q "
    "occupation:c:q relationship:c:q race:c:q sex:x:q capital-gain:n:s capital-loss:n:s "
    "hours-per-week:n:q native-country:c:q income:c:s",
    "COMPAS": "id:k:i name:c:i first:c:i last:c:i sex:x:q dob:d:q age:g:q age_cat:g:q race:c:q "
    "juv_fel_count:n:s decile_score:n:s juv_misd_count:n:s priors_count:n:s "
    "days_b_screening_arrest:n:s c_jail_in:d:q c_charge_degree:c:s c_charge_desc:c:s is_recid:b:s "
    "is_violent_recid:b:s score_text:c:s two_year_recid:b:s c_case_number:k:i",
    "German credit": "checking_status:c:s duration:n:o credit_history:c:s purpose:c:o "
    "credit_amount:n:s savings_status:c:s employment:c:q installment_commitment:n:s "
    "personal_status:c:q other_parties:c:o residence_since:n:o property_magnitude:c:s age:g:q "
    "other_payment_plans:c:s housing:c:o existing_credits:n:s job:c:q num_dependents:n:q "
    "own_telephone:c:o foreign_worker:f:q",
    "Mikrozensus": "Alter:g:q Geschlecht:x:q Familienstand:c:q Staatsangehörigkeit:c:q "
    "Migrationshintergrund:c:q Haushaltsgröße:n:q Haushaltsnettoeinkommen:n:s "
    "Persönliches_Nettoeinkommen:n:s Religionszugehörigkeit:c:s Behinderung:f:s "
    "Krankenversicherung:c:s Raucherstatus:c:s Körpergröße:n:q Körpergewicht:n:q "
    "Schulabschluss:c:q Beruf:c:q Bundesland:c:q Arbeitslosengeld:f:s Rentenhöhe:n:s "
    "Kirchensteuer:n:s Gemeindegrößenklasse:c:o Erkrankung_letzte_4_Wochen:f:s",
    "Stroke and heart": "id:k:i gender:x:q age:g:q hypertension:b:s heart_disease:b:s "
    "ever_married:f:q work_type:c:q Residence_type:c:q avg_glucose_level:m:s bmi:m:q "
    "smoking_status:c:s stroke:b:s cp:n:o trestbps:n:s chol:n:s fbs:b:s restecg:n:s thalach:n:s "
    "exang:b:s oldpeak:m:s ca:n:o thal:n:o",
    "Krankenhaus": "Patientennummer:k:i Vorname:c:i Nachname:c:i Geburtsdatum:d:q PLZ:k:q "
    "Aufnahmedatum:d:q Hauptdiagnose:c:s Nebendiagnosen:c:s Diagnoseschlüssel:c:s OPS_Code:c:s "
    "Blutdruck_systolisch:n:s Laborbefund:c:s HIV_Status:c:s Pflegegrad:n:s Station:c:o "
    "Medikamentenplan:c:s Krankenkasse:c:s Erstattungsbetrag:m:s Allergien:c:s",
    "Personalakte": "Personalnummer:k:i Eintrittsdatum:d:q Abteilung:c:o Bruttogehalt:n:s "
    "Gehaltsstufe:c:s Steuerklasse:n:s Konfession:c:s Gewerkschaftsmitglied:f:s "
    "Schwerbehinderung:f:s Krankheitstage:n:s Abmahnungen:n:s Leistungsbeurteilung:n:s "
    "Parteimitgliedschaft:f:s Kinder:n:q Vorstrafen:f:s Lohnpfändung:f:s",
    "Diabetes 130": "encounter_id:k:i patient_nbr:k:i race:c:q gender:x:q age:g:q weight:n:q "
    "admission_type_id:n:s discharge_disposition_id:n:o time_in_hospital:n:o payer_code:c:s "
    "medical_specialty:c:s num_lab_procedures:n:s num_medications:n:s number_emergency:n:o "
    "diag_1:c:s diag_2:c:s number_diagnoses:n:s max_glu_serum:c:s A1Cresult:c:s metformin:c:s "
    "insulin:c:s change:c:o diabetesMed:f:s readmitted:c:s",
    "HR attrition": "Age:g:q Attrition:f:o BusinessTravel:c:o DailyRate:n:s Department:c:q "
    "DistanceFromHome:n:o Education:n:q EducationField:c:q EmployeeNumber:k:i "
    "EnvironmentSatisfaction:n:s Gender:x:q HourlyRate:n:s JobLevel:n:q JobRole:c:q "
    "JobSatisfaction:n:s MaritalStatus:c:q MonthlyIncome:n:s OverTime:f:o PercentSalaryHike:n:s "
    "PerformanceRating:n:s StockOptionLevel:n:s TotalWorkingYears:n:o",
}  # fmt: skip


class Header(NamedTuple):
    """One column of a table: its name, what its values are like, and the role that it should get."""

    name: str
    values: str
    role: str


ROLES = {"s": "sensitive", "q": "quasi", "i": "identifier", "o": "other"}


def read_headers(line: str) -> Iterator[Header]:
    """The headers of one table."""
    for word in line.split(" "):
        name, values, role = word.rsplit(":", 2)
        yield Header(name, values, ROLES[role])


_WORDS = ("kind one", "kind two", "kind three", "kind four", "kind five")


def make_values(values: str, rows: int = 60) -> list[str]:
    """Values of a sort that say nothing by themselves."""
    return [_make_value(values, row) for row in range(rows)]


def _make_value(values: str, row: int) -> str:
    match values:
        case "n":
            return str(row * 7 % 11)
        case "m":
            return f"{row * 37 % 101}.{row * 7 % 10}"
        case "b":
            return str(row % 2)
        case "f":
            return ("yes", "no")[row % 2]
        case "d":
            return f"20{row % 20 + 10}-0{row % 9 + 1}-1{row % 10}"
        case "k":
            return f"{10000 + row * 7919 % 89999}"
        case "y":
            return str(1950 + row % 50)
        case "g":
            return str(18 + row * 7 % 70)
        case "x":
            return "MF"[row % 2]
        case _:
            return _WORDS[row % len(_WORDS)]


def guess_roles(line: str) -> list[tuple[Header, str]]:
    """The role that each column of a table gets from its name and values, before any counting."""
    headers = list(read_headers(line))
    columns = {one.name: pa.array(make_values(one.values)) for one in headers}
    profiles, _ = profile_and_sample(read(pa.table(columns)))
    found = judge_columns([Evidence(seen) for seen in profiles])
    return [(one, guess.role.value) for one, guess in zip(headers, found, strict=True)]


class Score(NamedTuple):
    """How well the sensitive columns of some tables are found."""

    headers: int
    precision: float
    recall: float
    accuracy: float


def measure(tables: dict[str, str]) -> Score:
    """Precision and recall of the role sensitive, and the share of all roles that are right."""
    guessed = [pair for line in tables.values() for pair in guess_roles(line)]
    right = sum(one.role == role == "sensitive" for one, role in guessed)
    said = sum(role == "sensitive" for _, role in guessed)
    there = sum(one.role == "sensitive" for one, _ in guessed)
    same = sum(one.role == role for one, role in guessed)
    return Score(len(guessed), right / said, right / there, same / len(guessed))
