"""The search for the fewest or the most columns by what they tell apart: greedy and exact."""
