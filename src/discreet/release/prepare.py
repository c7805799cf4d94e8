"""The table as the release sees it: what is done to single columns comes before any counting."""

from __future__ import annotations

from typing import Any

from discreet.release.policy import Policy
from discreet.release.safe_harbor import in_safe_harbor
from discreet.release.text_columns import with_scrubbed_texts
from discreet.table.formulas import with_quoted_formulas
from discreet.table.header import settle_names
from discreet.table.read import read
from discreet.table.table import Table


def open_for(source: Any, policy: Policy) -> Table:
    """The table that a policy is about; a first line with the columns of the policy holds names.

    Identifiers may be missing there: a release does not have them.
    """
    table = source if isinstance(source, Table) else read(source)
    return settle_names(table, (*policy.quasi, *policy.sensitive))


def prepared(table: Table, policy: Policy, whole: Table | None = None) -> Table:
    """The table as it is counted; refused if its columns break a promise about columns.

    ``whole`` is that of which the table has some rows: no pseudonym is a value of any of its rows.
    """
    return in_safe_harbor(changed(table, policy, whole), policy)


def changed(table: Table, policy: Policy, whole: Table | None = None) -> Table:
    """The table with texts scrubbed, identifiers replaced and columns changed by techniques.

    Scrubbing comes first: it looks for the identifiers of a row in its texts. Techniques come last,
    so that they never see an identifier as it is; then formulas are quoted in what they leave.
    """
    policy.check_columns(table.columns, table.name)
    table = _replaced(with_scrubbed_texts(_people_alike(table, policy), policy), policy, whole)
    return quoted(_by_techniques(table, policy), policy)


def quoted(table: Table, policy: Policy) -> Table:
    """The table with formulas quoted in what is released, if the policy says so."""
    return with_quoted_formulas(table, policy.quoted) if policy.quoted else table


def _people_alike(table: Table, policy: Policy) -> Table:
    """The table with identifiers of people in one way of writing, if people are counted."""
    if policy.people is None:
        return table
    from discreet.people.whose import with_people_alike

    return with_people_alike(table, policy)


def _replaced(table: Table, policy: Policy, whole: Table | None) -> Table:
    """The table with pseudonyms, which load only if the policy names some."""
    if all(column.replace is None for column in policy.columns.values()):
        return table
    from discreet.release.replacement import with_replaced_identifiers

    return with_replaced_identifiers(table, policy, whole)


def _by_techniques(table: Table, policy: Policy) -> Table:
    """The table after the techniques of the policy, which load only if there are some."""
    if not policy.techniques and not any(one.technique for one in policy.columns.values()):
        return table
    from discreet.release.technique_steps import with_techniques

    return with_techniques(table, policy)
