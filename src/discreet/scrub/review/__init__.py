"""The page on which a person looks at what was found."""
