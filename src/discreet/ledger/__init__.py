"""Earlier releases and their recipients, and the constraints that follow for the next release."""
