"""What identifies people: facts that several parts of the product need, each in one place."""
