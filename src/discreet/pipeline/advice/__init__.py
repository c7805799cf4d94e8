"""What would make a release more useful: changed policies, each really tried."""
