"""Speed scaling on identical servers: power functions, executed trajectories, policies, games.

Source: Multiple server SRPT with speed scaling is competitive ([S]).
"""
