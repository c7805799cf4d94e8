"""What an intruder with a register can conclude from a release: maps, and who they name."""
