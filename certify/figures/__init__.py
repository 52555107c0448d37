"""Pictures for papers and slides: in grey, what differs differs by shade, dash, marker and hatch."""
