"""Rapor: stored benchmark answers in, a static bilingual site out, every number recomputed on the way.

The walk through the house, room by room (each may import only the rooms above it):
records, findings, store, score, uncertainty, aggregate, audit, publish, render, verify, build, cli.
The other wing, collect, records runs; it writes ``results/``, which is the wall between the two.
"""

__version__ = "0.1.0"
