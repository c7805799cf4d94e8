"""Local suppression: as few blanked cells as keep every row alike with others."""
