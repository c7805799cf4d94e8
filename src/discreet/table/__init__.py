"""Tables: roles, reading, dictionary coding and safe writing.

Import from the modules: `discreet.table.read`, `.table`, `.dictionary`, `.role`, `.write`. Nothing
is imported here, so that asking for a light name such as `Role` does not load DuckDB or Arrow.
"""
