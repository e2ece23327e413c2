"""What our functions give for the reference cases about judges, and sacrebleu for those about translation."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from generator.uncertainty.exact import mean
from generator.uncertainty.judges import agreement, gwet_ac2, ordinal_alpha, quadratic_kappa
from generator.uncertainty.severity import Rating, additive_severity

Given = dict[str, Any]
"""Input or output of a check, by name as in the file."""


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
    "ordinal_alpha": check_ordinal_alpha,
    "two_judges": check_two_judges,
    "judge_severity": check_severity,
    "mt_metrics": check_translation,
}
