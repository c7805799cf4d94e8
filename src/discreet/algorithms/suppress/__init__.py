"""Local suppression: blanks as few cells as possible so that every row equals others."""
