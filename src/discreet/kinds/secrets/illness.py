"""Illnesses, care and what it costs: data concerning health."""

from __future__ import annotations

import re

from discreet.kinds.column_name import fold, split_words
from discreet.kinds.recognizer import Recognizer, Special, is_anything
from discreet.table.table import Role

_ICD = re.compile(r"[A-TV-Z]\d[0-9A-Z]\.[0-9A-Z]{1,4}")
_WORD = re.compile(r"[a-z]+")
_ILLNESSES = split_words(
    """
    aids alzheimer alzheimers anaemia anemia angina anxiety appendicitis arthritis asthma asthmatic
    autism bipolar bronchitis cancer carcinoma chlamydia cirrhosis colitis copd covid dementia
    depression dermatitis diabetes diabetic eczema emphysema endometriosis epilepsy fibromyalgia
    flu gastritis glaucoma gonorrhea gout heartburn hepatitis hernia herpes hypertension
    hyperlipidemia hypothyroidism infarction influenza leukaemia leukemia lupus lymphoma malaria
    measles melanoma meningitis migraine obesity osteoporosis pancreatitis parkinson parkinsons
    pneumonia psoriasis ptsd rheumatism sarcoma schizophrenia scoliosis sepsis stroke syphilis
    thrombosis tuberculosis tumor tumour ulcer
    blasenentzundung bluthochdruck brustkrebs demenz depressionen diabetiker diarrhoe epilepsie
    gicht grippe hepatitis herzinfarkt herzinsuffizienz hypertonie krebs leukamie lungenentzundung
    lungenkrebs migrane multiple-sklerose osteoporose rheuma schizophrenie schlaganfall
    """
)


def is_icd(value: str) -> bool:
    """A diagnosis code of ICD-10 with its dot."""
    return _ICD.fullmatch(value) is not None


def is_illness(value: str) -> bool:
    """A few words, one of them the name of an illness, in English or German."""
    words = _WORD.findall(fold(value[:80]))
    return len(words) <= 6 and not _ILLNESSES.isdisjoint(words)


DIAGNOSIS = Recognizer(
    "diagnosis", "diagnoses", "secrets", Role.sensitive, special=Special.HEALTH,
    # CDISC (AETERM, MHDECOD), claims (PRNCPAL_DGNS_CD, ICD_DGNS_CD1), discharge files (I10_DX1)
    coded=r"(ae|mh|ce)(term|decod|bodsys|soc|llt|hlt|sev|toxgr|ser|out)|.*dgns(cd)?(vrsncd)?\d*"
          r"|(i10)?(dx|ecode|dxccs|prdx)\d*|mcq\d{3}[a-z]?|dxm?ccs?\d+",
    names=("diagnosis", "diagnoses", "diagnosed", "diag", "dx", "disease", "illness", "condition",
           "disorder", "problem", "complaint", "chief complaint", "symptom", "icd", "icd 9",
           "icd 10", "icd code", "icd9 code", "icd10 code", "comorbidity", "comorbidities",
           "multimorbidity", "charlson", "charlson index", "cause of death", "drg", "ccs", "snomed",
           "phenotype", "medical condition", "medical history", "existing conditions", "allergy",
           "allergies", "disability", "disabled", "impairment", "handicap", "stage", "tumor",
           "tumour", "cancer", "cancer type", "metastasis", "metastases", "malignancy", "malignant",
           "infection", "infected", "injury", "lesion", "syndrome", "chronic", "dx ccs", "dxccs",
           "prdx", "admit diagnosis", "reason for visit", "reason description", "histology",
           "histologic type", "morphology", "tnm", "tnm stage", "grading", "nodes",
           "positive nodes", "node status", "er status", "pr status", "her2", "her2 status",
           "estrogen receptor", "progesterone receptor", "tumor size", "tumor grade", "gleason",
           "relapse", "recurrence", "nodule", "cyst", "polyp", "fracture", "wound", "burn degree",
           "deformity", "disable", "nchronic", "diagnose", "diagnosen", "metastasen", "histologie",
           "rezidiv", "krankheit", "krankheiten", "erkrankung", "erkrankungen", "vorerkrankung",
           "beschwerden", "symptome", "todesursache", "behinderung", "schwerbehinderung",
           "grad der behinderung", "gdb", "pflegegrad", "pflegestufe", "allergie", "allergien",
           "infektion", "verletzung", "anamnese", "leiden", "ziekte", "aandoening", "klacht",
           "doodsoorzaak", "diagnostic", "maladie", "pathologie", "diagnostico", "enfermedad",
           "allergen", "allergens", "allergic", "reaction", "severity", "trisomie", "trisomy",
           "birth defect", "congenital", "hospitalization reason", "admission reason",
           "reason for admission", "aufnahmegrund", "einweisungsgrund"),
    compounds=("krank-", "-krankheit", "-krankheiten", "krankheits-", "-erkrankung",
               "-erkrankungen", "-diagnose", "-diagnosen", "diagnose-", "-allergie", "-leiden",
               "behinderungs-", "-behinderung", "-infektion"),
    vague=("condition", "problem", "complaint", "stage", "diag", "dx", "diagnostic", "injury",
           "ccs", "phenotype", "chronic", "lesion", "impairment", "klacht", "beschwerden", "leiden",
           "disabled", "symptom", "drg", "histology", "morphology", "grading", "nodes",
           "recurrence", "fracture", "nodule", "disable", "reaction", "severity"),
    fits=is_anything, proof=is_icd, weak=True, share=0.5, least=3,
    examples=("E11.9", "S72.001A"), counterexamples=("U1", "11.9", "flu"),
)  # fmt: skip
ILLNESS = Recognizer(
    "illness", "names of illnesses", "secrets", Role.sensitive, special=Special.HEALTH,
    # chronic conditions of claims (SP_ALZHDMTA), NHANES questionnaires, the census (DIFFPHYS)
    coded=r"sp(alzhdmta|chf|chrnkidn|cncr|copd|depressn|diabetes|ischmcht|osteoprs|raoa|strketia)"
          r"|(diq|bpq|hsq|dpq|kiq[uk]?|rhq|pfq|huq|osq|agq|cdq)\d{3}[a-z]?|diff(rem|phys|mob|care|sens|eye|hear)"
          r"|d(ear|eye|rem|phy|drs|out|dis)|ph0[1-4]0",
    names=("diabetes", "diabetic", "prediabetes", "hypertension", "hypertensive",
           "high blood pressure", "high bp", "high chol", "high cholesterol", "prevalent hyp",
           "asthma", "copd", "emphysema", "stroke", "prevalent stroke", "heart disease",
           "heart attack", "heart failure", "heart problem", "coronary", "coronary heart disease",
           "chd", "cvd", "cardio", "cardiovascular disease", "angina", "arrhythmia",
           "myocardial infarction", "arthritis", "hepatitis", "hiv", "hiv status", "hiv test",
           "aids", "depression", "depressed", "depressive", "anxiety", "bipolar", "schizophrenia",
           "psychosis", "adhd", "autism", "ptsd", "dementia", "alzheimer", "alzheimers",
           "parkinson", "parkinsons", "epilepsy", "seizure", "migraine", "multiple sclerosis",
           "kidney disease", "renal failure", "liver disease", "cirrhosis", "anemia", "anaemia",
           "obesity", "obese", "thyroid", "thyroid disease", "osteoporosis", "tuberculosis",
           "malaria", "covid", "covid 19", "corona", "influenza", "flu", "pneumonia", "sepsis",
           "sti", "stds", "syphilis", "chlamydia", "gonorrhea", "herpes", "hpv", "lupus",
           "leukemia", "lymphoma", "melanoma", "psoriasis", "eczema", "sickle cell", "skin cancer",
           "breast cancer", "lung cancer", "infertility", "menopause", "pregnant", "pregnancy",
           "pregnancies", "miscarriage", "abortion", "stillbirth", "eating disorder",
           "mental illness", "mental disorder", "addiction", "chronic disease", "chronic condition",
           "long term illness", "limiting illness", "difficulty walking", "diff walk",
           "walking difficulty", "hearing difficulty", "cognitive difficulty",
           "self care difficulty", "chest pain", "back pain", "bluthochdruck", "hypertonie",
           "schlaganfall", "herzinfarkt", "herzinsuffizienz", "herzfehler", "krebs", "rheuma",
           "gicht", "demenz", "depressionen", "schizophrenie", "epilepsie", "migrane", "grippe",
           "lungenentzundung", "adipositas", "ubergewicht", "osteoporose", "schwanger",
           "schwangerschaft", "fehlgeburt", "abtreibung", "schwangerschaftsabbruch",
           "unfruchtbarkeit", "sucht", "suchterkrankung", "essstorung", "angststorung", "preg",
           "diab", "dm", "dm2", "t2dm", "t1d", "t2d", "htn", "hbp", "chf", "cad", "ckd", "esrd",
           "afib", "atrial fibrillation", "cva", "tia", "pvd", "tb", "ibs", "ibd", "gerd", "uti",
           "dvt", "ards", "hcv", "hbv", "hep b", "hep c", "depr", "depress", "depression score",
           "psych", "psychiatric", "psychological", "neurological", "sick", "sickness", "goitre",
           "goiter", "hypothyroid", "hyperthyroid", "hypothyroidism", "apnea", "sleep apnea",
           "ulcer", "jaundice", "edema", "ascites", "fever", "cough", "headache", "nausea",
           "vomiting", "diarrhea", "diarrhoea", "rash", "sore throat", "shortness of breath",
           "dyspnea", "wheezing", "swelling", "bleeding", "loss of smell", "concussion",
           "poisoning", "intoxication", "delirium", "mania", "panic", "panic attack", "stuttering",
           "dyslexia", "down syndrome", "cerebral palsy", "paralysis", "amputation", "fieber",
           "husten", "kopfschmerzen", "ubelkeit", "durchfall", "atemnot", "zuckerkrankheit",
           "asthmatiker", "diabetiker"),
    compounds=("-itis", "-karzinom", "-carcinoma", "-krebs", "-infarkt", "-insuffizienz",
               "-schwangerschaft", "schwangerschafts-", "-storung", "depressions-", "krebs-"),
    vague=("stroke", "corona", "-storung", "depression", "thyroid", "cardio", "flu", "hpv", "aids",
           "abortion", "coronary", "seizure", "dm", "cad", "tb", "tia", "psych", "ulcer", "rash",
           "bleeding", "swelling", "panic", "poisoning", "intoxication", "depress", "mania", "cva",
           "uti", "neurological", "psychological", "psychiatric", "edema", "paralysis"),
    fits=is_anything, proof=is_illness, weak=True, share=0.5, least=3,
    examples=("flu", "Type 2 diabetes", "Asthma bronchiale", "Schlaganfall"),
    counterexamples=("blue", "cold", "E11.9", "12", "Influence",
                     "a note of nine words that names asthma once"),
)  # fmt: skip
HEALTH = Recognizer(
    "health", "facts about health", "secrets", Role.sensitive, special=Special.HEALTH,
    coded=r"dth(fl|dtc|caus|rel)?|esrdind|death(cd|fl)",
    names=("health", "health status", "general health", "gen hlth", "gen health", "ment hlth",
           "phys hlth", "self rated health", "self reported health", "physical health",
           "mental health", "health condition", "health problem", "health issue", "wellbeing",
           "well being", "life satisfaction", "vital status", "deceased", "=dead", "dead or alive",
           "mortality", "survived", "survival", "survival months", "survival time", "death event",
           "death", "expire flag", "hospital expire flag", "in hospital death", "readmitted",
           "readmission", "hospitalized", "hospitalised", "hospitalization", "hospitalisation",
           "inpatient days", "icu", "icu stay", "ventilator", "ventilated", "intubated",
           "sick leave", "sick days", "absenteeism", "work interfere", "seek help", "pain",
           "pain level", "fatigue", "dizziness", "insomnia", "sleep disorder", "sleep problems",
           "stress level", "burnout", "loneliness", "vaccinated", "vaccination",
           "vaccination status", "immunization", "blind", "deaf", "wheelchair", "gesundheit",
           "gesundheitszustand", "gesundheitsstatus", "befinden", "wohlbefinden",
           "lebenszufriedenheit", "verstorben", "krankheitstage", "fehltage", "krankenstand",
           "krankgeschrieben", "krankmeldung", "arbeitsunfahigkeit", "arbeitsunfahigkeitstage",
           "au tage", "au dauer", "erwerbsgemindert", "impfstatus", "impfung", "geimpft",
           "schmerzen", "psychische gesundheit", "berufsunfahig", "died in hospital", "death flag",
           "death indicator", "mort", "hlth", "hlthstat", "health problems", "doctor visits",
           "physician visits", "hospital visits", "er visits", "emergency visits",
           "number emergency", "number inpatient", "number outpatient", "hospital days",
           "nursing home", "quality of life", "qol", "frailty", "mobility", "functional status",
           "adl", "arztbesuch", "arztbesuche", "krankenhausaufenthalt", "krankenhaustage",
           "vitalstatus", "pflegebedurftig", "pflegebedurftigkeit", "medical", "clinical",
           "cognitive", "cognitive status", "memory loss", "emotional", "emotional wellbeing",
           "emotional health", "independence level", "physical status", "psychosocial",
           "developmental", "special needs", "care level", "care needs", "mental", "mental state",
           "gestational age", "gest age", "gestage", "birth weight", "apgar 1", "anxiety level",
           "stress"),
    compounds=("arztbesuch-", "pflege-", "gesundheits-", "-gesundheit", "-schmerzen", "impf-"),
    vague=("survival", "survived", "mortality", "health", "health status", "death", "pain",
           "befinden", "absenteeism", "vital status", "wellbeing", "blind", "icu", "=dead",
           "ventilator", "fatigue", "survival time", "death event", "mobility", "mort", "adl",
           "pflege-", "clinical", "emotional", "developmental", "stress", "mental",
           "independence level", "physical status", "medical"),
)  # fmt: skip
TREATMENT = Recognizer(
    "treatment", "treatments", "secrets", Role.sensitive, special=Special.HEALTH,
    # CDISC (CMTRT, EXDOSE, TRT01P), claims (HCPCS_CD)
    coded=r"(cm|ex|pr)(trt|decod|dose|dosu|indc|class|clascd)|(act)?arm(cd)?|trt\d{2}[pa]n?"
          r"|hcpcscd\d*|(icd)?prcdrcd\d*|(i10)?pr\d+|rxdrug|rxd?(use|drug|days|count)",
    names=("drug", "drug name", "medication", "medications", "medicine", "meds", "prescription",
           "treatment", "treated", "therapy", "procedure", "procedure code", "proc code", "cpt",
           "cpt code", "hcpcs", "atc", "atc code", "ndc", "ndc code", "dose", "dosage", "vaccine",
           "surgery", "surgery type", "operation type", "transplant", "dialysis", "chemotherapy",
           "radiotherapy", "radiation therapy", "hormone therapy", "psychotherapy", "counseling",
           "diabetes med", "bp meds", "antidepressant", "antidepressants", "antibiotic",
           "antibiotics", "opioid", "metformin", "statin", "statins", "insulin use", "rehab",
           "medical specialty", "admission type", "drugs", "drug combo", "rx", "pr1", "irradiation",
           "irradiat", "radiation", "chemo", "implant", "pacemaker implanted", "stent",
           "on insulin", "on medication", "thyroxine", "on thyroxine", "warfarin", "aspirin",
           "steroid", "steroids", "inhaler", "art regimen", "regimen", "hospice",
           "strahlentherapie", "chemotherapie", "bestrahlung", "narkose", "medikament",
           "medikamente", "medikation", "behandlung", "therapie", "wirkstoff", "arzneimittel",
           "pzn", "rezept", "impfstoff", "eingriff", "ops", "ops code", "dosis", "dosierung",
           "fachabteilung", "heilmittel", "hilfsmittel", "medicijn", "medicatie", "behandeling",
           "medicament", "traitement", "medicamento", "tratamiento", "surgeries", "surgical",
           "operations", "hospitalizations", "medicines", "meds list", "operationen"),
    compounds=("medikamenten-", "-medikament", "-medikation", "-therapie", "therapie-",
               "arzneimittel-"),
    vague=("treatment", "treated", "procedure", "dose", "dosage", "behandlung", "eingriff",
           "operation type", "ops", "dosis", "dosierung", "traitement", "tratamiento",
           "behandeling", "ndc", "cpt", "pzn", "rehab", "rezept", "wirkstoff", "hilfsmittel",
           "medicine", "drug", "counseling", "drugs", "rx", "radiation", "irradiation", "implant",
           "regimen", "pr1", "steroid", "steroids", "operations", "surgical"),
)  # fmt: skip
CLAIM = Recognizer(
    "insurance claim", "health insurance claims", "secrets", Role.sensitive,
    special=Special.HEALTH,
    # amounts of claims (CLM_PMT_AMT), coverage in the census (HCOVANY)
    coded=r"(clm|nch|bene|carr|medreimb|ppp?ymt).*amt|medreimb.*|benres.*|pppymt.*|hcov(any|priv|pub)?|hinsem[pu]|hinscai[dre]+"
          r"|hiq\d{3}[a-z]?|hicov|privcov|pubcov|hins[1-7]",
    names=("claim", "claims", "claim amount", "total claim", "total claim amount", "claim status",
           "claim type", "insurance claim", "insurance claims", "reimbursement",
           "reimbursed amount", "billed amount", "allowed amount", "copay", "coinsurance",
           "deductible", "payer", "payer code", "payer type", "insurance", "insurance type",
           "insurance plan", "insurance provider", "insurance status", "health insurance",
           "has insurance", "insured", "uninsured", "any healthcare", "no doc bc cost",
           "private health", "public coverage", "private coverage", "health coverage", "hicov",
           "medicaid", "medicare", "insurance charges", "medical charges", "medical cost",
           "medical costs", "medical expenses", "healthcare expenses", "healthcare coverage",
           "healthcare cost", "coverage", "payer coverage", "claim cost", "total claim cost",
           "primary payer", "pay1", "health plan type", "insurance coverage",
           "have health insurance", "billing amount", "krankenkasse", "krankenversicherung",
           "krankenversicherungsart", "versicherungsart", "versichertenart", "versichertenstatus",
           "privat versichert", "erstattung", "erstattungsbetrag", "erstattungssumme",
           "rechnungsbetrag arzt", "behandlungskosten", "arztkosten", "schadenhohe", "schadensumme",
           "leistungsausgaben", "zuzahlung", "selbstbehalt", "kostentrager", "kostentraeger",
           "abrechnung", "privatpatient", "kassenpatient"),
    compounds=("krankenversicherungs-", "krankenkassen-", "-behandlungskosten"),
    vague=("coverage", "pay1", "claim", "claims", "payer", "insurance", "insured", "reimbursement",
           "deductible", "claim amount", "claim type", "claim status", "total claim amount",
           "billing amount", "billed amount", "allowed amount", "erstattung", "schadenhohe",
           "schadensumme", "erstattungsbetrag", "total claim", "insurance type", "abrechnung"),
)  # fmt: skip

ALL = (DIAGNOSIS, ILLNESS, HEALTH, TREATMENT, CLAIM)
