"""Every reference value in ``tests/cases/oracles.json`` against our functions, within the stated tolerance.

The values come from other implementations (R, mpmath, exact rationals, scipy, statsmodels) and from published
figures. To add one, append it to the file under a topic that is known here.
"""

import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import exp
from pathlib import Path
from typing import Any

import pytest

from generator.uncertainty.davidson import Bout, davidson
from generator.uncertainty.duel import duel
from generator.uncertainty.equivalence import equivalent_rates, smallest_equivalence_n, tost_paired
from generator.uncertainty.exact import mean
from generator.uncertainty.fisher import fisher_exact, odds_ratio
from generator.uncertainty.items import constant_tasks, cronbach_alpha, item_rest, share_above
from generator.uncertainty.judges import agreement, gwet_ac2, ordinal_alpha, quadratic_kappa
from generator.uncertainty.largesample import cochran_mantel_haenszel, homogeneity
from generator.uncertainty.macro import macro_mean, macro_t, price_bonett, weighted
from generator.uncertainty.multiple import benjamini_hochberg, holm, separated
from generator.uncertainty.paired import mcnemar_exact, paired_mean, sign_test
from generator.uncertainty.planning import Noise, detectable_drop, detectable_paired, miller_detectable, miller_n
from generator.uncertainty.power import (
    at_least_once,
    fisher_power,
    fisher_rejections,
    mcnemar_power,
    sign_test_power,
    smallest_winning_split,
)
from generator.uncertainty.proportion import newcombe_difference, wilson
from generator.uncertainty.quantile import median_ranks
from generator.uncertainty.ranks import Compared, rank_sets
from generator.uncertainty.repeats import clustered_mean
from generator.uncertainty.rerun import repeatability, rerun
from generator.uncertainty.sequential import beta_mixture_log_e, confidence_sequence, e_process_2x2
from generator.uncertainty.severity import Rating, additive_severity
from generator.uncertainty.signflip import sign_flip
from generator.uncertainty.stratified import exact_conditional, mantel_haenszel, zelen
from generator.uncertainty.tables import Table, conditional_weights
from generator.uncertainty.undefined import Undefined

CASES = json.loads((Path(__file__).parent.parent / "cases" / "oracles.json").read_text("utf-8"))["oracles"]
Given = dict[str, Any]


def table(rows: list[list[int]]) -> Table:
    return Table(*rows[0], *rows[1])


def tables(given: Given) -> list[Table]:
    return [table(rows) for rows in given["blocks"]]


def fractions(values: list[float]) -> list[Fraction]:
    return [Fraction(value) for value in values]


def interval(result: Any) -> Given:
    return {"error": "no data"} if isinstance(result, Undefined) else {"lower": result.low, "upper": result.high}


def check_wilson(given: Given) -> Given:
    return interval(wilson(given["x"], given["n"]))


def check_newcombe(given: Given) -> Given:
    x1, n1, x2, n2 = (given[key] for key in ("x1", "n1", "x2", "n2"))
    result = newcombe_difference(Table(x1, n1 - x1, x2, n2 - x2))
    return {"diff": result.point, **interval(result)}


def check_fisher(given: Given) -> Given:
    return {"p": fisher_exact(table(given["table"]))}


def check_fisher_midp(given: Given) -> Given:
    """Not printed anywhere: shows that our weights are right, and that our p is not the mid-p."""
    weights = conditional_weights(table(given["table"]))
    bar = weights.ways[given["table"][0][0] - weights.low]
    below = sum(way for way in weights.ways if way < bar)
    return {"p": Fraction(2 * below + weights.ways.count(bar) * bar, 2 * sum(weights.ways))}


def check_odds_ratio(given: Given) -> Given:
    result = odds_ratio([table(given["table"])])
    return {
        "sample_or": mantel_haenszel([table(given["table"])]),
        "conditional_mle": result.point,
        "ci95": [result.low, result.high],
    }


def check_cmh(given: Given) -> Given:
    plain = cochran_mantel_haenszel(tables(given), continuity=False)
    corrected = cochran_mantel_haenszel(tables(given), continuity=True)
    return {
        "chi2": plain.statistic,
        "p": plain.p,
        "chi2_cc": corrected.statistic,
        "p_cc": corrected.p,
        "mh_or": mantel_haenszel(tables(given)),
    }


def check_cmh_exact(given: Given) -> Given:
    return {"p_two_sided": exact_conditional(tables(given))}


def check_zelen(given: Given) -> Given:
    return {"p": zelen(tables(given))}


def check_homogeneity(given: Given) -> Given:
    plain, tarone = homogeneity(tables(given))
    return {"bd": plain.statistic, "p_bd": plain.p, "tarone": tarone.statistic, "p_tarone": tarone.p, "df": plain.df}


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


def check_mcnemar(given: Given) -> Given:
    return {"p": mcnemar_exact(given["b"], given["c"])}


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


def check_equivalence(given: Given) -> Given:
    x1, n1, x2, n2 = (given[key] for key in ("x1", "n1", "x2", "n2"))
    alpha = (1 - given["ci"]) / 2
    result = equivalent_rates(Table(x1, n1 - x1, x2, n2 - x2), Fraction(str(given["margin"])), alpha)
    return {
        "upper": result.high,
        "equivalent": result.equivalent,
        "min_n_both_perfect_10pt": smallest_equivalence_n(Fraction(1, 10), alpha),
        "min_n_both_perfect_3pt": smallest_equivalence_n(Fraction(3, 100), alpha),
    }


def check_sign(given: Given) -> Given:
    return {"p": sign_test(given["wins"], given["losses"])}


def check_duel(given: Given) -> Given:
    wins, losses = given["wins"], given["losses"]
    result = duel(wins, losses, given["ties"])
    winning = smallest_winning_split(wins + losses)
    return {
        "p_sign": result.p,
        "tie_rate": result.tie_rate.point,
        "tie_ci": list(result.tie_rate.interval),
        "win_share_decisive": result.decisive.point,
        "win_share_ci_wilson": list(result.decisive.interval),
        "net_preference": result.net_preference.point,
        "net_ci_tango": list(result.net_preference.interval),
        "davidson_log_ratio": result.strength.log_ratio,
        "davidson_se": result.strength.standard_error,
        "davidson_nu": result.strength.nu,
        "p_split_5_4_or_4_5": 1 - sign_test(wins + 1, losses - 1),
        "power_if_true_70_30": sign_test_power(wins + losses, 0.7),
        "min_winning_split_of_9": [winning, wins + losses - winning],
    }


def check_davidson(given: Given) -> Given:
    wins, ties = given["wins"], given["ties"]
    size = range(len(wins))
    result = davidson([Bout(str(i), str(j), wins[i][j], wins[j][i], ties[i][j]) for i in size for j in size if i < j])
    return {
        "log_strength": list(result.log_strength.values()),
        "log_nu": result.log_nu,
        "nll": result.negative_log_likelihood,
    }


def check_fisher_power(given: Given) -> Given:
    rejections = fisher_rejections(given["n"], given["n"], given["alpha"])
    grid = given["size_grid"]
    return {
        "power_exact_fisher": fisher_power(rejections, given["p1"], given["p2"]),
        "max_size": max(fisher_power(rejections, k / grid, k / grid) for k in range(grid + 1)),
    }


def check_fisher_power_sizes(given: Given) -> Given:
    return {"power": [fisher_power(fisher_rejections(n, n), given["p1"], given["p2"]) for n in given["n"]]}


def check_detectable_drop(given: Given) -> Given:
    n, power = given["n"], given["power"]
    return {
        f"p1_{round(100 * chance):03}_detect_p2": detectable_drop(n, n, chance, power, given["alpha"])
        for chance in (0.8, 0.9, 0.95, 0.5)
    }


def check_detectable_paired(given: Given) -> Given:
    return {"in_standard_deviations": detectable_paired(given["n"])}


def check_miller(given: Given) -> Given:
    omega, sigma = float(Fraction(given["omega2"])), float(Fraction(given["sigma2_each"]))
    levels = {"power": given["power"], "alpha": given["alpha"]}
    return {
        "n_for_3pt_omega2_1_9": miller_n(given["difference"], Noise(omega), **levels),
        "mde_n198_K1": miller_detectable(given["n"], Noise(omega, sigma, sigma), **levels),
        "mde_n198_K10": miller_detectable(given["n"], Noise(omega, sigma, sigma, 10, 10), **levels),
    }


def check_mcnemar_power(given: Given) -> Given:
    n = given["n"]
    return {"p10_15_p01_05": mcnemar_power(n, 0.15, 0.05), "p10_20_p01_05": mcnemar_power(n, 0.20, 0.05)}


def check_decisive_pairs(given: Given) -> Given:
    enough = [sign_test_power(n, given["share"]) >= given["power"] for n in range(1, 200)]
    return {"decisive_pairs": max(n for n, reached in enumerate(enough, start=1) if not reached) + 1}


def check_at_least_once(given: Given) -> Given:
    return {name: at_least_once(chance, n) for name, (chance, n) in given.items()}


def check_beta_mixture(given: Given) -> Given:
    log_e = beta_mixture_log_e(given["successes"], given["failures"], given["p0"], given["prior"][0])
    return {"e_value": exp(log_e), "p_always_valid": min(1, exp(-log_e))}


def check_confidence_sequence(given: Given) -> Given:
    prior, confidence = given["prior"][0], given["conf"]
    counts = {
        key: [int(part) for part in key.split("/")] for key in ("16/20", "8/20", "20/20", "0/20", "5/9", "80/100")
    }
    return {key: list(confidence_sequence(x, n - x, confidence, prior)) for key, (x, n) in counts.items()}


def check_e_process(given: Given) -> Given:
    n_a, n_b = given["per_block"]
    result = e_process_2x2([Table(a, n_a - a, b, n_b - b) for a, b in given["blocks_A_B"]])
    return {"e": list(result.values), "p_always_valid": result.p}


def decimals(given: Given) -> list[tuple[Decimal, Decimal]]:
    return [(Decimal(str(first)), Decimal(str(second))) for first, second in given["pairs"]]


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


def check_ordinal_alpha(given: Given) -> Given:
    units = zip(*given["raters_by_unit"], strict=True)
    return {"ordinal": ordinal_alpha([[score for score in unit if score is not None] for unit in units])}


def check_two_judges(given: Given) -> Given:
    pairs = list(zip(given["J1"], given["J2"], strict=True))
    plain = agreement(pairs)
    return {
        "exact_agreement": plain.exact,
        "within_1": plain.within_one,
        "mean_diff": plain.mean_difference,
        "qwk": quadratic_kappa(pairs),
        "alpha_ordinal": ordinal_alpha(pairs),
        "ac2_quadratic": gwet_ac2(pairs, given["categories"]),
    }


def check_severity(given: Given) -> Given:
    ratings = [Rating(answer, str(judge), score) for answer, judge, score in given["rows"]]
    result = additive_severity(ratings)
    effects = [result.effects[str(judge)] for judge in range(4)]
    of = {name: {r.answer: r.score for r in ratings if r.judge == name} for name in result.effects}

    def gap(first: str, second: str) -> Fraction:
        return mean([of[first][key] - of[second][key] for key in of[first] if key in of[second]])

    assert sum(effects) == 0
    return {
        "effects": effects,
        "se": [result.standard_error[str(judge)] for judge in range(3)],
        "residual_df": result.residual_df,
        "sigma2": result.residual_variance,
        "raw_paired_G_minus_P": gap("0", "1"),
        "raw_paired_G_minus_C": gap("0", "2"),
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


def check_failure_rates(given: Given) -> Given:
    prepared, completed, passed = given["prepared"], given["completed"], given["passed"]
    return {
        "first_submission_rate": Fraction(passed, prepared),
        "completed_rate": Fraction(passed, completed),
        "first_ci": list(wilson(passed, prepared)),
        "completed_ci": list(wilson(passed, completed)),
    }


def check_failed_is_zero(given: Given) -> Given:
    """A failed task enters as 0; an absent one cannot enter at all."""
    import pandas as pd

    with pytest.raises(TypeError):
        macro_mean([given["scores"]])
    return {
        "correct_mean": macro_mean([[0 if score is None else score for score in given["scores"]]]),
        "pandas_default_mean": pd.Series(given["scores"], dtype=float).mean(),
    }


def check_median_ranks(given: Given) -> Given:
    ranks, coverage = median_ranks(given["n"])
    return {"order_stats": list(ranks), "coverage": coverage, "p_max_covers_p95": at_least_once(0.05, given["n"])}


def check_accept_rate(given: Given) -> Given:
    accepted, variants = given["accepted"], given["variants"]
    return {"accept_rate": Fraction(accepted, variants), "ci": list(wilson(accepted, variants))}


def check_not_clopper_pearson(given: Given) -> Given:
    """Not printed anywhere: our interval says Wilson and must not be this one; scipy gives the reference."""
    from scipy.stats import binomtest

    exact = binomtest(given["x"], given["n"]).proportion_ci(method="exact")
    ours = wilson(given["x"], given["n"])
    assert ours.high - ours.low < exact.high - exact.low - 0.005
    return {"lower": exact.low, "upper": exact.high}


def check_translation(given: Given) -> Given:
    """Guards the printed metrics against a new sacrebleu that counts differently."""
    import sacrebleu

    hypotheses, references = given["sys"], given["refs"]

    def bleu(**options: Any) -> float:
        return sacrebleu.corpus_bleu(hypotheses, references, **options).score

    return {
        "bleu": bleu(),
        "bleu_13a": bleu(tokenize="13a"),
        "bleu_intl": bleu(tokenize="intl"),
        "bleu_lc": bleu(lowercase=True),
        "chrf2": sacrebleu.corpus_chrf(hypotheses, references).score,
        "chrfpp": sacrebleu.corpus_chrf(hypotheses, references, word_order=2).score,
        "ter": sacrebleu.corpus_ter(hypotheses, references).score,
    }


CHECKS: dict[str, Callable[[Given], Given]] = {
    "wilson": check_wilson,
    "exact_ci": check_not_clopper_pearson,
    "newcombe_diff": check_newcombe,
    "fisher": check_fisher,
    "fisher_midp": check_fisher_midp,
    "odds_ratio": check_odds_ratio,
    "cmh": check_cmh,
    "cmh_exact": check_cmh_exact,
    "homogeneity_exact": check_zelen,
    "homogeneity": check_homogeneity,
    "paired_permutation": check_sign_flip,
    "clustered": check_clustered,
    "mcnemar": check_mcnemar,
    "macro": check_macro,
    "paired_macro": check_paired_macro,
    "multiplicity": check_multiplicity,
    "rank_sets": check_rank_sets,
    "tost": check_tost,
    "tost_binary": check_equivalence,
    "sign_test": check_sign,
    "duel": check_duel,
    "davidson": check_davidson,
    "fisher_power": check_fisher_power,
    "fisher_power_sizes": check_fisher_power_sizes,
    "detectable_drop": check_detectable_drop,
    "detectable_paired": check_detectable_paired,
    "miller": check_miller,
    "mcnemar_power": check_mcnemar_power,
    "decisive_pairs": check_decisive_pairs,
    "at_least_once": check_at_least_once,
    "beta_mixture": check_beta_mixture,
    "confidence_sequence": check_confidence_sequence,
    "e_process": check_e_process,
    "rerun": check_rerun,
    "repeatability": check_repeatability,
    "rerun_decimal": check_rerun_decimal,
    "ordinal_alpha": check_ordinal_alpha,
    "two_judges": check_two_judges,
    "judge_severity": check_severity,
    "ceiling": check_ceiling,
    "failure_rates": check_failure_rates,
    "failed_is_zero": check_failed_is_zero,
    "median_ranks": check_median_ranks,
    "accept_rate": check_accept_rate,
    "mt_metrics": check_translation,
}


def assert_close(found: Any, expected: Any, tolerance: float, where: str) -> None:
    """Numbers within the tolerance, lists element by element, everything else equal."""
    if isinstance(expected, list):
        assert len(found) == len(expected), where
        for k, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert_close(one, other, tolerance, f"{where}[{k}]")
    elif isinstance(expected, bool | str | None):
        assert found == expected, where
    else:
        assert abs(float(found) - expected) <= tolerance, f"{where}: found {float(found)!r}, expected {expected!r}"


@pytest.mark.parametrize("case", [c for c in CASES if "elsewhere" not in c], ids=lambda case: case["id"])
def test_oracle(case: Given) -> None:
    found = CHECKS[case["topic"]](case["input"])
    unchecked = case.get("unchecked", {})
    assert set(case["expect"]) <= set(found) | set(unchecked), "an expected value is neither computed nor explained"
    assert not set(unchecked) & set(found), "a value is computed and yet said to be unchecked"
    for name, expected in case["expect"].items():
        if name not in unchecked:
            assert_close(found[name], expected, case["tol"], f"{case['id']}.{name}")


@pytest.mark.parametrize("case", [c for c in CASES if "exact" in c], ids=lambda case: case["id"])
def test_exact_value_is_the_fraction(case: Given) -> None:
    """Where the reference is a fraction, ours is that fraction and not merely near it."""
    found = CHECKS[case["topic"]](case["input"])
    exact = {Fraction(text) for text in case["exact"].split("; ")}
    ours = {value for value in found.values() if isinstance(value, Fraction)}
    unchecked_fractions = len(case.get("unchecked", {}))
    assert len(exact - ours) <= unchecked_fractions and exact & ours


def test_every_entry_is_exercised_or_explained() -> None:
    ids = [case["id"] for case in CASES]
    assert len(ids) == len(set(ids))
    unknown = [case["id"] for case in CASES if case["topic"] not in CHECKS and not case.get("elsewhere")]
    assert not unknown
    assert all(len(case["elsewhere"]) > 20 for case in CASES if "elsewhere" in case)


def test_every_check_has_an_entry() -> None:
    assert set(CHECKS) == {case["topic"] for case in CASES if "elsewhere" not in case}
