"""What a scrubbed text still reveals about a person: scrubbed is not anonymous."""

from __future__ import annotations

from discreet.scrubbing.facts.fact_reader import FactReader
from discreet.scrubbing.facts.fact_table import FactTable
from discreet.scrubbing.facts.notes import Facts

__all__ = ["FactReader", "FactTable", "Facts"]
