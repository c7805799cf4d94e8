"""First hierarchies for the columns of a table: from published standards, from the form of the
values, or learnt from the table itself."""

from __future__ import annotations

from discreet.hierarchy.proposals.proposal import Proposal, RejectedKind
from discreet.hierarchy.proposals.propose import propose
from discreet.hierarchy.proposals.row_codes import RowCodes
from discreet.hierarchy.proposals.shown_tree import show_tree, write_hierarchy_file

__all__ = ["Proposal", "RejectedKind", "RowCodes", "propose", "show_tree", "write_hierarchy_file"]
