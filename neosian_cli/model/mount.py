"""Mounts: a scope shown under a name, and how a mounted path is read."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import grammar, path, scope
from neosian_cli.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MODES = ("rw", "ro", "eo")


@value
class Mount:
    """`name` is one path segment; `mode` is rw, ro (takes no writes) or eo (edits of what exists, and erasure)."""

    name: str
    scope: str
    mode: str = "rw"

    @property
    def root(self) -> str:
        """The mounted path of the scope itself."""
        return f"/{self.name}"

    def mounted(self, document_path: str) -> str:
        """The mounted path of a document."""
        return f"/{self.name}/{document_path}"

    def require_writable(self, *, structural: bool) -> None:
        """Raise `read_only`, or `edit_only` for a create, delete or rename, where the mode forbids it."""
        if self.mode == "ro":
            raise Failure("read_only", f"mount {self.root} is read-only", mount=self.root)
        if structural and self.mode == "eo":
            raise Failure(
                "edit_only",
                f"mount {self.root} takes edits of what exists, but no create, delete or rename",
                mount=self.root,
            )


def make(name: str, scope_text: str, mode: str = "rw") -> Mount:
    """A checked mount; raises `invalid_argument`."""
    grammar.check_name(name, "mount path", name)
    if mode not in MODES:
        raise Failure("invalid_argument", f"mount mode {grammar.excerpt(mode)} is none of rw, ro, eo")
    return Mount(name, scope.check(scope_text), mode)


def parse(spec: str) -> Mount:
    """A mount option: `scope=SCOPE,path=NAME[,ro|,eo]`; raises `invalid_argument`."""
    fields: dict[str, str] = {}
    for part in spec.split(","):
        key, equals, value = part.partition("=")
        if not equals and key in MODES:
            key, value = "mode", key
        elif not equals or key not in ("scope", "path"):
            raise Failure(
                "invalid_argument",
                f"mount {grammar.excerpt(spec)}: {grammar.excerpt(part)} is none of scope=…, path=…, ro, eo",
                hint="write it as scope=user:me/proj:erp,path=project",
            )
        if key in fields:
            raise Failure("invalid_argument", f"mount {grammar.excerpt(spec)} names its {key} twice")
        fields[key] = value
    for key in ("scope", "path"):
        if key not in fields:
            raise Failure("invalid_argument", f"mount {grammar.excerpt(spec)} has no {key}=…")
    return make(fields["path"], fields["scope"], fields.get("mode", "rw"))


def check_distinct(mounts: Sequence[Mount]) -> None:
    """Refuse two mounts of one name."""
    seen: set[str] = set()
    for mount in mounts:
        if mount.name in seen:
            raise Failure("invalid_argument", f"mount path '{mount.name}' is given twice")
        seen.add(mount.name)


def choices(mounts: Sequence[Mount]) -> str:
    return ", ".join(mount.root for mount in mounts)


def likeliest(mounts: Sequence[Mount]) -> Mount:
    """The mount that was probably meant where none is named: the one that a work tree has to itself."""
    return next((mount for mount in mounts if mount.name == "project"), mounts[0])


def _meant(mounts: Sequence[Mount], text: str) -> str | None:
    """The mounted path that was probably meant by what is none; None where that would be none either."""
    from neosian_cli.model.nearest import nearest

    first, _, rest = text.removeprefix("/").partition("/")
    name = nearest(first, (mount.name for mount in mounts)) if text.startswith("/") else None
    if name is None:
        named = {mount.name for mount in mounts}
        name, rest = (first, rest) if first in named else (likeliest(mounts).name, text.strip("/"))
    try:
        return f"/{name}/{path.check(rest)}" if rest else f"/{name}"
    except Failure:
        return None


def unnamed(mounts: Sequence[Mount], option: str = "") -> Failure:
    """What is said where none of several mounts was named, as an argument or with an option."""
    failure = Failure("invalid_argument", "which mount? there are several: " + choices(mounts))
    return failure.instead(f"{option} {likeliest(mounts).root}".strip()) if mounts else failure


def locate(mounts: Sequence[Mount], mounted_path: str | None) -> tuple[Mount, str]:
    """The mount that a mounted path lies in, and the unchecked rest of it ("" for the mount's root).

    None stands for the only mount there is. Raises `invalid_argument`.
    """
    if mounted_path is None:
        if len(mounts) == 1:
            return mounts[0], ""
        raise unnamed(mounts)
    if not mounted_path.startswith("/"):
        raise _likely(
            mounts, mounted_path, f"{grammar.excerpt(mounted_path)} is not a mounted path such as /project/notes/a"
        )
    name, _, rest = mounted_path[1:].partition("/")
    for mount in mounts:
        if mount.name == name:
            return mount, rest
    raise _likely(mounts, mounted_path, f"no mount is named {grammar.excerpt('/' + name)}")


def _likely(mounts: Sequence[Mount], mounted_path: str, message: str) -> Failure:
    failure = Failure("invalid_argument", message, hint=f"the mounts are {choices(mounts)}")
    meant = _meant(mounts, mounted_path) if mounts else None
    return failure if meant is None else failure.instead(meant, mounted_path)


def locate_document(mounts: Sequence[Mount], mounted_path: str) -> tuple[Mount, str]:
    """The mount and the checked document path of a mounted path; raises `invalid_argument`."""
    mount, rest = locate(mounts, mounted_path)
    if not rest:
        raise Failure(
            "invalid_argument",
            f"{grammar.excerpt(mounted_path)} is a mount; a document is needed, as in {mount.root}/notes/a",
        )
    return mount, path.check(rest)


def locate_root(mounts: Sequence[Mount], mounted_path: str | None) -> Mount:
    """The mount that is named, where only a mount's root will do; raises `invalid_argument`."""
    mount, rest = locate(mounts, mounted_path)
    if rest:
        raise Failure(
            "invalid_argument",
            f"{grammar.excerpt(str(mounted_path))} is not a mount's root",
            hint=f"use {mount.root}",
        )
    return mount
