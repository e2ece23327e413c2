"""The pages of the audits: in both languages, from real data, and harmless whatever a judge or a model writes."""

import re
from pathlib import Path

import msgspec
import pytest

from generator.publish.site import publish
from generator.render import render
from generator.render.content import load_content
from generator.store.read import read_results
from tests.audit import small
from tests.render import sample

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = {
    "audits": ("pemeriksaan", "audits"),
    "truncation": ("jawaban-terpotong", "truncation"),
    "grader": ("uji-penilai", "grader"),
    "answer-key": ("uji-kunci", "answer-key"),
    "vocabulary": ("kosakata", "vocabulary"),
    "translation": ("terjemahan", "translation"),
    "jury": ("nsid-v1/juri", "nsid-v1/jury"),
}
HOSTILE = "</q><script>alert(1)</script>{{ 7*7 }}\u202e<img src=x onerror=alert(1)>"


@pytest.mark.parametrize("kind", PAGES)
def test_each_page_exists_in_both_languages_with_equal_figures(kind: str, site: dict[str, bytes]) -> None:
    own, english = (site[f"{code}/{name}.html"].decode() for code, name in zip(("id", "en"), PAGES[kind], strict=True))
    figures = [re.findall(r'<data value="([^"]*)"', page) for page in (own, english)]
    assert figures[0] == figures[1]
    assert figures[0] or kind == "answer-key"


def test_no_held_out_reference_is_on_a_page_of_the_audits(site: dict[str, bytes]) -> None:
    results = read_results(ROOT / "results")
    hidden = [
        text
        for suite in results.suites.values()
        for task in suite.tasks
        if task.access == "held_out"
        for text in (task.prompt, *getattr(task, "references", ()), getattr(task, "source_text", ""))
        if len(text) > 20
    ]
    assert len(hidden) > 40
    pages = [site[f"{code}/{PAGES[kind][n]}.html"].decode() for kind in PAGES for n, code in enumerate(("id", "en"))]
    assert not [text for text in hidden for page in pages if text in page]


def test_the_untested_key_offers_its_sheet_and_invents_nothing(site: dict[str, bytes]) -> None:
    page = site["en/answer-key.html"].decode()
    assert "has not been tested blind yet" in page
    assert 'href="../duel/jawa-kunci-1.html"' in page
    assert b'id="sheet"' in site["duel/jawa-kunci-1.html"]
    for word in ("Sign test", "Ties", "Notes of the judges"):
        assert word not in page.split("<main", 1)[1]


def test_a_right_answer_that_is_refused_is_shown_as_such(site: dict[str, bytes]) -> None:
    for path, words, sentence in (
        ("en/grader.html", "refused though right", r"Refused (\d+) of \d+ right variants, and accepted 0 of"),
        ("id/uji-penilai.html", "ditolak, padahal benar", r"menolak (\d+) dari \d+ ragam yang benar dan menerima 0"),
    ):
        page = site[path].decode()
        assert re.search(rf"UUD 1945 Pasal 1 ayat \(3\)</code>.*{words}", page)
        refused = re.findall(sentence, re.sub(r"<[^>]*>|[.,](?=\d{3})", "", page))
        assert "4" in refused, path


def test_the_failed_jury_and_the_untested_key_are_told_wherever_their_figures_stand(site: dict[str, bytes]) -> None:
    totals = ("index", "nsid-v1/leaderboard", "nsid-v1/compare", "nsid-v1/category/writing", "nsid-v1/task/mns-01")
    for name in (*totals, "nsid-v1/jury", "nsid-v1/model/smollm2-135m", "rerun"):
        page = site[f"en/{name}.html"].decode()
        assert "failed its calibration" in page, name
        assert "do not measure the quality of writing" in page, name
    assert site["en/feed.xml"].decode().count("failed its calibration") == 1, "one of two suites has a jury"
    for name in ("leaderboard", "category/translation-from-javanese", "task/jwt-01"):
        assert "has not been tested blind" in site[f"en/jawa-v1/{name}.html"].decode(), name
    assert "has not been tested blind" in site["en/translation.html"].decode()


def test_both_hashes_of_independence_are_printed_and_equal(site: dict[str, bytes]) -> None:
    for page in ("id/pemeriksaan.html", "en/audits.html"):
        first, second = re.findall(r"<code>([0-9a-f]{64})</code>", site[page].decode())
        assert first == second


def test_what_people_and_models_write_is_text() -> None:
    duel = small.duel(small.PILOT, note=HOSTILE, judge="<b>juri</b>")
    words = small.VOCABULARY[0]
    spoilt = msgspec.structs.replace(words, region=HOSTILE, distractors=(HOSTILE,))
    suite = small.sample_suite()
    suite = msgspec.structs.replace(suite, tasks=tuple(spoilt if task is words else task for task in suite.tasks))
    view, _ = publish(small.results(duels={"kunci-1": duel}, suites={"contoh-v1": suite}), small.RUN)
    site = msgspec.structs.replace(sample.site(), audits=view.audits)
    files = render(site, load_content(ROOT / "content"), ROOT / "site_templates")
    for path in ("en/answer-key.html", "id/uji-kunci.html", "en/vocabulary.html", "en/grader.html"):
        page = files[path].decode()
        assert "&lt;script&gt;alert(1)" in page, path
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "{{ 7*7 }}" in page
        assert "\u202e" not in page
    assert "<b>juri</b>" not in files["en/answer-key.html"].decode()


def test_the_pilot_as_a_page() -> None:
    """11 ties, 5 and 4: every figure of the seed, in both languages, and no word of equality."""
    files = render(sample.site(), load_content(ROOT / "content"), ROOT / "site_templates")
    values = re.findall(r'<data value="([^"]*)"', files["en/answer-key.html"].decode().split("Ballots of", 1)[1])
    for expected in (
        "11",
        "4",
        "5",
        "1.0000",
        "55.0",
        "34.2",
        "74.2",
        "44.4",
        "-5.0",
        "-33.9",
        "24.9",
        "-0.223",
        "2.460",
    ):
        assert expected in values, expected
    for path, words in (("en/answer-key.html", "not evidence that the two are equal"),
                        ("id/uji-kunci.html", "bukan bukti bahwa keduanya setara")):  # fmt: skip
        assert words in files[path].decode()
