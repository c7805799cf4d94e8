"""Who stands out: what identifies people in a table.

Import from the modules, such as `discreet.identification.inspect`. Nothing is imported here, so
that a small import does not load Arrow.
"""

from __future__ import annotations
