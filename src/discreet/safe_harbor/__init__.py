"""HIPAA safe harbor: the eighteen identifiers, and whether each column meets their rules.

Import from the modules: `discreet.safe_harbor.check`, `.rules`, `.zip_table`, `.ready_policy`.
"""
