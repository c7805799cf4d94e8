"""Names of people, in all the ways they are written, and what only looks like one.

In a text, the names stand between braces.
"""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from discreet.scrubbing.blackboard import Blackboard
from discreet.scrubbing.detectors.names import CONTEXT_NAME, FULL_NAME, SINGLE_NAME, is_no_place
from discreet.scrubbing.languages.load import load_language
from discreet.scrubbing.machine import Scrubber
from discreet.scrubbing.page import Page

SCRUBBER = Scrubber(detectors=(FULL_NAME, CONTEXT_NAME, SINGLE_NAME))

MARKED = [
    "{Nguyễn Văn An} lives there.",
    "Dr. {Frank Graves} will see you.",
    "Dr {Graves} called.",
    "Mr. {Long} and Mrs. {Rose} came by.",
    "Prof. {Dumbledore} teaches.",
    "Nurse {Kowalski} drew blood.",
    "Rev. {Thomas O'Malley} led the service.",
    "{F. R. Graves}, MD",
    "{Graves, Frank R.}",
    "{Marjorie Long}, M.D.",
    '{Frank "Red" Graves} came.',
    "“{Red}” {Graves} came.",
    "Ms. {Smith-Jones} and Mr. {van der Berg} left.",
    "I met {Maria de la Cruz} and {Ludwig van Beethoven}.",
    "{Sean O'Brien} and {Ronald McDonald} agreed.",
    "{John Smith Jr.} was there.",
    "{Robert Downey III} was there.",
    "This is {John}'s car and {Mary Smith}'s house.",
    "Dear {Bob},",
    "Dear Mr. {Wang},",
    "Hi {Priya},",
    "Hello {Xiomara}!",
    "Hey {mike}, how are you?",
    "Sincerely,\n{Patricia Nguyen}",
    "Best regards,\n\n{Tunde Bakare}\nCEO",
    "Thanks,\n{Jim}",
    "{SMITH, JOHN} was admitted.",
    "PATIENT {FRANK GRAVES} WAS SEEN BY DR. {GRAVES} IN THE CLINIC TODAY FOR FOLLOW UP.",
    "{frank red graves}",
    "my name is {john smith} and i need help with my order",
    "My name is {Oluwaseun Adeyemi} and I live here.",
    "I'm {Katarzyna}, nice to meet you.",
    "Her sister {Ann} and brother {Wojciech} came.",
    "His wife {Mary} was present. His wife, {Mary}, was present.",
    "Name: {Ada Okonkwo}",
    "Patient Name: {Nakamura, Hiroshi}",
    "Patient: {Li Wei}",
    "Full Name: {José García Márquez}",
    "First Name: {Yasmin}\nLast Name: {Al-Farsi}",
    "Attn: {Rosalind Franklin}",
    "Contact: {Dieter Müller}",
    "{John}: hi there",
    "{Sarah}: hello\n{Mike}: hey",
    "{Oluwaseun Johnson} and {Chukwuma Okafor} signed the lease.",
    "The contract was signed by {Giulia Bianchi}.",
    "We spoke with {Jennifer} about it.",
    "{Will Smith} and {Mark Johnson} are here.",
    "{Grant Hill} scored; then {Bill Gates} paid.",
    "{J. K. Rowling} wrote it.",
    "{John F. Kennedy} and {Lyndon B. Johnson}.",
    "{John D.} was seen.",
    "The patient, Ms. {Li}, was seen.",
    "{Hannah} said that {Tom} went home.",
    "Yes, {Jessica}, that works.",
    "Thank you {David} for your help.",
    "Please contact {Emily Rodriguez} at the front desk.",
    "{Anh Nguyen} and {Thi Minh Tran} attended.",
    "{Aleksandr Kuznetsov}'s passport",
    "{Abdul Rahman bin Faisal} visited.",
    "Sent by {Lakshmi Venkataraman} on behalf of {Raj}.",
    "From: {Karen Miller}\nTo: {Steve Jobs}",
    "cc: {Amit Patel}, {Sophie Turner}",
    "Employee {Daniel Craig} (ID 3345) was late.",
    "Mr. and Mrs. {Hernandez} came.",
    "Drs. {Lee} and {Park} operated.",
    "{Hodgkins} is her last name. Mrs. {Hodgkins} called.",
    "Signed, {Barack Obama}",
    "Customer: {Bob Marley}",
    "{Mary Ann Evans} wrote as {George Eliot}.",
    "{Sakura Haruno} has been promoted.",
    "Let {Fatima} know.",
    "Ask {Jamal} or {Keisha} for help.",
    "As {Dmitri} told us, {Svetlana} is fine.",
    "spoke to {Jen} re: meds",
    "Pt's daughter {Lucia} at bedside",
    "RE: {Virginia Townsend}",
    "My colleague {Ravi Shankar} will call.",
    "I am {Maria}.",
    "Speaker 1: {Linda}, are you there?",
    "The tenant, {Wei Zhang}, agrees to pay.",
    "{Zoë Kravitz} and {Renée Zellweger}",
    "{DeShawn Jackson} and {LaToya Jackson}",
    "{McKenzie} came later. Ms. {McKenzie} was late.",
    "Witness: {Harold P. Finch}",
    "Happy birthday {Chloe}!",
    "{Alice} and {Bob} met {Carol}.",
    "{Anna-Lena Schmidt} / {Jean-Pierre Dupont}",
    "the cardholder {Rajesh Koothrappali} reported",
    "account holder is {Penny Hofstadter}.",
    "{Virginia P. Weston} came. After seeing {Virginia} this time, I feel much better.",
    "mother's maiden name: {Fitzgerald}",
]

NOBODY = [
    "Will you come in May? I hope so.",
    "Mark the date. Rose petals fell. Hope is good. Grant the request. Bill the customer.",
    "The bill was paid. May I help you?",
    "Parkinson's disease and Crohn's disease are chronic.",
    "Hodgkin lymphoma was found. He has Hodgkin's.",
    "Graves disease, Down syndrome, Bell's palsy.",
    "The patient was treated with Tylenol and Lipitor.",
    "Boston is in Massachusetts. Paris is in France.",
    "He lives in Virginia Beach and works in Charlotte.",
    "On Monday, January 5, we met. In April and June.",
    "Thank You For Your Order",
    "Terms And Conditions",
    "CHIEF COMPLAINT: CHEST PAIN",
    "PAST MEDICAL HISTORY: HYPERTENSION",
    "Please note: We will call back.",
    "Subject: Your Account Statement",
    "Microsoft Windows and Google Chrome are programs.",
    "The Amazon River is long. Mount Everest is high.",
    "Dear Customer, thank you.",
    "Dear Sir or Madam:",
    "Hello there, how are you?",
    "Hi Team,",
    "Best regards,\nCustomer Support Team",
    "Note: Take Aspirin Daily",
    "Invoice Number: 12345",
    "Summer is here. Faith and joy. Art is long.",
    "Christmas and Easter are holidays. Happy New Year!",
    "English, French and Spanish are spoken.",
    "The American Heart Association advises so.",
    "New York City and Los Angeles",
    "Your Bank of America statement is ready.",
    "I'm Happy to help. I'm sorry.",
    "Dose: Metformin 500 mg twice daily",
    "Allergies: Penicillin, Sulfa",
    "Diagnosis: Type 2 Diabetes Mellitus",
    "The Glasgow Coma Scale was 15. Foley catheter placed.",
    "This is Important. This is Great news.",
    "Please Confirm Your Email Address",
    "We use Python, Java and Excel daily.",
    "Order status: Shipped. Payment method: Visa",
    "United States of America",
    "Wall Street and Madison Avenue",
    "Chapter One: The Beginning",
    "Internet Explorer on Apple iPhone",
    "Toyota Corolla and Ford Focus",
    "COVID-19 and Zika virus",
    "Facebook, Twitter and Instagram",
    "He was in Jordan and Georgia last year.",
]


def places(text: str) -> set[int]:
    """The letters that are found."""
    found = {p for f in SCRUBBER.find(text) for p in range(f.start, f.end)}
    return {p for p in found if text[p].isalnum()}


@pytest.mark.parametrize("marked", MARKED)
def test_names_are_found_and_nothing_else(marked: str) -> None:
    text, wanted = "", set()
    for part in re.split(r"(\{[^}]*\})", marked):
        name = part.strip("{}")
        if part.startswith("{"):
            wanted |= {len(text) + p for p, letter in enumerate(name) if letter.isalnum()}
        text += name
    assert places(text) == wanted


@pytest.mark.parametrize("text", NOBODY)
def test_what_looks_like_a_name_is_left(text: str) -> None:
    assert places(text) == set()


def test_places_of_several_words_are_known_wherever_a_span_of_tokens_has_one() -> None:
    language = load_language("en")
    text = "\n Saint-Denis,\tNEW YORK\n\nNew  Yorker of St. Louis   \nVirginia Beach "
    page = Page(text, language, Blackboard())
    places = language.lexicon.any_phrase("city", "state", "country")
    spans = list(combinations(range(len(page.tokens) + 1), 2))
    found = {span for span in spans if not is_no_place(page, *span)}
    wanted = {
        (first, after)
        for first, after in spans
        if after - first > 1 and "".join(page.tokens[first:after]).strip().lower() in places
    }
    assert found == wanted
    assert len(found) > 4
