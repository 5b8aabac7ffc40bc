"""Fuzzing: inputs made at random, and a judgement of what ponder makes of each.

    python -m tests.fuzz --minutes 2 --seed 20261121
    python -m tests.fuzz --kind boards --batch 17 --seed 20261121     one batch again

Each kind of input has a function that makes one from a generator of random numbers, and one that
judges it: the library raises `PonderError` or nothing, the command line ends in one of its exit
codes with one line of reason, and where brute force can tell what is true, nothing false is said.
Hypothesis plays the generator, and so makes a failing input small.
"""
