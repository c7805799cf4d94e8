"""People with many rows: a person is known by the whole record, and k counts people."""
