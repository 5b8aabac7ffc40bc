"""`ponder play`: a server on the loopback address, and the ES modules of its page."""
