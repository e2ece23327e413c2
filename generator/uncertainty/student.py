"""Student's t: quantile and tails, from ``scipy.special`` (Cephes), imported when first needed."""

from generator.uncertainty.interval import level


def t_quantile(df: float, confidence: float) -> float:
    """The t such that Student's t with ``df`` degrees of freedom lies within ±t with this probability."""
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + level(confidence)) / 2))


def t_tail(df: float, value: float) -> float:
    """Probability that Student's t with ``df`` degrees of freedom exceeds ``value``."""
    from scipy.special import stdtr

    return float(stdtr(df, -value))
