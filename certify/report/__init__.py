"""One page about a certificate, to be read in a browser without a network."""
