"""The local app: from a file to a verified release in the browser; calls public functions only."""
