"""The bytes of format 1, written down: a change here is a change of the format, and old roots have to stay readable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neosian_cli.journal import plan as plans
from neosian_cli.journal.plan import Adopt, Append, Plan, Put, Remove, Staged
from tests.crash.scenarios import open_store, write
from tests.crash.trial import snapshot

if TYPE_CHECKING:
    from pathlib import Path

SCOPE = "scopes/user%3Ame/proj%3Aerp"

PLAN = (
    b'{"checksum":"f5bb6098768357535bd3de95015d5c72b87c618144b67bdd0a9f413923406eb2",'
    b'"format":1,"id":"00000000-0000-0000-0000-000000000001","created_at":"2026-01-02T03:04:05.000000Z",'
    b'"verb":"memory write","steps":['
    b'{"do":"put","path":"semantic/s/a","text":"one\\ntwo \xc3\xa9"},'
    b'{"do":"put","path":"semantic/s/b","base64":"/wA="},'
    b'{"do":"append","path":"semantic/s/log","offset":7,'
    b'"before":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","text":"row\\n"},'
    b'{"do":"append","path":"semantic/s/big","offset":0,'
    b'"before":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",'
    b'"staged":"~0-x","size":9,"sha256":"0000"},'
    b'{"do":"adopt","path":"semantic/s/large","staged":"~1-x","size":8,"sha256":"1111"},'
    b'{"do":"remove","path":"semantic/s/gone"}]}'
)
STEPS = (
    Put("semantic/s/a", "one\ntwo é".encode()),
    Put("semantic/s/b", b"\xff\x00"),
    Append("semantic/s/log", 7, plans.sha256(b""), b"row\n"),
    Append("semantic/s/big", 0, plans.sha256(b""), Staged("~0-x", 9, "0000")),
    Adopt("semantic/s/large", Staged("~1-x", 8, "1111")),
    Remove("semantic/s/gone"),
)


def test_a_plan() -> None:
    plan = Plan("00000000-0000-0000-0000-000000000001", "2026-01-02T03:04:05.000000Z", "memory write", STEPS)
    assert plans.encode(plan) == PLAN
    assert plans.decode(PLAN) == plan


FILES = {
    f"{SCOPE}/.changes/00000000000000000001.seg": (
        b'1dbc15c7 8c4479c1d1264867 {"id":"00000000-0000-0001-0000-000000000001:1","stream":"0000000'
        b'0-0000-0001-0000-000000000001","sequence":1,"kind":"state.scope_reset","scope":"user:me/pr'
        b'oj:erp","reason":"tracking_started","created_at":"2026-09-21T14:13:21.000000Z"}\n'
        b'6a076803 cf756a90219527a7 {"id":"00000000-0000-0001-0000-000000000001:2","stream":"0000000'
        b'0-0000-0001-0000-000000000001","sequence":2,"kind":"state.document_created","scope":"user:'
        b'me/proj:erp","path":"notes/a","version":1,"created_at":"2026-09-21T14:13:21.000000Z"}\n'
    ),
    f"{SCOPE}/.changes/stream.json": (
        b'{"format":1,"stream":"00000000-0000-0001-0000-000000000001","floor":0,"floor_chain":"47503'
        b'83895c63704","head":2,"head_chain":"cf756a90219527a7","segment_bytes":526,"bytes":526,"las'
        b't_created_at":"2026-09-21T14:13:21.000000Z","crc32":"1b072525"}\n'
    ),
    f"{SCOPE}/documents/notes/a.json": (
        b"{\n"
        b'  "actor": "tester",\n'
        b'  "content": "line one\\nzwei \xc3\xa9\\n",\n'
        b'  "created_at": "2026-09-21T14:13:21.000000Z",\n'
        b'  "erased": false,\n'
        b'  "extra": {},\n'
        b'  "format": 1,\n'
        b'  "path": "notes/a",\n'
        b'  "scope": "user:me/proj:erp",\n'
        b'  "updated_at": "2026-09-21T14:13:21.000000Z",\n'
        b'  "version": 1\n'
        b"}\n"
    ),
    f"{SCOPE}/versions/notes/a.jsonl": (
        b'{"format":1,"path":"notes/a","version":1,"action":"created","content":"line one\\nzwei \xc3\xa9\\n'
        b'","extra":{},"actor":"tester","created_at":"2026-09-21T14:13:21.000000Z","document_created'
        b'_at":"2026-09-21T14:13:21.000000Z","erased":false,"sequence":2,"crc32":"c5a05557"}\n'
    ),
    "store.json": (
        b"{\n"
        b'  "created_at": "2026-09-21T14:13:21.000000Z",\n'
        b'  "format": 1,\n'
        b'  "requires": [],\n'
        b'  "store": "00000000-0000-0001-0000-000000000002"\n'
        b"}\n"
    ),
}


@pytest.mark.parametrize("path", FILES)
def test_a_first_write(path: str, tmp_path: Path) -> None:
    root = str(tmp_path / "root")
    write("notes/a", "line one\nzwei é\n")(open_store(root))
    assert snapshot(root)[path] == FILES[path]


def test_no_other_files_are_made(tmp_path: Path) -> None:
    root = str(tmp_path / "root")
    write("notes/a", "line one\nzwei é\n")(open_store(root))
    assert sorted(snapshot(root)) == sorted(FILES)
    assert sorted(snapshot(root, everything=True)) == sorted([*FILES, ".lock"])


def test_files_of_format_1_are_read(tmp_path: Path) -> None:
    """Laid down as they stand here, not by this program."""
    from neosian_cli.store import documents

    root = tmp_path / "root"
    for path, content in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        (root / path).write_bytes(content)
    with open_store(str(root)).reading() as tree:
        document, row = documents.read(tree, "user:me/proj:erp", "notes/a")
    assert document is not None
    assert row is not None
    assert (document.content, document.version, row.sequence) == ("line one\nzwei é\n", 1, 2)
