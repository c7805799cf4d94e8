"""Results of tests: laboratory, body, genes, school and work."""

from __future__ import annotations

from discreet.kinds.column_name import fold, split_words
from discreet.kinds.recognizer import Recognizer, Special, is_anything
from discreet.table.table import Role

_FINDINGS = split_words(
    """
    positive negative pos neg reactive non-reactive nonreactive inconclusive indeterminate
    hiv-positive hiv-negative hiv+ hiv- seropositive seronegative detected not-detected
    positiv negativ reaktiv nicht-reaktiv nachgewiesen nicht-nachgewiesen
    malignant benign maligne benigne bosartig gutartig
    """
)


def is_finding(value: str) -> bool:
    """A word for the result of a test: positive, negative, reactive."""
    return fold(value).replace(" ", "-") in _FINDINGS


RESULT = Recognizer(
    "result", "results of tests", "secrets", Role.sensitive, special=Special.HEALTH,
    # CDISC (LBSTRESN), NHANES laboratory and examination files (LBXGLU, BPXSY1)
    coded=r"(lb|vs|eg|qs|mb|is|pc|fa)(orres|stres[nc]|nrind|clsig)u?|lb[xd][a-z0-9]{2,5}|ur[xd][a-z0-9]{2,5}"
          r"|bpx[a-z]{0,3}\d?|bpxo?(sy|di|pls)\d?|bmd[a-z]{3,5}|aval[cn]?",
    names=("result", "test result", "lab result", "lab test", "lab value", "labs", "outcome",
           "blood", "blood test", "blood count", "serum", "plasma", "bp", "bps", "bpd",
           "bp systolic", "bp diastolic", "vl", "hiv rna", "rna load", "cd8", "=t3", "=t4", "=tt4",
           "=fti", "t4u", "bmd", "bone density", "bone mineral density", "fev", "lung function",
           "visual acuity", "hearing loss", "eye pressure", "iop", "grip strength", "vo2 max",
           "calcium score", "lymphocytes", "neutrophils", "leukocytes", "erythrocytes",
           "hematology", "protein urine", "vitamin d", "iron level", "cortisol", "testosterone",
           "estrogen", "estradiol", "hormone", "hormone level", "amh", "sperm count", "toxicology",
           "drug test", "covid test", "pcr test", "pcr result", "test status", "screening result",
           "scan result", "blood pressure", "bloodpressure", "systolic", "diastolic", "sys bp",
           "dia bp", "sbp", "dbp", "ap hi", "ap lo", "trestbps", "resting bp", "cholesterol",
           "chol", "tot chol", "hdl", "ldl", "triglycerides", "glucose", "gluc", "blood glucose",
           "blood sugar", "fasting bs", "fbs", "avg glucose level", "blood glucose level", "hba1c",
           "hba1c level", "a1c", "a1c result", "max glu serum", "insulin", "c peptide",
           "creatinine", "serum creatinine", "creatinine phosphokinase", "egfr", "hemoglobin",
           "haemoglobin", "hematocrit", "haematocrit", "platelets", "wbc", "rbc",
           "white blood cell", "red blood cell", "albumin", "bilirubin", "sgot", "sgpt",
           "alkaline phosphatase", "psa", "crp", "c reactive protein", "tsh", "ferritin",
           "uric acid", "serum sodium", "serum potassium", "troponin", "viral load", "cd4",
           "antibody", "antibodies", "antigen", "heart rate", "max heart rate", "max hr", "thalach",
           "exercise angina", "exang", "oldpeak", "ejection fraction", "rest ecg", "resting ecg",
           "chest pain type", "pulse", "oxygen saturation", "spo2", "resp rate", "respiratory rate",
           "body temperature", "ecg", "ekg", "eeg", "mri", "ct scan", "biopsy", "x ray", "urine",
           "urinalysis", "spirometry", "fev1", "body fat", "tested positive", "test positive",
           "=positive", "phq", "phq 9", "gad", "gad 7", "mmse", "gcs", "glasgow coma scale",
           "apgar", "apgar score", "sofa", "sofa score", "apache", "skin thickness",
           "diabetes pedigree function", "pathology", "ergebnis", "testergebnis", "testresultat",
           "befund", "befunde", "laborwert", "laborwerte", "laborbefund", "blutdruck", "systolisch",
           "diastolisch", "blutzucker", "blutzuckerwert", "blutwerte", "blutbild", "cholesterin",
           "kreatinin", "hamoglobin", "haemoglobinwert", "leberwerte", "puls", "herzfrequenz",
           "antikorper", "uitslag", "testresultaat", "resultat", "resultado"),
    compounds=("-befund", "-befunde", "laborwert-", "laborbefund-", "blutdruck-", "blutzucker-",
               "cholesterin-", "ergebnis-", "-ergebnis", "-messwert"),
    vague=("result", "outcome", "lab result", "lab test", "lab value", "test result", "labs",
           "glucose", "insulin", "albumin", "psa", "pulse", "puls", "oxygen saturation", "urine",
           "uric acid", "ferritin", "pathology", "antigen", "antibody", "antibodies", "sofa",
           "apache", "=positive", "ergebnis", "testergebnis", "testresultat", "laborwert",
           "laborwerte", "uitslag", "testresultaat", "resultat", "resultado", "befund",
           "hemoglobin", "haemoglobin", "creatinine", "body temperature", "gad", "x ray",
           "cholesterol", "hdl", "ldl", "serum", "plasma", "bp", "vl", "hormone", "toxicology",
           "test status", "fev", "calcium score", "-befund", "-befunde", "laborwert-",
           "triglycerides", "chol", "crp", "bilirubin", "tested positive", "test positive",
           "body fat", "ergebnis-", "-ergebnis", "-messwert"),
    fits=is_anything, proof=is_finding, weak=True, share=0.6, least=2, vague_proof=True,
    examples=("positive", "Negativ", "HIV positive", "not detected"),
    counterexamples=("yes", "17", "positively", "1.5"),
)  # fmt: skip
GENES = Recognizer(
    "genetics", "genetic data", "secrets", Role.sensitive, special=Special.GENES,
    names=("genotype", "mutation", "mutations", "gene", "genes", "genetic", "genetics", "snp",
           "snps", "brca", "brca 1", "brca 2", "apoe", "apoe4", "allele", "karyotype", "hla",
           "haplotype", "haplogroup", "genetic risk", "genetic test", "polygenic risk",
           "polygenic score", "carrier status", "family history", "family hx", "famhist",
           "chromosome", "exome", "dna", "dna test", "gendefekt", "genmutation", "gentest",
           "genvariante", "erbkrankheit", "erbgut", "familienanamnese", "genetical", "hereditary",
           "hereditary disease", "predisposition", "genetic predisposition", "genom",
           "gene expression"),
    compounds=("-genotyp", "erbkrankheits-"),
    vague=("gene", "genes", "snp", "snps", "allele", "mutation", "mutations", "chromosome",
           "genotype", "genetic", "haplotype", "dna", "exome", "gene expression", "predisposition"),
)  # fmt: skip
GRADES = Recognizer(
    "school results", "grades and appraisals", "secrets", Role.sensitive,
    names=("grade", "grades", "final grade", "gpa", "cgpa", "iq", "score", "exam", "exam score",
           "exam result", "test score", "test scores", "math score", "maths score", "reading score",
           "writing score", "science score", "sat score", "sat", "act score", "gre score", "lsat",
           "toefl", "final score", "total score", "=g1", "=g2", "=g3", "marks", "percentile",
           "class rank", "ugpa", "zgpa", "zfygpa", "undergraduate gpa", "bar exam", "pass bar",
           "bar passage", "passed", "pass fail", "final result", "attempts", "prev attempts",
           "test results school", "reading level", "math grade", "wonderlic", "aptitude",
           "assessment score", "credit hours failed", "detention", "academic performance",
           "failures", "absences", "suspension", "dropout", "expelled", "special education",
           "performance", "performance rating", "performance score", "appraisal", "appraisal score",
           "evaluation score", "last evaluation", "employee rating", "rating", "job satisfaction",
           "environment satisfaction", "satisfaction level", "termination reason",
           "reason for leaving", "disciplinary action", "warning letter", "note gesamt",
           "schulnote", "schulnoten", "zeugnis", "zeugnisnote", "abinote", "abiturnote",
           "gesamtnote", "abschlussnote", "endnote", "notendurchschnitt", "prufungsergebnis",
           "prufungsnote", "klausurnote", "punktzahl", "deutschnote", "mathenote",
           "leistungsbeurteilung", "beurteilung", "abmahnung", "abmahnungen", "fehlstunden",
           "forderbedarf", "sitzengeblieben", "kundigungsgrund", "calificacion", "punkte", "noten",
           "durchschnittsnote", "abizeugnis"),
    compounds=("-zeugnis", "zeugnis-", "noten-"),
    vague=("passed", "attempts", "assessment score", "detention", "aptitude", "grade", "grades",
           "score", "total score", "final score", "exam", "marks", "percentile", "performance",
           "rating", "sat", "failures", "absences", "suspension", "endnote", "punktzahl",
           "beurteilung", "zeugnis", "-zeugnis", "zeugnis-", "performance score",
           "performance rating", "test score", "test scores", "dropout", "noten-", "=g1", "=g2",
           "=g3", "iq", "calificacion", "gesamtnote", "sat score", "final grade", "punkte",
           "noten"),
)  # fmt: skip

ALL = (RESULT, GENES, GRADES)
