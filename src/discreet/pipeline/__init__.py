"""From a source to a release: prepare, count, plan, search, recode, write, verify."""
