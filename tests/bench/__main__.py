"""`python -m tests.bench [WORD …]`: processor time of the jobs whose names have every word."""

from __future__ import annotations

import sys

from tests.bench.cases import CASES
from tests.bench.ratios import spent

for name, prepare in CASES.items():
    if all(word in name for word in sys.argv[1:]):
        print(f"{name:<40} {spent(prepare()) * 1000:>10.1f} ms", flush=True)
