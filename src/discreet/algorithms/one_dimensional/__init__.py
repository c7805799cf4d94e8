"""One column at a time: which of its values are released as one."""
