"""A copy of the small results/ that a test may spoil."""

import shutil
from pathlib import Path

import pytest

from tests.store.make_mini import MINI


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MINI, tmp_path / "results"))
