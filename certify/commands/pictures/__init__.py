"""The kinds of pictures that `dualfit plot` draws."""
