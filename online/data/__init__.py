"""Traces that ship with dualfit; NOTICE says where they come from and under which licence."""
