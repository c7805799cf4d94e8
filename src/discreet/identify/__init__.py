"""Who stands out: what identifies people in a table.

Import from the modules: `discreet.identify.inspect`, `.inspection`, `.recognizers`. Nothing is
imported here, so that a light name does not load Arrow.
"""
