"""What the made town's people come to hospital with; plausible by age and sex, and nothing more."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.display import safe_repr

Floats: TypeAlias = NDArray[np.float64]


@safe_repr
class Diagnosis(NamedTuple):
    """How often a diagnosis is made under 40, from 40 to 64 and from 65 on, and its two drugs."""

    name: str
    young: float
    middle: float
    old: float
    drugs: tuple[str, str]
    men: bool = True


DIAGNOSES = (
    Diagnosis("alcohol dependence", 3, 4, 2, ("naltrexone", "disulfiram")),
    Diagnosis("anxiety", 8, 5, 3, ("buspirone", "propranolol")),
    Diagnosis("appendicitis", 4, 2, 1, ("cefazolin", "metronidazole")),
    Diagnosis("arthritis", 1, 6, 10, ("naproxen", "diclofenac")),
    Diagnosis("asthma", 8, 5, 4, ("salbutamol", "budesonide")),
    Diagnosis("back pain", 5, 8, 5, ("ibuprofen", "naproxen")),
    Diagnosis("broken bone", 9, 5, 6, ("ibuprofen", "paracetamol")),
    Diagnosis("cancer", 1, 5, 9, ("cisplatin", "paclitaxel")),
    Diagnosis("depression", 9, 7, 4, ("sertraline", "citalopram")),
    Diagnosis("diabetes", 2, 8, 10, ("metformin", "insulin")),
    Diagnosis("heart failure", 0.3, 4, 11, ("furosemide", "bisoprolol")),
    Diagnosis("high blood pressure", 2, 9, 12, ("lisinopril", "amlodipine")),
    Diagnosis("HIV", 1.5, 1.5, 0.4, ("dolutegravir", "lamivudine")),
    Diagnosis("kidney stones", 3, 5, 3, ("ketorolac", "tamsulosin")),
    Diagnosis("migraine", 6, 4, 1, ("sumatriptan", "topiramate")),
    Diagnosis("pneumonia", 3, 4, 9, ("amoxicillin", "doxycycline")),
    Diagnosis("pregnancy", 14, 0.3, 0, ("folic acid", "iron"), men=False),
    Diagnosis("stroke", 0.2, 2, 6, ("aspirin", "clopidogrel")),
)


def visits(age: Floats) -> Floats:
    """How likely a resident of this age is to be in the hospital file, up to a factor."""
    return 1 + ((age - 18) / 30) ** 2


def diagnose(
    age: Floats, woman: NDArray[np.bool_], chance: Floats, coin: Floats
) -> tuple[NDArray[np.str_], NDArray[np.str_]]:
    """Diagnosis and drug for each patient, from two uniform draws a patient."""
    weights = np.array([[d.young, d.middle, d.old] for d in DIAGNOSES])
    for_men = weights * np.array([d.men for d in DIAGNOSES])[:, None]
    edges = np.cumsum(np.concatenate([for_men, weights], axis=1), axis=0)
    group = np.digitize(age, [40, 65]) + 3 * woman
    found = (edges[:, group] <= chance * edges[-1, group]).sum(axis=0)
    names = np.array([d.name for d in DIAGNOSES])
    drugs = np.array([d.drugs for d in DIAGNOSES])
    return names[found], drugs[found, (coin < 0.5).astype(np.int64)]
