"""How much a build costs, as ratios against a bare jinja2 + markdown-it-py loop over as many pages in the same run.

    python benchmarks/site.py

Each figure comes from a fresh process; CPU seconds are user + system as the operating system counts them.
Scoring and charts are itemised, because the bare loop has neither.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOOP = """
import re, sys, pathlib
from jinja2 import Environment
from markdown_it import MarkdownIt
site, out = map(pathlib.Path, sys.argv[1:])
page = Environment(autoescape=True).from_string(
    "<!doctype html><html lang={{ lang }}><head><title>{{ title }}</title></head><body>{{ body | safe }}</body></html>")
pages = sorted(site.rglob("*.html"))
text = {path: re.sub(r"<[^>]*>", " ", path.read_text("utf-8")) for path in pages}
import resource
before = resource.getrusage(resource.RUSAGE_SELF)
for path in pages:
    body = MarkdownIt("commonmark", {"html": False}).render(text[path])
    target = out / path.relative_to(site)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page.render(lang=path.parts[-2], title=path.stem, body=body), "utf-8")
after = resource.getrusage(resource.RUSAGE_SELF)
print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
"""
WALK = """
import json, resource, sys, pathlib
def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
steps, last = {}, [None, cpu()]
def step(name):
    now = cpu()
    if last[0]: steps[last[0]] = steps.get(last[0], 0) + now - last[1]
    last[:] = [name, now]
step("importing")
from generator.build import Places, build
import generator.render.charts as charts
inner = {"cpu": 0.0}
def timed(draw):
    def drawn(*args):
        before = cpu()
        try: return draw(*args)
        finally: inner["cpu"] += cpu() - before
    return drawn
for kind in ("interval_plot", "forest", "heat_table", "block_panel", "discrimination"):
    setattr(charts, kind, timed(getattr(charts, kind)))
content, results, out, main = sys.argv[1:]
built = build(Places(results=pathlib.Path(results), content=pathlib.Path(content),
                     templates=pathlib.Path("site_templates"), out=pathlib.Path(out)), step)
step(None)
print(json.dumps({"steps": steps, "charts": inner["cpu"], "files": built.files,
                  "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def run(code: str, *arguments: object) -> str:
    """What a fresh Python prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return done.stdout


def measure(name: str, results: Path, content: Path, folder: Path) -> None:
    """One site, cold, beside the bare loop over its pages."""
    out = folder / "public"
    told = json.loads(run(WALK, content, results, out, name))
    loop = float(run(LOOP, out, folder / "bare"))
    pages = len(list(out.rglob("*.html")))
    steps = told["steps"]
    rendering = steps["rendering"] - told["charts"]
    print(f"\n{name}: {pages} pages, {told['files']} files, peak {told['peak']:.0f} MB")
    for step, seconds in steps.items():
        print(f"  {step:<10} {seconds:6.2f} s CPU")
    print(f"  of rendering, charts (altair loaded, drawn, converted) {told['charts']:.2f} s CPU")
    print(f"  bare loop  {loop:6.2f} s CPU; rendering without charts / bare loop = {rendering / loop:.2f}")


def help_cost() -> None:
    """CPU of ``build-site --help``, the median of nine."""
    times = []
    for _ in range(9):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run("from generator.cli import build_site; build_site(['--help'])")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    print(f"build-site --help: {1000 * sorted(times)[4]:.0f} ms CPU")


def main() -> None:
    """Print all figures of one run on this machine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--services", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from benchmarks.synthetic import RUN, write_results

    print(f"{os.cpu_count()} processors, Python {sys.version.split()[0]}, {time.strftime('%Y-%m-%d')}")
    help_cost()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure("default site", ROOT / "results", ROOT / "content", folder / "default")
        write_results(ROOT / "results", folder / "results", asked.services, asked.repeats)
        content = folder / "content"
        shutil.copytree(ROOT / "content", content)
        settings = content / "site.toml"
        lines = settings.read_text("utf-8").splitlines()
        settings.write_text(
            "\n".join(f'main_run = "{RUN}"' if line.startswith("main_run") else line for line in lines) + "\n", "utf-8"
        )
        measure(f"{asked.services} services x {asked.repeats} repeats", folder / "results", content, folder / "large")


if __name__ == "__main__":
    main()
