"""Twelve jobs whose times are watched: `python -m tests.bench` prints milliseconds of each.

`python -m tests.bench.ratios` compares them with what was written down. All go through the public
functions, so that a job outlives the modules behind it.
"""
