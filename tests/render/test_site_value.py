"""The rendered sample as a whole: same bytes twice, verified from outside, light, in both languages."""

import base64
import gzip
import hashlib
import json
import re
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from lxml import html

from generator.findings import Faults
from generator.records import Price, Source, SourceCheck
from generator.render import render
from generator.render.content import Content
from generator.verify import check_site, open_site
from tests.render import sample

KB = 1000


def pages(site: dict[str, bytes]) -> list[str]:
    return [path for path in site if path.endswith(".html")]


def test_same_input_same_bytes(sample_site: dict[str, bytes], content: Content, templates: Path) -> None:
    assert render(sample.site(), content, templates) == sample_site


def test_links_twins_figures_and_hashes_hold(sample_site: dict[str, bytes]) -> None:
    assert check_site(open_site(sample_site)) == []


def test_a_known_address_makes_absolute_alternates_and_a_sitemap(content: Content, templates: Path) -> None:
    site = msgspec.structs.replace(
        content.site, base_url="https://example.org/rapor/", source_url="https://example.org/source"
    )
    files = render(sample.site(), msgspec.structs.replace(content, site=site), templates)
    assert check_site(open_site(files)) == []
    home = html.document_fromstring(files["id/index.html"])
    links = {link.get("hreflang"): link.get("href") for link in home.findall(".//link[@hreflang]")}
    assert links == {
        "id": "https://example.org/rapor/id/index.html",
        "en": "https://example.org/rapor/en/index.html",
        "x-default": "https://example.org/rapor/id/index.html",
    }
    listed = re.findall(r"<loc>https://example\.org/rapor/([^<]+)</loc>", files["sitemap.xml"].decode())
    roots = {"index.html", "404.html"}
    assert sorted(listed) == sorted(path for path in pages(files) if path not in roots)
    assert b'href="/rapor/assets/rapor.css"' in files["404.html"]
    assert b"https://example.org/source" in files["id/index.html"]


def test_an_unknown_address_is_not_invented(sample_site: dict[str, bytes]) -> None:
    assert "sitemap.xml" not in sample_site
    for path in pages(sample_site):
        assert b"canonical" not in sample_site[path]
    assert b'href="assets/rapor.css"' in sample_site["404.html"]


NAMES = re.compile(r"contoh-v1|nsid-v1-auto-[\d.]+|CC-BY-4\.0|[a-z]{3}-\d\d|contoh-\d|n = ")
"""What stands in a cell as a name and has a digit in it."""


def test_every_number_of_a_table_is_a_value(sample_site: dict[str, bytes], content: Content) -> None:
    """Outside prose, every digit in a cell is inside a data or time, or part of a name."""
    prose = {f"{code}/{getattr(page.path, code)}.html" for page in content.pages.values() for code in ("id", "en")}
    for path in set(pages(sample_site)) - prose:
        for cell in html.document_fromstring(sample_site[path]).iterfind(".//td"):
            for element in cell.xpath(".//data | .//time | .//code | .//a"):
                tail = element.tail
                element.clear()
                element.tail = tail
            text = NAMES.sub("", cell.text_content())
            assert not re.search(r"\d", text), (path, text)


def test_every_page_has_one_first_heading_and_says_where_it_is(sample_site: dict[str, bytes]) -> None:
    for path in pages(sample_site):
        page = html.document_fromstring(sample_site[path])
        assert len(page.findall(".//h1")) == 1, path
        levels = [int(heading.tag[1]) for heading in page.xpath("//h1|//h2|//h3|//h4")]
        assert all(after <= before + 1 for before, after in pairwise(levels)), (path, levels)
        assert page.find(".//title").text.strip()
        assert len(page.findall(".//nav/ul/li/a[@aria-current]")) <= 1
        assert len(page.findall(".//header//nav//li")) <= 6


def test_a_page_has_no_inline_style_and_one_script_named_by_its_hash(sample_site: dict[str, bytes]) -> None:
    for path in pages(sample_site):
        page = html.document_fromstring(sample_site[path])
        assert not page.xpath("//@style | //style | //@*[starts-with(name(), 'on')]"), path
        scripts = page.findall(".//script")
        assert all(script.get("integrity") for script in scripts if script.get("src"))
        (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
        for script in scripts:
            if not script.get("src") and script.get("type") != "application/ld+json":
                digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
                assert f"'sha256-{digest}'" in policy, path
                assert "unsafe" not in policy


def test_a_page_is_light(sample_site: dict[str, bytes]) -> None:
    def sent(path: str) -> int:
        shared = ("assets/rapor.css", "assets/rapor.js", "assets/favicon.svg")
        return sum(len(gzip.compress(sample_site[each], mtime=0)) for each in (path, *shared))

    assert sent("id/index.html") <= 60 * KB
    script = re.compile(rb"(?s)<script>.*?</script>")
    inside = {each for path in pages(sample_site) for each in script.findall(sample_site[path])}
    scripts = {*inside, *(data for path, data in sample_site.items() if path.endswith(".js"))}
    assert len(scripts) > 1
    assert sum(len(gzip.compress(each, mtime=0)) for each in scripts) <= 12 * KB


def test_the_dataset_is_described(sample_site: dict[str, bytes]) -> None:
    for code in ("id", "en"):
        page = html.document_fromstring(sample_site[f"{code}/{'unduhan' if code == 'id' else 'downloads'}.html"])
        described = json.loads(page.xpath("//script[@type='application/ld+json']")[0].text)
        assert described["@type"] == "Dataset"
        for file in described["distribution"]:
            assert file["contentUrl"].removeprefix("../") in sample_site


def test_feeds_name_pages_that_exist(sample_site: dict[str, bytes]) -> None:
    for code in ("id", "en"):
        feed = sample_site[f"{code}/feed.xml"].decode()
        links = re.findall(r'<link[^>]*href="([^"]+)"', feed)
        assert all(f"{code}/{link}" in sample_site for link in links)
        assert feed.count("<entry>") == len(sample.site().boards)


def test_an_untranslated_string_stops_the_render_and_names_its_template(content: Content, templates: Path) -> None:
    messages = {k: v for k, v in content.catalogue.messages.items() if k not in {"Leaderboard", "Adjusted p"}}
    broken = msgspec.structs.replace(content, catalogue=msgspec.structs.replace(content.catalogue, messages=messages))
    with pytest.raises(Faults, match=r"site_templates/\S+\.html:\d+: untranslated: found Adjusted p"):
        render(sample.site(), broken, templates)


def test_a_missing_sentence_and_a_missing_word_are_named_together(content: Content, templates: Path) -> None:
    catalogue = content.catalogue
    words = {code: {**groups, "method": {}} for code, groups in catalogue.words.items()}
    sentences = {slug: text for slug, text in catalogue.sentences.items() if slug != "board_leader"}
    broken = msgspec.structs.replace(catalogue, words=words, sentences=sentences)
    with pytest.raises(Faults) as caught:
        render(sample.site(), msgspec.structs.replace(content, catalogue=broken), templates)
    assert {"no [board_leader]", "no method.macro_mean"} <= {finding.found for finding in caught.value.findings}


def test_a_leaderboard_of_twenty_is_light(content: Content, templates: Path) -> None:
    """Twenty services on the sample's tasks: 190 pairs, brackets over all of them, every column filled."""
    names = [f"layanan-{n:02d}" for n in range(20)]
    board = sample.board()
    replace = msgspec.structs.replace
    rows = tuple(
        replace(
            board.rows[n % 3],
            service=replace(board.rows[n % 3].service, id=name, name=f"Layanan nomor {n}"),
            scores=board.rows[n % 3].scores * 15,
        )
        for n, name in enumerate(names)
    )
    pairs = tuple(
        replace(board.pairs[(i + k) % 3], a=names[i], b=names[k]) for i in range(20) for k in range(i + 1, 20)
    )
    groups = tuple(tuple(names[start : start + 5]) for start in range(0, 16, 3))
    tasks = tuple(replace(view, answers=(), scores={}) for view in board.tasks)
    large = replace(
        board, rows=rows, unranked=(), compared=tuple(names), pairs=pairs, groups=groups, tasks=tasks,
        discrimination=board.discrimination * 15,
    )  # fmt: skip
    site = replace(sample.site(), main=large, boards=(large,), studies=(), series=(), reruns=())
    files = render(site, content, templates)
    assert check_site(open_site(files)) == []
    assert len(gzip.compress(files["id/contoh-v1/papan-peringkat.html"], mtime=0)) <= 120 * KB
    assert max(len(gzip.compress(data, mtime=0)) for path, data in files.items() if path.endswith(".html")) <= 150 * KB


def test_the_home_page_lists_every_service_with_a_total(sample_site: dict[str, bytes]) -> None:
    home = html.document_fromstring(sample_site["id/index.html"])
    shown = home.xpath("//table[@data-table='totals']/tbody/tr/@data-service")
    assert tuple(shown) == sample.site().main.compared


def test_what_was_found_when_a_source_was_opened_stands_beside_it(content: Content, templates: Path) -> None:
    site = sample.site()
    found = {
        "open": (200, "same"),
        "moved": (200, "https://other.example/"),
        "gone": (404, "same"),
        "unclear": (None, None),
    }
    urls = {state: f"https://{state}.example/" for state in found}
    looks = {
        url: SourceCheck(
            url=url, at=sample.MOMENT, status=found[state][0], sha256=None, bytes=None, problem=None,
            final_url=url if found[state][1] == "same" else found[state][1],
        )
        for state, url in urls.items()
    }  # fmt: skip
    sources = tuple(Source(url=url) for url in (*urls.values(), "https://never.example/"))
    price = Price(
        checked=None, source=urls["gone"], currency="USD", input_per_mtok=Decimal(1), output_per_mtok=Decimal(2)
    )
    row = msgspec.structs.replace(
        site.main.rows[0], service=msgspec.structs.replace(site.main.rows[0].service, sources=sources, price=price)
    )
    main = msgspec.structs.replace(site.main, rows=(row, *site.main.rows[1:]))
    made = render(msgspec.structs.replace(site, main=main, boards=(main,), source_checks=looks), content, templates)
    page = html.document_fromstring(made[f"en/contoh-v1/model/{row.service.id}.html"])
    said = [" ".join(item.text_content().split()) for item in page.xpath("//li[a[@rel='nofollow']]")]
    assert said == [
        "https://open.example/ (not yet checked; answered on 30 November 2026)",
        "https://moved.example/ (not yet checked; moved elsewhere on 30 November 2026)",
        "https://gone.example/ (not yet checked; gone on 30 November 2026)",
        "https://unclear.example/ (not yet checked; gave no clear answer on 30 November 2026)",
        "https://never.example/ (not yet checked)",
    ]
    (read,) = page.xpath(f"//dd[a[@href='{urls['gone']}']]")
    assert read.text_content().strip() == "not yet checked; gone on 30 November 2026"
