"""What our functions give for the reference cases made of counts."""

from collections.abc import Callable
from fractions import Fraction
from math import exp
from typing import Any

from generator.uncertainty.davidson import Bout, davidson
from generator.uncertainty.duel import duel
from generator.uncertainty.equivalence import equivalent_rates, smallest_equivalence_n
from generator.uncertainty.fisher import fisher_exact, odds_ratio
from generator.uncertainty.largesample import cochran_mantel_haenszel, homogeneity
from generator.uncertainty.paired import mcnemar_exact, sign_test
from generator.uncertainty.power import sign_test_power, smallest_winning_split
from generator.uncertainty.proportion import newcombe_difference, wilson
from generator.uncertainty.sequential import beta_mixture_log_e, confidence_sequence, e_process_2x2
from generator.uncertainty.stratified import exact_conditional, mantel_haenszel, zelen
from generator.uncertainty.tables import Table, conditional_weights
from generator.uncertainty.undefined import Undefined

Given = dict[str, Any]
"""Input or output of a check, by name as in the file."""


def table(rows: list[list[int]]) -> Table:
    return Table(*rows[0], *rows[1])


def tables(given: Given) -> list[Table]:
    return [table(rows) for rows in given["blocks"]]


def interval(result: Any) -> Given:
    return {"error": "no data"} if isinstance(result, Undefined) else {"lower": result.low, "upper": result.high}


def check_wilson(given: Given) -> Given:
    return interval(wilson(given["x"], given["n"]))


def check_not_clopper_pearson(given: Given) -> Given:
    """Not printed anywhere: our interval says Wilson and must not be this one; scipy gives the reference."""
    from scipy.stats import binomtest

    exact = binomtest(given["x"], given["n"]).proportion_ci(method="exact")
    ours = wilson(given["x"], given["n"])
    assert ours.high - ours.low < exact.high - exact.low - 0.005
    return {"lower": exact.low, "upper": exact.high}


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


def check_mcnemar(given: Given) -> Given:
    return {"p": mcnemar_exact(given["b"], given["c"])}


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


def check_failure_rates(given: Given) -> Given:
    prepared, completed, passed = given["prepared"], given["completed"], given["passed"]
    return {
        "first_submission_rate": Fraction(passed, prepared),
        "completed_rate": Fraction(passed, completed),
        "first_ci": list(wilson(passed, prepared)),
        "completed_ci": list(wilson(passed, completed)),
    }


def check_accept_rate(given: Given) -> Given:
    accepted, variants = given["accepted"], given["variants"]
    return {"accept_rate": Fraction(accepted, variants), "ci": list(wilson(accepted, variants))}


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
    "mcnemar": check_mcnemar,
    "sign_test": check_sign,
    "duel": check_duel,
    "davidson": check_davidson,
    "tost_binary": check_equivalence,
    "failure_rates": check_failure_rates,
    "accept_rate": check_accept_rate,
    "beta_mixture": check_beta_mixture,
    "confidence_sequence": check_confidence_sequence,
    "e_process": check_e_process,
}
