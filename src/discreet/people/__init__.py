"""People with many rows: a person is known by the whole record, and k counts people.

Import from the modules, such as `discreet.pipeline.people.people_release`.
"""
