"""How likely: uniqueness of groups, risk of a table, uniques of the population behind a sample.

Import from the modules: `discreet.risks.table_risk`, `.uniqueness`, `.population_uniques`.
"""

from __future__ import annotations
