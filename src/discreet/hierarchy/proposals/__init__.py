"""First hierarchies for the columns of a table: from knowledge, from the form of the values, or
learnt from the table itself."""

from __future__ import annotations

from discreet.hierarchy.proposals.proposal import GivenUp, Proposal
from discreet.hierarchy.proposals.propose import propose
from discreet.hierarchy.proposals.row_codes import RowCodes
from discreet.hierarchy.proposals.shown_tree import show_tree, write_hierarchy_file

__all__ = ["GivenUp", "Proposal", "RowCodes", "propose", "show_tree", "write_hierarchy_file"]
