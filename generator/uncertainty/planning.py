"""How large must a difference be, or how many tasks are needed, before a design can see it?

The figures belong beside a result that shows no difference: "with this n only differences beyond X would show".
"""

from math import isnan, sqrt
from typing import NamedTuple

from generator.uncertainty.exact import counted
from generator.uncertainty.interval import level, normal_below, normal_quantile
from generator.uncertainty.power import fisher_power, fisher_rejections
from generator.uncertainty.solve import crossing
from generator.uncertainty.student import t_quantile
from generator.uncertainty.undefined import Undefined


class Noise(NamedTuple):
    """Variances behind a paired comparison of two services, on the squared scale of the scores.

    ``tasks`` is the variance of the true difference over tasks; estimated as var(d) minus the noise within tasks it
    can come out below 0 and then counts as 0. ``within_a`` and ``within_b`` are the variances of one run of one
    task, of which ``runs_a`` and ``runs_b`` are averaged.
    """

    tasks: float
    within_a: float = 0.0
    within_b: float = 0.0
    runs_a: int = 1
    runs_b: int = 1

    @property
    def one_task(self) -> float:
        """Variance of one task's observed difference: max(0, ω²) + σ_A²/K_A + σ_B²/K_B.

        Raises:
            ValueError: a run count below 1, a negative variance within tasks, or a NaN.
        """
        if not (self.within_a >= 0 and self.within_b >= 0 and self.runs_a >= 1 and self.runs_b >= 1):
            raise ValueError(f"found {self}, expected variances of 0 or more and at least one run")
        if isnan(self.tasks):
            raise ValueError("found NaN as a variance")
        return max(0.0, self.tasks) + self.within_a / self.runs_a + self.within_b / self.runs_b


def detectable_drop(n_a: int, n_b: int, chance_a: float, power: float = 0.8, alpha: float = 0.05) -> float | Undefined:
    """Largest chance of the second group, below ``chance_a``, that Fisher's test tells from it with this power.

    The exact power falls as the second chance rises towards the first; the answer is where it crosses ``power``.
    20 v 20 from 80 %: 32.7 %, a drop of 47 points.
    """
    level(power)
    rejections = fisher_rejections(n_a, n_b, alpha)
    if fisher_power(rejections, chance_a, 0.0) < power:
        return Undefined("not_detectable", {"n": min(n_a, n_b)})
    if fisher_power(rejections, chance_a, chance_a) >= power:
        return chance_a
    return crossing(lambda chance: fisher_power(rejections, chance_a, chance) - power, 0.0, chance_a)


def detectable_paired(n: int, power: float = 0.8, alpha: float = 0.05) -> float | Undefined:
    """Smallest true mean difference, in standard deviations of the task differences, that a paired t-test finds.

    The δ with P(T > t) = power for T noncentral t with n − 1 degrees of freedom and noncentrality δ√n, t the two-sided
    critical value: 0.368 for 60 tasks, so 7.4 points where the differences have a standard deviation of 20. A
    rejection that points the wrong way does not count as finding the difference.
    """
    from scipy.special import nctdtr

    counted(n=n)
    level(power)
    if n < 2:
        return Undefined("too_few", {"n": n, "needed": 2})
    t = t_quantile(n - 1, 1 - level(alpha))
    if power <= alpha / 2:
        return 0.0

    def lacking(shift: float) -> float:
        return 1 - float(nctdtr(n - 1, shift, t)) - power

    high = 1.0
    while lacking(high) < 0:
        high *= 2
    if isnan(lacking(high)):  # scipy gives up for very small n with a very small alpha
        return Undefined("not_detectable", {"n": n})
    return crossing(lacking, 0.0, high) / sqrt(n)


def miller_n(difference: float, noise: Noise, power: float = 0.8, alpha: float = 0.05) -> float:
    """Tasks needed to see a true difference: (z_{α/2} + z_β)²·(ω² + σ_A²/K_A + σ_B²/K_B)/δ². Round up.

    Normal approximation. Source: E. Miller, "Adding Error Bars to Evals" (2024), § 5.

    Raises:
        ValueError: the difference is 0.
    """
    if not abs(difference) > 0:
        raise ValueError(f"found a difference of {difference}, expected another than 0")
    return _z_sum(power, alpha) ** 2 * noise.one_task / difference**2


def miller_detectable(n: int, noise: Noise, power: float = 0.8, alpha: float = 0.05) -> float | Undefined:
    """Smallest true difference that n tasks see, by the same approximation."""
    counted(n=n)
    if n == 0:
        return Undefined("no_data", {"n": 0})
    return _z_sum(power, alpha) * sqrt(noise.one_task / n)


def _z_sum(power: float, alpha: float) -> float:
    """z_{α/2} + z_β."""
    return normal_quantile(1 - level(alpha)) + normal_below(power)
