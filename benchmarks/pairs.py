"""What the paired analysis of 100 services × 60 tasks × 3 repeats costs, beside scipy's ``permutation_test`` in a loop.

    python benchmarks/pairs.py

Ours is exact and whole: from the scores of single repeats to differences, intervals, p-values, Holm's adjustment,
category differences, rank sets and groups of all 4,950 pairs. scipy's test is timed on a sample of the pairs and
extrapolated; with 2⁶⁰ ways to flip the signs it draws 9,999 of them, so its p-values are estimates.
"""

import argparse
import os
import platform
import random
import resource
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402 - the project is found first
import scipy  # noqa: E402
from scipy.stats import permutation_test  # noqa: E402

from generator.aggregate import ServiceScore, TaskScore  # noqa: E402
from generator.publish.figures import Stamp  # noqa: E402
from generator.publish.pairs import groups, pair_views, rank_views  # noqa: E402
from generator.records import Kind, TaskLock, Withheld  # noqa: E402
from generator.uncertainty.pairs import compare_all  # noqa: E402

CATEGORIES = ("knowledge", "language", "reasoning", "instructions", "translation", "writing")
KINDS: tuple[Kind, ...] = ("exact", "checks", "rubric")
STEPS = {"exact": 1, "checks": 4, "rubric": 8}
"""Steps between 0 and 100 that one repeat may score: right or wrong, four checks, halves of five marks."""
Value = TypeVar("Value")


def invented(services: int, repeats: int) -> list[ServiceScore]:
    """Services of rising strength over six categories of ten tasks; nothing measured."""
    source = random.Random(20261130)  # noqa: S311 - invented scores, no secret
    absent = Withheld(slug="no_data")

    def score(strength: float, lock: TaskLock) -> TaskScore:
        steps = STEPS[lock.kind]
        points = [Fraction(100 * sum(source.random() < strength for _ in range(steps)), steps) for _ in range(repeats)]
        value = Fraction(median(points)) if lock.kind == "rubric" else sum(points, Fraction(0)) / repeats
        return TaskScore(task=lock, score=value, failed=False, reason="", marks=())

    locks = [
        TaskLock(
            id=f"{name}-{k}", category=name, kind=KINDS[k % 3], access="public", repeats=repeats, commitment="0" * 64
        )
        for name in CATEGORIES
        for k in range(10)
    ]
    return [
        ServiceScore(
            service=f"s{number:03d}",
            tasks=tuple(score(0.5 + 0.45 * number / services, lock) for lock in locks),
            categories={},
            total=absent,
            automatic=absent,
            judged=absent,
            failed=0,
            complete=True,
        )
        for number in range(services)
    ]


def cpu(work: Callable[[], Value]) -> tuple[float, Value]:
    """CPU seconds of this process, user and system, and what came out."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    value = work()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, value


def strata(score: ServiceScore) -> list[list[Fraction]]:
    """Scores by category."""
    return [[each.score for each in score.tasks if each.task.category == name] for name in CATEGORIES]


def by_scipy(scores: Sequence[ServiceScore], sample: int) -> float:
    """CPU seconds a pair of ``permutation_test`` with its default number of draws, over a sample of the pairs."""
    source = random.Random(1)  # noqa: S311 - which pairs are timed
    flat = [np.array([float(each.score) for each in score.tasks]) for score in scores]
    pairs = [source.sample(range(len(scores)), 2) for _ in range(sample)]

    def loop() -> None:
        for a, b in pairs:
            permutation_test((flat[a] - flat[b],), np.mean, permutation_type="samples", vectorized=True, axis=0)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cpu(loop)[0] / sample


def main() -> None:
    """Print all figures of one run on this machine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--services", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sample", type=int, default=100, help="pairs on which scipy is timed")
    asked = parser.parse_args()
    scores = invented(asked.services, asked.repeats)
    n = asked.services * (asked.services - 1) // 2
    names = [score.service for score in scores]

    tests, _ = cpu(lambda: compare_all({score.service: strata(score) for score in scores}))
    views, pairs = cpu(lambda: pair_views(scores, CATEGORIES, Stamp("", "")))
    places, _ = cpu(lambda: (rank_views(names, pairs), groups(names, pairs)))
    whole = views + places
    each = by_scipy(scores, asked.sample)

    print(f"{os.cpu_count()} processors, Python {platform.python_version()}, scipy {scipy.__version__}, "
          f"{time.strftime('%Y-%m-%d')}")  # fmt: skip
    print(f"{asked.services} services x 60 tasks x {asked.repeats} repeats, {n} pairs")
    print(f"  exact sign-flip test and interval of all pairs  {tests:8.2f} s CPU")
    print(f"  with Holm, categories, rank sets and groups     {whole:8.2f} s CPU  (aim: below 5)")
    print(f"  scipy permutation_test, 9,999 draws a pair      {each * n:8.2f} s CPU  (from {asked.sample} pairs)")
    print(f"  ratio of tests alone                            {each * n / tests:8.1f}")
    print(f"  ratio of the whole analysis                     {each * n / whole:8.1f}")


if __name__ == "__main__":
    main()
