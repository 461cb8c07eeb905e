import os
import subprocess
import sys
import uuid

import pytest

from neosian_cli.surroundings import Surroundings, microseconds, random_uuid
from tests.cli.process import TOP, environment


def test_random_uuids_are_of_version_4():
    made = {random_uuid() for _ in range(1000)}
    assert len(made) == 1000
    for text in made:
        parsed = uuid.UUID(text)
        assert (str(parsed), parsed.version, parsed.variant) == (text, 4, uuid.RFC_4122)


def test_an_instant_is_in_microseconds():
    given = Surroundings(os.environ)
    assert abs(given.now() - microseconds()) < 60_000_000
    assert 1_700_000_000_000_000 < given.now() < 10_000_000_000_000_000


CODE = """
import os, sys
from neosian_cli.surroundings import plug_holes
closed = plug_holes()
new = os.open("/dev/null", os.O_RDONLY)
os.write(int(sys.argv[1]), f"{sorted(closed)} {new > 2}".encode())
"""


@pytest.mark.parametrize(
    ("redirection", "closed"),
    [("", "[]"), ("<&-", "[0]"), (">&-", "[1]"), ("<&- 2>&-", "[0, 2]"), ("<&- >&- 2>&-", "[0, 1, 2]")],
)
def test_closed_descriptors_are_plugged(redirection, closed):
    reader, writer = os.pipe()
    try:
        subprocess.run(
            ["sh", "-c", f'exec "$0" -c "$1" "$2" {redirection}', sys.executable, CODE, str(writer)],
            env=environment(),
            cwd=TOP,
            pass_fds=(writer,),
            check=True,
            capture_output=True,
            timeout=60,
        )
        assert os.read(reader, 1000).decode() == f"{closed} True"
    finally:
        os.close(reader)
        os.close(writer)
