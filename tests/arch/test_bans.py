"""Calls and modules that have one place in the program, and none elsewhere."""

import ast

import pytest

from tests.arch.source import SOURCES, dotted

# What changes a file system: for `disk/` alone.
WRITING = {
    "os.write", "os.pwrite", "os.writev", "os.pwritev", "os.rename", "os.replace", "os.renames", "os.unlink",
    "os.remove", "os.removedirs", "os.rmdir", "os.mkdir", "os.makedirs", "os.link", "os.symlink", "os.truncate",
    "os.ftruncate", "os.fsync", "os.fdatasync", "os.sync", "os.chmod", "os.fchmod", "os.chown", "os.utime",
    "os.mkfifo", "os.mknod", "os.posix_fallocate", "os.copy_file_range", "os.sendfile",
}  # fmt: skip
# The standard streams are written to as descriptors.
STREAMS = {"render.stream": {"os.write"}, "__main__": {"os.write"}}

# Modules that have a room or a file of their own.
HOMES = {
    "rich": ("render",),
    "orjson": ("model.codec", "journal.plan"),
    "yaml": ("config", "store.filestore"),
    "typer": ("commands.typer_door",),
    "filelock": ("disk.lock",),
    "sqlite3": ("store.semantic",),
    "hnswlib": ("store.semantic",),
    "urllib": ("embedders",),
    "http": ("embedders",),
}

# What only those run who work on the program: it writes into the repository, and no store comes near it.
WORKSHOP = "manual.__main__"

# What no part of the program needs.
UNWANTED = {"shutil", "tempfile", "pickle", "shelve", "marshal", "asyncio", "logging", "argparse", "uuid", "random"}


def home_of(source, place):
    return source.name == place or source.name.startswith(f"{place}.")


@pytest.mark.parametrize("source", SOURCES, ids=repr)
def test_only_disk_writes(source):
    if source.room == "disk":
        return
    assert not (source.calls() & WRITING) - STREAMS.get(source.name, set())


@pytest.mark.parametrize("source", SOURCES, ids=repr)
def test_files_are_opened_for_reading_only(source):
    if source.room == "disk" or source.name == WORKSHOP:
        return
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Call):
            continue
        name = dotted(node.func) or ""
        if name == "open":
            given = [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "mode")]
            modes = [mode.value if isinstance(mode, ast.Constant) else "?" for mode in given] or ["r"]
            assert set(modes) <= {"r", "rb"}, f"{source.name}:{node.lineno} opens for {modes}"
        elif name == "os.open":
            flags = {dotted(part) for argument in node.args[1:2] for part in ast.walk(argument)} - {None, "os"}
            inside = source.name == "surroundings"
            assert inside or ("os.O_RDONLY" in flags and not flags & {"os.O_CREAT", "os.O_WRONLY", "os.O_RDWR"})
        else:
            assert name.rpartition(".")[2] not in ("write_text", "write_bytes", "touch", "NamedTemporaryFile")


@pytest.mark.parametrize("source", SOURCES, ids=repr)
def test_only_the_process_and_the_configuration_read_the_environment(source):
    if source.name in ("__main__", WORKSHOP) or source.room == "config":
        return
    used = source.names() | source.calls()
    assert not used & {"os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "sys.argv"}
    assert not {"environ", "getenv"} & {
        alias.name for node in ast.walk(source.tree) if isinstance(node, ast.ImportFrom) for alias in node.names
    }


@pytest.mark.parametrize("source", SOURCES, ids=repr)
def test_time_and_chance_come_in_as_arguments(source):
    if source.name == "surroundings":
        return
    assert not source.calls() & {"time.time", "time.time_ns", "datetime.now", "datetime.datetime.now", "os.urandom"}
    assert "secrets" not in source.imports or source.room == "services"


@pytest.mark.parametrize("source", SOURCES, ids=repr)
def test_modules_stay_at_home(source):
    roots = {name.partition(".")[0] for name in source.imports}
    for module, homes in HOMES.items():
        if module in roots:
            assert any(home_of(source, home) for home in homes), f"{source.name} imports {module}, kept for {homes}"
    assert not roots & UNWANTED


@pytest.mark.parametrize("source", SOURCES, ids=repr)
def test_nothing_is_printed_past_the_output(source):
    assert (
        not source.calls() & {"print", "input", "sys.stdout.write", "sys.stderr.write", "typer.echo"}
        or source.name == WORKSHOP
    )
    assert not source.calls() & {"sys.exit", "os._exit", "exit", "quit"} or source.name in ("__main__", WORKSHOP)


@pytest.mark.parametrize("source", SOURCES, ids=repr)
def test_no_classes_are_inherited_but_errors_and_ports(source):
    """Typer asks for subclasses of its own; enums and protocols are no inheritance of behaviour."""
    free = {
        "Exception",
        "BaseException",
        "ValueError",
        "OSError",
        "Protocol",
        "Enum",
        "IntEnum",
        "NamedTuple",
        "TypedDict",
    }
    foreign = {
        "commands.typer_door": {"TyperGroup", "TyperCommand", "_Group"},
        "model.value": {"type"},  # the metaclass that stands for the one of typing.NamedTuple
        "disk.calls": {"Calls"},  # the seam, which is there to be replaced
    }
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ClassDef):
            bases = {(dotted(base) or dotted(getattr(base, "value", base)) or "?") for base in node.bases}
            names = {base.rpartition(".")[2] for base in bases}
            assert not names - free - foreign.get(source.name, set()), f"{source.name}: {node.name} of {names}"
