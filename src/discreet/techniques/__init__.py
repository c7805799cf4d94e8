"""Single disclosure limitation techniques, one a file, all of the shape of `technique.Technique`.

Import from the modules, such as `discreet.techniques.noise`.
"""
