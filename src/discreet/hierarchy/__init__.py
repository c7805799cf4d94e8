"""Hierarchies: what each value of a column may be released as, level by level.

A builder defines how values are generalized (`Intervals`, `Cuts`, `Prefix`, `Dates`, `Tree`,
`File`, `Known`, `Flat`); its ``build`` makes the `Hierarchy` of one column from the distinct values
of the data.
"""

from __future__ import annotations

from discreet.hierarchy.cuts import Cuts
from discreet.hierarchy.dates import Dates
from discreet.hierarchy.file import File, complete, save
from discreet.hierarchy.flat import Flat, WithSuppression
from discreet.hierarchy.hierarchy import Builder, Hierarchy, Level
from discreet.hierarchy.intervals import Intervals
from discreet.hierarchy.known import Known, KnownHierarchy, find_known
from discreet.hierarchy.lattice import Lattice
from discreet.hierarchy.prefix import Prefix
from discreet.hierarchy.proposals import Proposal, propose
from discreet.hierarchy.spec import make_builder, write_spec
from discreet.hierarchy.tree import Tree

BUILDERS = (Intervals, Cuts, Prefix, Dates, Tree, File, Known, Flat)

__all__ = [
    "BUILDERS",
    "Builder",
    "Cuts",
    "Dates",
    "File",
    "Flat",
    "Hierarchy",
    "Intervals",
    "Known",
    "KnownHierarchy",
    "Lattice",
    "Level",
    "Prefix",
    "Proposal",
    "Tree",
    "WithSuppression",
    "complete",
    "find_known",
    "make_builder",
    "propose",
    "save",
    "write_spec",
]
