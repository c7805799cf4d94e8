"""Models: the promises a release can make, one file each."""

from discreet.models.beta_likeness import BetaLikeness
from discreet.models.delta_disclosure import DeltaDisclosure
from discreet.models.delta_presence import DeltaPresence
from discreet.models.k_anonymity import KAnonymity
from discreet.models.k_map import KMap
from discreet.models.l_diversity import LDiversity
from discreet.models.model import (
    ClassModel,
    LeftOut,
    Model,
    RegisterModel,
    TableModel,
    require_members,
)
from discreet.models.probabilistic_anonymity import ProbabilisticAnonymity
from discreet.models.risks import AverageRisk, LargestRisk, SampleUniques
from discreet.models.safe_harbor import SafeHarbor
from discreet.models.t_closeness import TCloseness
from discreet.models.verdict import TOLERANCE, Verdict

BY_CLASS = (
    KAnonymity,
    LDiversity,
    TCloseness,
    DeltaDisclosure,
    BetaLikeness,
    LargestRisk,
    AverageRisk,
    SampleUniques,
    SafeHarbor,
)
"""Promises about classes, or about all classes together: any algorithm that forms classes can."""

BY_REGISTER = (KMap, DeltaPresence)
"""Promises about classes and the people of a register whom they fit."""

ALL: tuple[type[Model], ...] = (*BY_CLASS, *BY_REGISTER, ProbabilisticAnonymity)
require_members(ALL)

__all__ = [
    "ALL",
    "BY_CLASS",
    "BY_REGISTER",
    "TOLERANCE",
    "AverageRisk",
    "BetaLikeness",
    "ClassModel",
    "DeltaDisclosure",
    "DeltaPresence",
    "KAnonymity",
    "KMap",
    "LDiversity",
    "LargestRisk",
    "LeftOut",
    "Model",
    "ProbabilisticAnonymity",
    "RegisterModel",
    "SafeHarbor",
    "SampleUniques",
    "TCloseness",
    "TableModel",
    "Verdict",
]
