"""Detectors: one file per family. ``ALL`` is the list the machine runs, in this order."""

from __future__ import annotations

from discreet.scrubbing.detectors.address_block import ADDRESS_BLOCK
from discreet.scrubbing.detectors.blocks import IDENTIFICATION_BLOCK, MAILING_LABEL, SIGNATURE
from discreet.scrubbing.detectors.caseless import (
    CASELESS_CITY,
    CASELESS_LOCATION,
    CASELESS_ORGANIZATION,
    CASELESS_STREET,
)
from discreet.scrubbing.detectors.delimited_format import DELIMITED_FORMAT
from discreet.scrubbing.detectors.detector import (
    Detector,
    Example,
    Shape,
    ShapeDetector,
    TemplateDetector,
)
from discreet.scrubbing.detectors.internet import BROWSER, COLON_ADDRESS, EMAIL, URL, USERNAME, UUID
from discreet.scrubbing.detectors.kept_words import DRUG, DRUG_ENDING, EPONYM, MEDICAL_TERM, VERB
from discreet.scrubbing.detectors.names import (
    CONTEXT_NAME,
    FAMILY_NAME,
    FULL_NAME,
    OWN_INITIALS,
    SINGLE_NAME,
)
from discreet.scrubbing.detectors.organizations import (
    EMPLOYER,
    FORM_FIELD,
    INSTITUTION,
    ORGANIZATION,
    TEAM,
)
from discreet.scrubbing.detectors.other_numbers import MASKED
from discreet.scrubbing.detectors.places import (
    AREA,
    CITY,
    COUNTRY,
    LOCATION,
    PLACE_PHRASE,
    STATE,
    TOWN_ENDING,
)
from discreet.scrubbing.detectors.post_codes import POST_CODE, ZIP
from discreet.scrubbing.detectors.secrets import PASSWORD
from discreet.scrubbing.detectors.shapes_of_numbers import SHAPES_OF_NUMBERS
from discreet.scrubbing.detectors.streets import JOINED_STREET, STREET, STREET_NAME
from discreet.scrubbing.detectors.tagged import TAGGED
from discreet.scrubbing.detectors.words_of_numbers import WORDS_OF_NUMBERS

ALL: tuple[Detector, ...] = (
    FULL_NAME,
    CONTEXT_NAME,
    SINGLE_NAME,
    FAMILY_NAME,
    OWN_INITIALS,
    IDENTIFICATION_BLOCK,
    MAILING_LABEL,
    ADDRESS_BLOCK,
    LOCATION,
    STREET,
    STREET_NAME,
    JOINED_STREET,
    ORGANIZATION,
    INSTITUTION,
    TEAM,
    EMPLOYER,
    TOWN_ENDING,
    CASELESS_ORGANIZATION,
    CASELESS_STREET,
    CASELESS_LOCATION,
    CASELESS_CITY,
    CITY,
    PLACE_PHRASE,
    STATE,
    COUNTRY,
    AREA,
    ZIP,
    POST_CODE,
    FORM_FIELD,
    DELIMITED_FORMAT,
    SIGNATURE,
    EPONYM,
    DRUG,
    DRUG_ENDING,
    MEDICAL_TERM,
    VERB,
    EMAIL,
    COLON_ADDRESS,
    PASSWORD,
    URL,
    USERNAME,
    UUID,
    BROWSER,
    MASKED,
    SHAPES_OF_NUMBERS,
    WORDS_OF_NUMBERS,
    TAGGED,
)

__all__ = ["ALL", "Detector", "Example", "Shape", "ShapeDetector", "TemplateDetector"]
