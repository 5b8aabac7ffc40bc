"""The kinds of evidence: what a result says and how it is written."""
