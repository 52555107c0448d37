"""Speed scaling: potentials, drift between schedules, drift over all states, backlog tables; proofs in ../SPEED.md."""
