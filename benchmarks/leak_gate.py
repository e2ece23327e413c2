"""What the leak gate and the other checks of a finished site cost, in CPU milliseconds per megabyte.

Run with ``python -m benchmarks.leak_gate`` on the default results.
"""

import json
import time
from pathlib import Path

from generator.build import Places, finished_site
from generator.store.read import read_results
from generator.verify import check_site, open_site
from generator.verify.leaks import check_leaks
from generator.verify.secrets import secrets


def main() -> None:
    """Build the default site in memory and time each check on its own."""
    places = Places(
        results=Path("results"), content=Path("content"), templates=Path("site_templates"), out=Path("unused")
    )
    files, _ = finished_site(places, lambda _: None)
    results = read_results(places.results)
    megabytes = sum(map(len, files.values())) / 1e6
    site = open_site(files)
    leak = json.dumps([secret.text for secret in secrets(results)]).encode()
    checks = {
        "parsing": lambda: open_site(files),
        "links, twins, figures, hashes": lambda: check_site(site),
        "leak gate": lambda: list(check_leaks(files, results)),
        "leak gate, everything leaked": lambda: list(check_leaks(files | {"leak.json": leak}, results)),
    }
    print(f"{len(files)} files, {megabytes:.1f} MB")
    for name, check in checks.items():
        start = time.process_time()
        check()
        spent = (time.process_time() - start) * 1000
        print(f"{name}: {spent:.0f} ms CPU, {spent / megabytes:.0f} ms per MB")


if __name__ == "__main__":
    main()
