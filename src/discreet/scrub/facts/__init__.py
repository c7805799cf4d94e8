"""What a text tells of a person beside identifiers: scrubbed is not anonymous."""

from discreet.scrub.facts.fact_reader import FactReader
from discreet.scrub.facts.fact_table import FactTable
from discreet.scrub.facts.facts import Facts

__all__ = ["FactReader", "FactTable", "Facts"]
