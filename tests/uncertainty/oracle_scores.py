"""What our functions give for the reference cases made of scores."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from generator.uncertainty.equivalence import tost_paired
from generator.uncertainty.exact import mean
from generator.uncertainty.items import constant_tasks, cronbach_alpha, item_rest, share_above
from generator.uncertainty.macro import macro_mean, macro_t, price_bonett, weighted
from generator.uncertainty.multiple import benjamini_hochberg, holm, separated
from generator.uncertainty.paired import paired_mean
from generator.uncertainty.ranks import Compared, rank_sets
from generator.uncertainty.repeats import clustered_mean
from generator.uncertainty.rerun import repeatability, rerun
from generator.uncertainty.signflip import sign_flip
from generator.uncertainty.undefined import Undefined

Given = dict[str, Any]
"""Input or output of a check, by name as in the file."""


def fractions(values: list[float]) -> list[Fraction]:
    return [Fraction(value) for value in values]


def decimals(given: Given) -> list[tuple[Decimal, Decimal]]:
    return [(Decimal(str(first)), Decimal(str(second))) for first, second in given["pairs"]]


def check_sign_flip(given: Given) -> Given:
    return {"p": sign_flip(given["d"])}


def check_clustered(given: Given) -> Given:
    repeats = given["repeats"]
    runs_a = [[1] * passed + [0] * (repeats - passed) for passed in given["passes_A"]]
    runs_b = [[1] * passed + [0] * (repeats - passed) for passed in given["passes_B"]]
    mean_a, mean_b = clustered_mean(runs_a), clustered_mean(runs_b)
    naive = clustered_mean([[run] for task in runs_a for run in task])  # every run a task of its own
    d = [Fraction(a - b, repeats) for a, b in zip(given["passes_A"], given["passes_B"], strict=True)]
    paired = paired_mean(d)
    n = len(d) * repeats
    return {
        "mean_A": mean_a.point,
        "mean_B": mean_b.point,
        "se_A_tasks": mean_a.standard_error,
        "se_A_naive100": naive.standard_error * ((n - 1) / n) ** 0.5,
        "se_paired_diff": paired.standard_error,
        "ci_t": [paired.low, paired.high],
        "p_t": paired.p,
        "p_signflip": sign_flip(d),
    }


def check_macro(given: Given) -> Given:
    scores = [fractions(category) for category in given["scores"]]
    student = macro_t(scores)
    found: Given = {
        "macro": macro_mean(scores),
        "micro": mean([score for category in scores for score in category]),
        "price_bonett_ci": list(price_bonett(scores)),
    }
    if isinstance(student, Undefined):
        assert student.slug == "no_variation"
        return found | {"se": 0}
    return found | {"se": student.standard_error, "df": student.df, "ci_t": [student.low, student.high]}


def check_paired_macro(given: Given) -> Given:
    first = [fractions(category) for category in given["A"]]
    second = [fractions(category) for category in given["B"]]
    differences = [[a - b for a, b in zip(*pair, strict=True)] for pair in zip(first, second, strict=True)]
    result = macro_t(differences)
    alone = [macro_t(scores).standard_error for scores in (first, second)]
    return {
        "diff": result.point,
        "se_paired": result.standard_error,
        "df": result.df,
        "ci_t": [result.low, result.high],
        "p_t": result.p,
        "se_unpaired": sum(error**2 for error in alone) ** 0.5,
        "p_signflip_exact": sign_flip(weighted(differences)),
    }


def check_multiplicity(given: Given) -> Given:
    named = dict(enumerate(given["p"]))
    defined, missing = separated({k: Undefined("no_data") if p is None else p for k, p in named.items()})
    values = list(defined.values())
    adjusted = dict(zip(defined, holm(values), strict=True)) | dict.fromkeys(missing)
    return {"holm": [adjusted[k] for k in named], "bh": benjamini_hochberg(values)}


def check_rank_sets(given: Given) -> Given:
    rows = {str(k): fractions(row) for k, row in enumerate(given["scores_model_by_task"])}
    pairs = [(a, b) for a in rows for b in rows if a < b]
    tests = {(a, b): paired_mean([x - y for x, y in zip(rows[a], rows[b], strict=True)]) for a, b in pairs}
    adjusted = holm([tests[pair].p for pair in pairs])
    compared = {pair: Compared(tests[pair].point, p) for pair, p in zip(pairs, adjusted, strict=True)}
    sets = rank_sets(list(rows), compared, given["alpha"])
    return {
        "means": [mean(row) for row in rows.values()],
        "holm": adjusted,
        "rank_low": [sets[name].best for name in rows],
        "rank_high": [sets[name].worst for name in rows],
    }


def check_tost(given: Given) -> Given:
    differences = [Fraction(x) - Fraction(y) for x, y in zip(given["x"], given["y"], strict=True)]
    return tost_paired(differences, given["margin"])._asdict()


def check_failed_is_zero(given: Given) -> Given:
    """A failed task enters as 0; an absent one cannot enter at all."""
    import pandas as pd

    with pytest.raises(TypeError):
        macro_mean([given["scores"]])
    return {
        "correct_mean": macro_mean([[0 if score is None else score for score in given["scores"]]]),
        "pandas_default_mean": pd.Series(given["scores"], dtype=float).mean(),
    }


def check_ceiling(given: Given) -> Given:
    scores = [fractions(row) for row in given["models_by_task"]]
    columns = list(zip(*scores, strict=True))
    return {
        "share_models_above_90": share_above([mean(row) for row in scores]),
        "item_means": [mean(column) for column in columns],
        "items_all_max": sum(columns[place][0] == 100 for place in constant_tasks(scores)),
        "item_rest": [None if isinstance(r, Undefined) else r for r in item_rest(scores)],
        "cronbach_alpha": cronbach_alpha(scores),
    }


def check_rerun(given: Given) -> Given:
    results = [rerun(*pair, Decimal(given["margin"])) for pair in decimals(given)]
    noise = repeatability(decimals(given))
    return {
        "diffs": [result.difference for result in results],
        "within": [result.within for result in results],
        "within_run_sd": noise.standard_deviation,
        "repeatability_95_t_df2": noise.limit,
    }


def check_repeatability(given: Given) -> Given:
    noise = repeatability(decimals(given))
    return {"low": noise.low, "high": noise.high}


def check_rerun_decimal(given: Given) -> Given:
    """All are within the tolerance for us; the number that floats would fail is the reference value."""
    tolerance, step = Decimal(given["tolerance"]), Decimal(given["step"])
    firsts = [tolerance + step * k for k in range(int((Decimal(given["highest"]) - tolerance) / step) + 1)]
    assert all(rerun(first, first - tolerance, tolerance).within for first in firsts)
    return {"float_failures": sum(float(first) - float(first - tolerance) > float(tolerance) for first in firsts)}


CHECKS: dict[str, Callable[[Given], Given]] = {
    "paired_permutation": check_sign_flip,
    "clustered": check_clustered,
    "macro": check_macro,
    "paired_macro": check_paired_macro,
    "multiplicity": check_multiplicity,
    "rank_sets": check_rank_sets,
    "tost": check_tost,
    "failed_is_zero": check_failed_is_zero,
    "ceiling": check_ceiling,
    "rerun": check_rerun,
    "repeatability": check_repeatability,
    "rerun_decimal": check_rerun_decimal,
}
