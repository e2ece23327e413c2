"""What our functions give for the reference cases about designs."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from generator.uncertainty.planning import Noise, detectable_drop, detectable_paired, miller_detectable, miller_n
from generator.uncertainty.power import at_least_once, fisher_power, fisher_rejections, mcnemar_power, sign_test_power
from generator.uncertainty.quantile import median_ranks

Given = dict[str, Any]
"""Input or output of a check, by name as in the file."""


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


def check_median_ranks(given: Given) -> Given:
    ranks, coverage = median_ranks(given["n"])
    return {"order_stats": list(ranks), "coverage": coverage, "p_max_covers_p95": at_least_once(0.05, given["n"])}


CHECKS: dict[str, Callable[[Given], Given]] = {
    "fisher_power": check_fisher_power,
    "fisher_power_sizes": check_fisher_power_sizes,
    "detectable_drop": check_detectable_drop,
    "detectable_paired": check_detectable_paired,
    "miller": check_miller,
    "mcnemar_power": check_mcnemar_power,
    "decisive_pairs": check_decisive_pairs,
    "at_least_once": check_at_least_once,
    "median_ranks": check_median_ranks,
}
