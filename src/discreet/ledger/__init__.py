"""What was released before, to whom, and what that means for the next release."""
