"""Large-sample twins of the exact block tests: what a reader with a statistics package will get.

All use χ². With five calls a side in a block the exact tests of ``stratified`` are the ones to believe.
"""

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

from generator.uncertainty.stratified import mantel_haenszel
from generator.uncertainty.tables import Table
from generator.uncertainty.undefined import Undefined


class ChiSquare(NamedTuple):
    """A statistic with its degrees of freedom and upper-tail probability."""

    statistic: float
    df: int
    p: float


class Homogeneity(NamedTuple):
    """Do the blocks share one odds ratio? Without and with Tarone's correction."""

    breslow_day: ChiSquare
    tarone: ChiSquare


def cochran_mantel_haenszel(blocks: Sequence[Table], *, continuity: bool) -> ChiSquare | Undefined:
    """χ² of equal odds within blocks, one degree of freedom.

    (|Σ(a − E)| − c)² / ΣV with E = n_a·m/n, V = n_a·n_b·m·(n − m) / (n²(n − 1)) and c = ½ with, 0 without the
    continuity correction (never more than |Σ(a − E)|). R corrects unless told otherwise, statsmodels does not.

    Source: Cochran, Biometrics 10 (1954) 417; Mantel & Haenszel, JNCI 22 (1959) 719.
    """
    speaking = [table for table in blocks if table.informative]
    if not speaking:
        return Undefined("no_information", {"blocks": len(blocks)})
    excess = abs(sum((t.passed_a - Fraction(t.n_a * t.passed, t.n) for t in speaking), Fraction(0)))
    spread = sum(
        (Fraction(t.n_a * t.n_b * t.passed * (t.n - t.passed), t.n**2 * (t.n - 1)) for t in speaking),
        Fraction(0),
    )
    corrected = max(Fraction(0), excess - Fraction(1, 2)) if continuity else excess
    return _chi_square(corrected**2 / spread, 1)


def homogeneity(blocks: Sequence[Table]) -> Homogeneity | Undefined:
    """Breslow–Day χ² of one common odds ratio, and Tarone's corrected version.

    Σ(a − A)²/V, where A is the expected count under the Mantel–Haenszel ratio given the block's margins and
    V = 1/(1/A + 1/(m−A) + 1/(n_a−A) + 1/(n_b−m+A)); Tarone subtracts (Σ(a − A))²/ΣV. Blocks in which all passed or
    all failed cannot speak: they are left out and the degrees of freedom count those that remain, minus one.

    Source: Breslow & Day (1980) § 4.4; Tarone, Biometrika 72 (1985) 91.
    """
    speaking = [table for table in blocks if table.informative]
    if len(speaking) < 2:
        return Undefined("one_block", {"blocks": len(speaking)})
    ratio = mantel_haenszel(speaking)
    if isinstance(ratio, Undefined):
        return ratio
    if ratio == 0:
        return Undefined("unbounded", {"blocks": len(speaking)})
    with localcontext() as context:
        context.prec = 60  # the quadratic below cancels badly in floats when the ratio is near 1 or very large
        cells = [_expected(table, ratio) for table in speaking]
        gaps = [table.passed_a - cell for table, cell in zip(speaking, cells, strict=True)]
        spreads = [_spread(table, cell) for table, cell in zip(speaking, cells, strict=True)]
        plain = sum((gap * gap / spread for gap, spread in zip(gaps, spreads, strict=True)), Decimal(0))
        tarone = plain - sum(gaps, Decimal(0)) ** 2 / sum(spreads, Decimal(0))
        statistics = Fraction(plain), max(Fraction(0), Fraction(tarone))
    df = len(speaking) - 1
    return Homogeneity(_chi_square(statistics[0], df), _chi_square(statistics[1], df))


def _expected(table: Table, ratio: Fraction) -> Decimal:
    """The count A of passes in the first group for which A(n_b − m + A) = ratio·(n_a − A)(m − A)."""
    psi = Decimal(ratio.numerator) / Decimal(ratio.denominator)
    b = table.n_b - table.passed + psi * (table.n_a + table.passed)
    product = psi * table.n_a * table.passed
    return 2 * product / (b + (b * b + 4 * (1 - psi) * product).sqrt())


def _spread(table: Table, cell: Decimal) -> Decimal:
    """Asymptotic variance of the count, given the expected cell."""
    others = (table.passed - cell, table.n_a - cell, table.n_b - table.passed + cell)
    return 1 / sum((1 / other for other in others), 1 / cell)


def _chi_square(statistic: Fraction, df: int) -> ChiSquare:
    """The statistic with its upper tail."""
    from scipy.special import chdtrc

    return ChiSquare(float(statistic), df, float(chdtrc(df, float(statistic))))
