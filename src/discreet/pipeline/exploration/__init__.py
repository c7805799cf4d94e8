"""A table counted once, and then asked: what each choice of levels and roles would come to."""
