"""The search for all minimal sets: difference sets, hitting sets, level by level, samples."""
