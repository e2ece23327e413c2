"""Is the finished site what it claims? Links, language twins, figures, hashes, leaks, keys. Pure: it reads a value.

The room between ``render`` and ``build``: nothing is written before it has passed.
"""

from generator.findings import Finding
from generator.records import Results
from generator.verify.figures import check_figures
from generator.verify.hashes import check_hashes
from generator.verify.keys import check_keys
from generator.verify.leaks import check_leaks
from generator.verify.links import check_links
from generator.verify.pages import read_page
from generator.verify.site import Site
from generator.verify.twins import check_twins


def verify(files: dict[str, bytes], results: Results) -> list[Finding]:
    """Every fault of a finished site, and remarks that do not block.

    Args:
        files: relative path -> bytes, complete.
        results: what the site was made from; its held-out material must not be found in it.
    """
    site = open_site(files)
    return [*check_site(site), *check_leaks(files, results), *check_keys(files, results)]


def open_site(files: dict[str, bytes]) -> Site:
    """The files with their pages parsed."""
    return Site(files, {path: read_page(path, files[path]) for path in sorted(files) if path.endswith(".html")})


def check_site(site: Site) -> list[Finding]:
    """Everything that can be said of a site without knowing what it was made from."""
    return [*check_links(site), *check_twins(site), *check_figures(site), *check_hashes(site.files)]
