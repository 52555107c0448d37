"""Flow time plus energy on identical servers with speed scaling: bounds on the optimum from both sides.

Source: Multiple server SRPT with speed scaling is competitive ([S]); the proofs are in lp/ENERGY.md.
"""
