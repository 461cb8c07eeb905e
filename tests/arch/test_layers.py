"""Who may import whom."""

import pytest

from tests.arch.source import PACKAGE, SOURCES

EVERYONE = {"errors", "model", "__init__"}
DOOR = {"app", "diagnosis", "signals", "surroundings"}

# Each room, the rooms that it may import from beside its own and those that everyone may, and why no others.
TABLE: dict[str, tuple[set[str], str]] = {
    "errors": (set(), "the table of codes stands below everything"),
    "model": (set(), "plain values know no files, no output and no configuration"),
    "disk": (set(), "the seam of every byte must be replaceable without anything above it"),
    "journal": ({"disk"}, "recovery must not break when the domain changes"),
    "store": ({"journal", "disk"}, "what files mean does not depend on who asks"),
    "embedders": (set(), "a provider knows texts and vectors, and no store"),
    "config": (set(), "settings are values; who opens the store is somebody else"),
    "services": (
        {"store", "disk", "embedders", "config"},
        "a use case is the same for every door, so it prints nothing",
    ),
    "render": (set(), "values to text: no service is called to show something"),
    "commands": (
        {"services", "render", "config", "app", "signals", "surroundings", "store"},
        "thin: options in, result out",
    ),
    "manual": ({"app", "commands", "services", "render", "config"}, "made from the declarations of the commands"),
    "app": ({"commands", "render", "diagnosis", "signals", "surroundings"}, "the door"),
    "diagnosis": ({"render", "signals"}, "names for what comes up from below"),
    "signals": (set(), "journal and disk stay independent of it"),
    "surroundings": (set(), "what comes from outside knows nothing of the inside"),
    "__main__": ({"app", "signals", "surroundings"}, "the process"),
    "__init__": (set(), "the version"),
}  # fmt: skip

# Single modules that may reach further, and why.
FURTHER = {
    "services.status": ({"journal"}, "it looks at a pending plan and must not carry it out"),
}


@pytest.mark.parametrize("source", SOURCES, ids=repr)
def test_rooms_import_only_what_they_may(source):
    assert source.room in TABLE, f"{source.room} is a room that the table does not know"
    allowed, reason = TABLE[source.room]
    astray = source.rooms - allowed - FURTHER.get(source.name, (set(), ""))[0] - EVERYONE - {source.room}
    assert not astray, f"{source.name} imports from {sorted(astray)}; {reason}"


def test_the_table_has_no_empty_rooms():
    rooms = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert set(TABLE) <= rooms
    assert set(FURTHER) <= {source.name for source in SOURCES}


def test_commands_reach_the_store_for_its_handle_only():
    """`Call` opens it; everything else goes through a service."""
    for source in SOURCES:
        if source.room == "commands" and source.name != "commands.call":
            assert "store" not in source.rooms, source.name


@pytest.mark.parametrize("source", [source for source in SOURCES if source.room == "journal"], ids=repr)
def test_the_journal_knows_no_documents(source):
    values = {name for name in source.imports if name.startswith("neosian_cli.model.")}
    assert {name.split(".")[2] for name in values} <= {"armour", "codec", "digest", "handlers", "times", "value"}
