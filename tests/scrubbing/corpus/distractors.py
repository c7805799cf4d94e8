"""What looks personal and is not: drugs, diseases named after people, measurements, headings."""

from __future__ import annotations

from random import Random

from tests.scrubbing.corpus.listed import listed

DRUGS = listed(
    """Lily Human Insulin|Lisinopril|Metformin 500 mg|Humalog|Zoloft|Tylenol|Augmentin|Coumadin
Lasix|Synthroid|Lipitor|Benadryl|Ventolin|Prednisone|Keppra|Plavix|Norvasc|St. John's wort|Xarelto
Vitamin D|Advil|Percocet|Depakote|Seroquel|Neurontin|Singulair""",
    "|",
)
EPONYMS = listed(
    """Hodgkin's disease|Parkinson's disease|Crohn's disease|Addison's disease|Graves' disease
Cushing's syndrome|Down syndrome|Bell's palsy|Alzheimer's|Wilson's disease|Paget's disease
Marfan syndrome|Tourette syndrome|Huntington's chorea|Raynaud's phenomenon|Hashimoto's thyroiditis
Sjögren's syndrome|Barrett's esophagus|Kawasaki disease|Guillain-Barré syndrome""",
    "|",
)
SIGNS = """Babinski sign|Romberg test|Murphy's sign|Glasgow Coma Scale|Apgar score|Foley catheter
Swan-Ganz catheter|Doppler ultrasound|Holter monitor|Pap smear|Allen test|Snellen chart
McBurney's point|Trendelenburg position|Foster frame|Whipple procedure""".replace("\n", "|").split(
    "|"
)
MEASURES = listed(
    """blood pressure 120/80|BP 135/85|pulse 72|temp 98.6|weight 154 lb|height 5 ft 9 in
hemoglobin 11.2|sodium 138|potassium 4.1|glucose 212 mg/dL|O2 sat 97%|BMI 27.4|creatinine 0.9
WBC 7.8|HbA1c 8.2%|ejection fraction 55%|3 x 4 cm|2/6 systolic murmur|5/5 strength|T 37.2
RR 18|0.5 mL|20 units|10-15 mg""",
    "|",
)
PRODUCTS = listed(
    """Galaxy S21|Windows 11|ThinkPad X1|Chrome|the Pro plan|the Deluxe Kettle|Model 3400
the Premium Saver account|Series 7 printer|WiFi router AX50|the Morris chair|a Stanley knife
Dr. Pepper|the Jack Russell|a Philips screw|the Victoria sponge""",
    "|",
)
HEADS = listed(
    """ASSESSMENT:|PLAN:|History of Present Illness:|PHYSICAL EXAMINATION:|Review of Systems:
Past Medical History:|Allergies:|Medications:|Social History:|LABORATORY DATA:|IMPRESSION:
Hospital Course:|Condition on Discharge:|Follow Up:""",
    "|",
)
SYMPTOMS = listed(
    """chest pain|shortness of breath|abdominal pain|headache|low back pain|a productive cough
swelling of the ankles|blurred vision|fatigue|a rash on the left forearm|dizziness|night sweats
numbness of the right hand|joint stiffness""",
    "|",
)
JOBS = listed(
    "nurse|carpenter|school teacher|line cook|bus driver|accountant|welder|librarian", "|"
)

LISTS = {
    "drug": DRUGS,
    "eponym": EPONYMS,
    "sign": SIGNS,
    "measure": MEASURES,
    "product": PRODUCTS,
    "head": HEADS,
    "symptom": SYMPTOMS,
    "job": JOBS,
}


def distractor(kind: str, rng: Random) -> str:
    """One of a kind."""
    return rng.choice(LISTS[kind])
