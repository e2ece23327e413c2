"""A sealed contract takes acknowledgements at its end, and nothing that changes what was declared."""

from hashlib import sha256
from pathlib import Path

import pytest

from generator.findings import Faults
from generator.store.acknowledged import adds_only_acknowledgements
from generator.store.layout import Layout
from generator.store.read import read_results
from tests.store.make_mini import RUN

SEALED = b'run_id = "r"\n\n[params.a]\nseed = { asked = 1 }\n# a last word\n'
ONE = b'\n# seen later\n[[acknowledged]]\nslug = "truncated"\nreason = { id = "a", en = "b" }\n'


@pytest.mark.parametrize(
    ("added", "passes"),
    [
        (b"", True),
        (ONE, True),
        (ONE + ONE, True),
        (b"# only a comment\n", True),
        (ONE + b"[params.b]\nseed = { asked = 2 }\n", False),
        (b"place = 1\n", False),
        (b"[[acknowledged]\n", False),
        (b"acknowledged = 1\n", False),
    ],
)
def test_what_may_follow_a_sealed_contract(added: bytes, passes: bool) -> None:
    assert adds_only_acknowledgements(SEALED + added, sha256(SEALED).hexdigest()) is passes


def test_an_acknowledgement_once_sealed_stays() -> None:
    sealed = SEALED + ONE
    assert adds_only_acknowledgements(sealed + ONE, sha256(sealed).hexdigest())
    assert not adds_only_acknowledgements(SEALED, sha256(sealed).hexdigest())
    assert not adds_only_acknowledgements(sealed.replace(b'"b"', b'"c"') + ONE, sha256(sealed).hexdigest())


def test_the_reader_of_results_takes_it_so(mini: Path) -> None:
    contract = Layout(mini).contract(RUN)
    contract.write_bytes(contract.read_bytes() + ONE.replace(b"slug", b'service = "alpha"\nslug'))
    (acknowledged,) = read_results(mini).runs[RUN].contract.acknowledged
    assert acknowledged.service == "alpha"
    contract.write_bytes(contract.read_bytes().replace(b"attempts = 2", b"attempts = 3"))
    with pytest.raises(Faults) as caught:
        read_results(mini)
    assert {finding.slug for finding in caught.value.findings} == {"seal-broken"}
