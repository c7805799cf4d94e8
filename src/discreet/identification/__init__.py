"""Who stands out: what identifies people in a table.

Import from the modules: `discreet.identification.inspect`, `.inspection`. Nothing is imported
here, so that a light name does not load Arrow.
"""

from __future__ import annotations
