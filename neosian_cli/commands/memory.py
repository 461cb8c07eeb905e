"""`neosian memory`: documents with versions."""

from __future__ import annotations

from neosian_cli.commands.declare import Argument, Flag, Option, Verb, paging

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.commands.call import Call
    from neosian_cli.model.mount import Mount


def _document(call: Call, key: str = "path") -> tuple[Mount, str]:
    """Mount and path of the document that an argument names."""
    from neosian_cli.model import mount

    return mount.locate_document(call.settings.mounts, call.string(key))


def _text(call: Call, key: str) -> str:
    text = call.text(key)
    assert text is not None
    return text


def _extra(call: Call) -> dict[str, str] | None:
    """The pairs of `--extra`; None where there are none."""
    from neosian_cli.errors import Failure
    from neosian_cli.model.grammar import excerpt

    if not call.given("extra"):
        return None
    extra: dict[str, str] = {}
    for pair in call.strings("extra"):
        key, equals, value = pair.partition("=")
        if not equals or not key or key in extra:
            reason = "is given twice" if key in extra else "is not of the form K=V"
            shown = key if key in extra else pair
            raise Failure("invalid_argument", f"--extra {excerpt(shown)} {reason}", argument="--extra")
        extra[key] = value
    return extra


def _changed(call: Call, result: dict[str, object]) -> int:
    from neosian_cli.render import memory as render

    call.output.result(result, lambda out: render.changed(out, result))
    return 0


def run_list(call: Call) -> int:
    from neosian_cli.model import mount as mounts
    from neosian_cli.model import path as paths
    from neosian_cli.render import memory as render
    from neosian_cli.services import memory_reading

    mount, below = mounts.locate(call.settings.mounts, call.maybe("path"))
    below = below.removesuffix("/")
    if below:
        paths.check(below)
    result = memory_reading.list_documents(
        call.store,
        mount,
        below,
        prefix=call.maybe("prefix") or "",
        cursor=call.maybe("cursor"),
        limit=call.integer("limit"),
    )
    call.output.listing(result, lambda out: render.entries(out, result), items="entries", kind="document")
    return 0


def run_view(call: Call) -> int:
    from neosian_cli.model import body
    from neosian_cli.render import memory as render
    from neosian_cli.services import memory_reading

    mount, path = _document(call)
    lines = call.maybe("lines")
    result = memory_reading.view(
        call.store,
        mount,
        path,
        version=call.maybe_integer("version"),
        lines=None if lines is None else body.span(lines),
    )
    call.output.result(result, lambda out: render.document(out, result))
    return 0


def run_write(call: Call) -> int:
    from neosian_cli.services import memory_edits

    mount, path = _document(call)
    result = memory_edits.write(
        call.store,
        mount,
        path,
        _text(call, "content"),
        actor=call.settings.actor,
        if_version=call.maybe_integer("if_version"),
        extra=_extra(call),
    )
    return _changed(call, result)


def run_replace(call: Call) -> int:
    from neosian_cli.services import memory_edits

    mount, path = _document(call)
    old, new = _text(call, "old"), _text(call, "new")
    if_version = call.maybe_integer("if_version")
    actor = call.settings.actor
    return _changed(call, memory_edits.replace(call.store, mount, path, old, new, actor=actor, if_version=if_version))


def run_insert(call: Call) -> int:
    from neosian_cli.services import memory_edits

    mount, path = _document(call)
    line, text = call.integer("line"), _text(call, "text")
    if_version = call.maybe_integer("if_version")
    actor = call.settings.actor
    return _changed(call, memory_edits.insert(call.store, mount, path, line, text, actor=actor, if_version=if_version))


def run_delete(call: Call) -> int:
    from neosian_cli.services import memory_edits

    mount, path = _document(call)
    if_version = call.maybe_integer("if_version")
    result = memory_edits.delete(call.store, mount, path, actor=call.settings.actor, if_version=if_version)
    call.output.hint(f"to bring it back: neosian memory revert {result['mounted_path']} --version {result['version']}")
    return _changed(call, result)


def run_rename(call: Call) -> int:
    from neosian_cli.services import memory_edits

    mount, path = _document(call, "old")
    new_mount, new_path = _document(call, "new")
    result = memory_edits.rename(
        call.store,
        mount,
        path,
        new_mount,
        new_path,
        actor=call.settings.actor,
        if_version=call.maybe_integer("if_version"),
    )
    return _changed(call, result)


def run_versions(call: Call) -> int:
    from neosian_cli.render import memory as render
    from neosian_cli.services import memory_history

    mount, path = _document(call)
    bodies = call.flag("bodies")
    result = memory_history.versions(
        call.store, mount, path, bodies=bodies, cursor=call.maybe("cursor"), limit=call.integer("limit")
    )
    call.output.listing(
        result, lambda out: render.versions(out, result, bodies=bodies), items="versions", kind="version"
    )
    return 0


def run_diff(call: Call) -> int:
    from neosian_cli.render import memory as render
    from neosian_cli.services import memory_history

    mount, path = _document(call)
    result = memory_history.diff(call.store, mount, path, old=call.maybe_integer("from"), new=call.maybe_integer("to"))
    call.output.result(result, lambda out: render.diff(out, result))
    return 0


def run_revert(call: Call) -> int:
    from neosian_cli.services import memory_history

    mount, path = _document(call)
    return _changed(
        call,
        memory_history.revert(call.store, mount, path, call.integer("version"), actor=call.settings.actor),
    )


def run_erase(call: Call) -> int:
    from neosian_cli.model import mount as mounts
    from neosian_cli.model import path as paths
    from neosian_cli.render import memory as render
    from neosian_cli.services import memory_erasure

    mount, rest = mounts.locate(call.settings.mounts, call.string("path"))
    path = paths.check(rest) if rest else None
    with call.output.progress("looking through versions") as progress:
        result = memory_erasure.erase(
            call.store,
            mount,
            path,
            actor=call.settings.actor,
            apply=call.flag("write"),
            whole=call.flag("all"),
            advance=progress.advance,
        )
    place = mount.root if path is None else mount.mounted(path)
    call.idle = not result["versions"]
    call.output.result(result, lambda out: render.erased(out, result, place))
    return 0


PATH = Argument("PATH", "a mounted path, such as /project/notes/a", complete="path")
IF_VERSION = Option("--if-version", kind="int", low=0, metavar="N", help="only if the document is at version N")
IF_VERSION_OR_NEW = Option(
    "--if-version",
    kind="int",
    low=0,
    metavar="N",
    help="only if the document is at version N; 0: only if there is none",
)
RESULTS = "neosian_cli.commands.memory_results"

VERBS = (
    Verb(
        "memory",
        "list",
        "list the documents of a mount",
        run=run_list,
        params=(
            Argument("PATH", "a mount, or a path in it: only what is at or below it", required=False, complete="path"),
            Option("--prefix", metavar="P", help="only paths that begin with this text"),
            *paging(),
        ),
        description=(
            "In byte order of the whole path, without bodies. Messages show only where PATH or --prefix names them. "
            "What cannot be read is told beside the rest."
        ),
        jsonl=True,
        examples=("neosian memory list /project --prefix notes/", "neosian memory list /project/notes --json"),
        result=f"{RESULTS}:LIST",
    ),
    Verb(
        "memory",
        "view",
        "print the body of a document",
        run=run_view,
        params=(
            PATH,
            Option("--lines", metavar="A:B", help="only these lines, with their numbers; either side may be left out"),
            Option("--version", kind="int", low=1, metavar="N", help="as it was at version N"),
        ),
        description="Byte for byte in a pipe; on a terminal control characters are shown escaped.",
        examples=("neosian memory view /project/notes/a > a.md", "neosian memory view /project/notes/a --lines 10:20"),
        exits=(5,),
        result=f"{RESULTS}:VIEW",
    ),
    Verb(
        "memory",
        "write",
        "create or overwrite a document",
        run=run_write,
        params=(
            PATH,
            Option("--content", kind="text", required=True, help="the body"),
            IF_VERSION_OR_NEW,
            Option("--extra", metavar="K=V", repeat=True, help="kept beside the body; replaces all that was kept"),
        ),
        aliases=("create",),
        description="Every write is a new version, an identical one too. Without --extra the old one stays.",
        mutates=True,
        examples=(
            "neosian memory write /project/notes/a --content 'one line'",
            "neosian memory write /project/notes/a --content @a.md --if-version 3",
        ),
        exits=(4, 6),
        result=f"{RESULTS}:CHANGED",
    ),
    Verb(
        "memory",
        "replace",
        "replace the one place where a text occurs",
        run=run_replace,
        params=(
            PATH,
            Option("--old", kind="text", required=True, help="the text to replace; it must occur exactly once"),
            Option("--new", kind="text", required=True, help="what to put there; may be empty"),
            IF_VERSION,
        ),
        aliases=("str_replace", "str-replace"),
        description="Where the text occurs not at all, or several times, nothing is changed and the lines are named.",
        mutates=True,
        examples=("neosian memory replace /project/notes/a --old 'maybe' --new 'yes'",),
        exits=(4, 5, 6),
        result=f"{RESULTS}:CHANGED",
    ),
    Verb(
        "memory",
        "insert",
        "insert whole lines",
        run=run_insert,
        params=(
            PATH,
            Option("--line", kind="int", low=0, required=True, metavar="N", help="after this line; 0: at the top"),
            Option("--text", kind="text", required=True, help="the lines"),
            IF_VERSION,
        ),
        description="A newline is added after the text, and after line N, where it is missing.",
        mutates=True,
        examples=("neosian memory insert /project/notes/a --line 0 --text '# Title'",),
        exits=(4, 5, 6),
        result=f"{RESULTS}:CHANGED",
    ),
    Verb(
        "memory",
        "delete",
        "delete a document; its history stays",
        run=run_delete,
        params=(PATH, IF_VERSION),
        mutates=True,
        examples=("neosian memory delete /project/notes/a --if-version 3",),
        exits=(4, 5, 6),
        result=f"{RESULTS}:CHANGED",
    ),
    Verb(
        "memory",
        "rename",
        "move a document within its mount",
        run=run_rename,
        params=(
            Argument("OLD", "the document's mounted path", complete="path"),
            Argument("NEW", "its new mounted path, which must be free", complete="path"),
            IF_VERSION,
        ),
        description="One transaction and one event. Never overwrites.",
        mutates=True,
        examples=("neosian memory rename /project/notes/a /project/notes/b",),
        exits=(4, 5, 6, 7),
        result=f"{RESULTS}:RENAMED",
    ),
    Verb(
        "memory",
        "versions",
        "list the versions of a document, newest first",
        run=run_versions,
        params=(PATH, Flag("--bodies", help="with their bodies"), *paging()),
        jsonl=True,
        examples=("neosian memory versions /project/notes/a",),
        exits=(5,),
        result=f"{RESULTS}:VERSIONS",
    ),
    Verb(
        "memory",
        "diff",
        "compare two versions of a document",
        run=run_diff,
        params=(
            PATH,
            Option("--from", kind="int", low=0, metavar="N", help="the one before --to by default; 0 is empty"),
            Option("--to", kind="int", low=0, metavar="N", help="the newest by default"),
        ),
        description="A unified diff; a deletion counts as empty. The exit status is 0 also where they differ.",
        examples=("neosian memory diff /project/notes/a --from 1",),
        exits=(5,),
        result=f"{RESULTS}:DIFF",
    ),
    Verb(
        "memory",
        "revert",
        "undo the newest version",
        run=run_revert,
        params=(
            PATH,
            Option("--version", kind="int", low=1, required=True, metavar="N", help="the newest version, to be undone"),
        ),
        description="Undoing a creation deletes, undoing a deletion creates anew; the undoing is itself a version.",
        mutates=True,
        examples=("neosian memory revert /project/notes/a --version 4",),
        exits=(4, 5, 6),
        result=f"{RESULTS}:CHANGED",
    ),
    Verb(
        "memory",
        "erase",
        "blank a document and all its versions for good",
        run=run_erase,
        params=(
            Argument("PATH", "a document, or with --all a mount", complete="path"),
            Flag("--all", help="everything in the mount's scope"),
        ),
        aliases=("redact",),
        description="Bodies and extra go and cannot be brought back; paths, versions, times and actors stay.",
        preview=True,
        examples=("neosian memory erase /project/notes/a", "neosian memory erase /project --all --write"),
        exits=(6,),
        result=f"{RESULTS}:ERASED",
    ),
)
