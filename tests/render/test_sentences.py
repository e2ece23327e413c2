"""No conclusion says more than its condition: designs × outcomes, in both languages."""

import itertools
import re
from fractions import Fraction

import msgspec
import pytest

from generator.publish.board_views import BoardView
from generator.records import Figure, Measured, Withheld
from generator.render import sentences
from generator.render.addresses import Addresses
from generator.render.content import Content
from generator.render.language import Language
from generator.render.sheet import Sheet
from generator.render.words import say
from tests.render import sample
from tests.render.sample_suite import measured

replace = msgspec.structs.replace
NONE = Withheld(slug="no_data", facts={"n": 0})

HIGHER = {"id": r"lebih tinggi|keunggulan", "en": r"\bhigher\b|\blead\b|\bahead\b"}
"""Words that claim an order of two services beyond the figures themselves."""
DIFFER = {"id": r"mendukung adanya perbedaan", "en": r"supports a difference"}
EQUAL = {"id": r"\bsetara\b", "en": r"\bequal\b|\bequivalent\b"}
DENIED = {"id": r"bukan bukti bahwa keduanya setara", "en": r"not evidence that the two are equal"}
FORBIDDEN = {
    "id": r"lebih (?:baik|buruk|unggul|pintar|bodoh)|menurun mutunya|memburuk|diencerkan|sama (?:baik|kuat)",
    "en": r"\bbetter\b|\bworse\b|\bdegraded?\b|\bdiluted\b|\bsmarter\b|\bdumber\b|the same quality",
}
"""Words that no sentence may use: nothing measured here decides them."""

MAY_SAY_HIGHER = {"board_leader", "pair_higher", "single_above", "study_difference"}
MAY_SAY_EQUIVALENT = {"study_equivalent"}


@pytest.mark.parametrize("code", ["id", "en"])
def test_claiming_words_stand_only_in_sentences_whose_rule_decides_them(code: str, content: Content) -> None:
    for slug, pair in content.catalogue.sentences.items():
        text = getattr(pair, code).lower()
        assert not re.search(FORBIDDEN[code], text), slug
        assert bool(re.search(HIGHER[code], text)) == (slug in MAY_SAY_HIGHER), slug
        claims_equal = bool(re.search(EQUAL[code], re.sub(DENIED[code], "", text)))
        assert claims_equal == (slug in MAY_SAY_EQUIVALENT), slug
        assert bool(re.search(DIFFER[code], text)) == (slug == "study_difference"), slug


def say_all(found: tuple[sentences.Sentence, ...], content: Content) -> dict[str, str]:
    site = sample.site()
    addresses = Addresses(site, content)
    result = {}
    for code in ("id", "en"):
        language = Language(code, content.catalogue)
        sheet = Sheet(language, addresses.get("home"), addresses)
        result[code] = " ".join(say(sheet, each, "contoh-v1").striptags() for each in found)
        assert not language.missing
    return result


def board(ps: tuple[Figure, Figure, Figure], rows: int = 3, detectable: Figure | None = None) -> BoardView:
    """The sample board with these adjusted p-values for a-b, a-c and b-c, and its first ``rows`` services ranked."""
    view = sample.board()
    ranked = {row.service.id for row in view.rows[:rows]}
    pairs = tuple(
        replace(pair, p_adjusted=p) for pair, p in zip(view.pairs, ps, strict=True) if {pair.a, pair.b} <= ranked
    )
    compared = tuple(row.service.id for row in view.rows[:rows])
    return replace(
        view, rows=view.rows[:rows], compared=compared, pairs=pairs, detectable=detectable or view.detectable
    )


P = {"apart": measured(Fraction(1, 20)), "open": measured(Fraction(51, 1000)), "withheld": NONE}


@pytest.mark.parametrize("outcome", list(itertools.product(P, repeat=3)))
@pytest.mark.parametrize("rows", [0, 1, 2, 3])
def test_a_leader_is_named_only_where_every_comparison_with_it_decides(
    outcome: tuple[str, str, str], rows: int, content: Content
) -> None:
    view = board(tuple(P[each] for each in outcome), rows)  # type: ignore[arg-type]
    found = sentences.headline(view)[0].slug
    against_first = outcome[: max(0, rows - 1)]
    expected = "board_empty" if rows == 0 else "board_single" if rows == 1 else None
    if expected is None:
        apart = [each == "apart" for each in against_first]
        expected = "board_leader" if all(apart) else "board_shared" if any(apart) else "board_flat"
    assert found == expected
    said = say_all(sentences.board(view), content)
    for code, text in said.items():
        assert bool(re.search(HIGHER[code], text)) == (expected == "board_leader")
    assert sentences.board(view)[-1].slug == "board_not_shown"


def test_a_shared_place_names_exactly_those_that_are_not_told_apart() -> None:
    view = board((P["apart"], P["open"], P["open"]))
    (first, *_) = sentences.headline(view)
    assert [each.id for each in first.slots["others"]] == ["layanan-c"]  # type: ignore[union-attr]


@pytest.mark.parametrize("p", P)
@pytest.mark.parametrize("difference", [measured(8), measured(-8), measured(0), NONE])
@pytest.mark.parametrize("detectable", [measured(12), NONE])
def test_pairs(p: str, difference: Figure, detectable: Figure, content: Content) -> None:
    view = replace(sample.board().pairs[0], difference=difference, p_adjusted=P[p])
    a, b = sample.board().rows[0].service, sample.board().rows[1].service
    found = sentences.pair(view, a, b, detectable)
    if isinstance(difference, Withheld) or p == "withheld":
        expected = "pair_withheld"
    elif p == "apart" and difference.point:
        expected = "pair_higher"
    else:
        expected = "pair_undecided" if isinstance(detectable, Measured) else "pair_open"
    assert found.slug == expected
    if expected == "pair_higher" and isinstance(difference, Measured):
        higher = a if difference.point > 0 else b
        assert found.slots["a"] == higher
        assert found.slots["points"] == abs(difference.point)
    said = say_all((found,), content)
    for code, text in said.items():
        assert bool(re.search(HIGHER[code], text)) == (expected == "pair_higher")
        assert bool(re.search(DENIED[code], text)) == (expected in {"pair_undecided", "pair_open"})


@pytest.mark.parametrize(
    ("within", "changed", "slug"),
    [
        (True, (), "rerun_within"),
        (False, (), "rerun_outside"),
        (None, (), "rerun_withheld"),
        (None, ("grader",), "rerun_changed"),
        (True, ("suite",), "rerun_changed"),
    ],
)
def test_reruns(within: bool | None, changed: tuple[str, ...], slug: str) -> None:
    pair = replace(sample.site().reruns[0].pairs[0], within=within)
    assert sentences.rerun(pair, changed).slug == slug


def test_a_profile_names_the_ends_and_says_when_there_are_none() -> None:
    view = sample.board()
    row = view.rows[1]
    found = sentences.profile(row, view.categories)
    assert (found.slug, found.slots["most"], found.slots["least"]) == ("profile", 50, 25)
    level = replace(row, categories=dict.fromkeys(row.categories, measured(5)))
    assert sentences.profile(level, view.categories).slug == "profile_level"
    missing = replace(row, categories=dict.fromkeys(row.categories, NONE))
    assert sentences.profile(missing, view.categories).slug == "profile_withheld"


@pytest.mark.parametrize("outcome", list(itertools.product(P, repeat=2)))
@pytest.mark.parametrize("sign", [1, -1])
def test_an_only_ranked_service_is_set_beside_the_others_by_their_pairs(
    outcome: tuple[str, str], sign: int, content: Content
) -> None:
    view = sample.board()
    first, *others = view.rows
    pairs = tuple(
        replace(pair, p_adjusted=P[p], difference=measured(sign * 9))
        for pair, p in zip(view.pairs[:2], outcome, strict=True)
    )
    view = replace(view, rows=(first,), unranked=tuple(others), pairs=pairs)
    found = sentences.headline(view)
    slots = {each.slug: [other.id for other in each.slots["others"]] for each in found if "others" in each.slots}  # type: ignore[union-attr]
    names = ["layanan-b", "layanan-c"]
    above = [name for name, p in zip(names, outcome, strict=True) if p == "apart" and sign > 0]
    beside = [name for name, p in zip(names, outcome, strict=True) if p != "apart"]
    assert slots.pop("single_above", []) == above
    assert [*slots.values()] == ([beside] if beside else [])
    assert set(slots) <= {"single_beside" if len(beside) == 1 else "single_beside_several"}
    text = say_all(found, content)
    assert bool(re.search(HIGHER["id"], text["id"])) == bool(above)


def test_a_board_without_ranks_still_says_what_was_measured(content: Content) -> None:
    view = replace(sample.board(), rows=(), unranked=sample.board().unranked, compared=("layanan-d",), pairs=())
    slugs = [each.slug for each in sentences.board(view)]
    assert slugs[:2] == ["board_empty", "board_highest_unranked"]
    assert say_all(sentences.board(view), content)


def test_tasks_that_separate_nobody_are_counted_among_those_with_scores_to_show() -> None:
    view = sample.board()
    assert sentences.flat_tasks(view).slots == {"flat": 1, "tasks": len(view.discrimination)}
    assert sentences.flat_tasks(replace(view, flat=0)).slug == "tasks_all_separate"
    assert sentences.flat_tasks(replace(view, flat=0, discrimination=())).slug == "tasks_alone"
