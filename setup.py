"""What pyproject.toml cannot say: the wheel also holds the files from which ``rapor new`` makes a site."""

import shutil
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent


class Build(build_py):
    """Copies the files beside the program; an editable install finds them where they are."""

    def run(self) -> None:
        """Build the program, then lay the files in."""
        super().run()
        if self.editable_mode:
            return
        packed = Path(self.build_lib) / "generator" / "starter-files"
        shutil.rmtree(packed, ignore_errors=True)
        for name in [*tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["tool"]["rapor"]["new"], "starter"]:
            source, target = HERE / name, packed / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target)
            elif source.exists():
                shutil.copyfile(source, target)


setup(cmdclass={"build_py": Build})
