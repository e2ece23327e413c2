"""The rhyme of a pantun: four lines, a-b-a-b. Serves the checks.

The rhyme of a line is its last vowel with the consonants after it. The diphthongs ai, au, oi count as one vowel
where they end the line (pantai, kerbau, amboi); before a consonant they are two vowels (la-in, da-un), so the last
one counts. The digraphs ng, ny, sy, kh count whole: "tang" does not rhyme with "tan". Marks on vowels (é) do not
change a rhyme.
"""

import re
import unicodedata
from dataclasses import dataclass

from generator.score import counting

_LETTERS = re.compile(r"[a-z]+")
_VOWELS = frozenset("aeiou")
_DIPHTHONGS = ("ai", "au", "oi")


@dataclass(frozen=True)
class Scheme:
    """The rhymes of a poem, line by line.

    Attributes:
        rhymes: one key a line, such as ``ang``; empty for a line without a vowel.
    """

    rhymes: tuple[str, ...]

    @property
    def is_pantun(self) -> bool:
        """Four lines, the first rhyming with the third, the second with the fourth, the two rhymes different."""
        if len(self.rhymes) != 4 or not all(self.rhymes):
            return False
        first, second, third, fourth = self.rhymes
        return first == third and second == fourth and first != second


def scheme(text: str) -> Scheme:
    """The rhyme scheme of the lines of ``text`` that are not blank."""
    return Scheme(tuple(map(rhyme, counting.lines(text))))


def rhyme(line: str) -> str:
    """The rhyme key of a line, ``""`` where no word in it has a vowel. Punctuation and digits are passed over."""
    decomposed = unicodedata.normalize("NFD", line.casefold())
    base = "".join(character for character in decomposed if not unicodedata.combining(character))
    words: list[str] = _LETTERS.findall(base)
    for word in reversed(words):
        if word.endswith(_DIPHTHONGS):
            return word[-2:]
        last = max((at for at, letter in enumerate(word) if letter in _VOWELS), default=None)
        if last is not None:
            return word[last:]
    return ""
