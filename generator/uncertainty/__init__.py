"""How far a figure may be trusted: intervals and tests over plain numbers.

The room between ``score`` and ``aggregate``. It knows counts, exact scores and nothing else: no record, no
service, no file, no clock, no random source. Each module answers one question:

- ``proportion``: how sure is a pass rate, and the difference of two?
- ``tables``, ``fisher``: do two services pass equally often?
- ``stratified``, ``largesample``: the same, when the calls came in blocks; and do the blocks agree?
- ``paired``, ``signflip``: the same tasks on both sides, what differs and is it more than chance?
- ``macro``, ``pairs``: an average of category averages, and every pair of services over the same tasks.
- ``repeats``: how many tasks are ten runs of one task worth?
- ``multiple``, ``ranks``: many comparisons at once, and the places they leave open.
- ``equivalence``: may one say "equal within the margin"?
- ``duel``, ``davidson``: blind ballots with ties.
- ``power``, ``planning``: what could this design have shown at all?
- ``sequential``: evidence that may be looked at while it grows.
- ``judges``, ``severity``: do judges agree, and who is the strict one?
- ``quantile``, ``items``, ``rerun``: medians, tasks that separate nobody, a total measured twice.

Underneath lie ``undefined`` (the value of a figure that does not exist), ``exact`` (scores as integers on a
grid), ``interval``, ``student`` and ``solve``.

Rules of the room. Counts are integers; a p-value that comes from counts is an exact ``Fraction``. What the data
cannot answer is an ``Undefined`` with its reason, never NaN and never None. What no data could be (17 passes
of 16, a NaN) raises ``ValueError`` or ``TypeError``: that is a fault of the caller. scipy and numpy are
imported inside the functions that need them, so importing this package costs nothing.
"""
