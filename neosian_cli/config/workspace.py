"""Who is at work, and on which project: the login and the slug that the default mounts are made of."""

from __future__ import annotations

import os
import stat

from neosian_cli.config import place
from neosian_cli.errors import Failure
from neosian_cli.model import grammar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from neosian_cli.model.mount import Mount


def login(env: Mapping[str, str]) -> str:
    """`$LOGNAME`, else `$USER`, else the password database's name of this user, else `uid-<number>`.

    That is the order of POSIX tools and of Python's getpass. What an actor may not hold becomes `-`.
    """
    for name in ("LOGNAME", "USER"):
        known = _replaced(env.get(name, ""))
        if known.strip("."):
            return known
    import pwd

    try:
        known = _replaced(pwd.getpwuid(os.getuid()).pw_name)
    except KeyError:
        known = ""
    return known if known.strip(".") else f"uid-{os.getuid()}"


def project_folder(folder: str) -> str:
    """The top of the nearest enclosing git work tree, else the folder itself; `folder` is absolute.

    A work tree's top holds `.git`: a directory, or a file in linked work trees and submodules. No git process runs.
    """
    top = folder
    while True:
        try:
            mode = os.stat(os.path.join(top, ".git")).st_mode
        except (OSError, ValueError):
            mode = 0
        if stat.S_ISDIR(mode) or stat.S_ISREG(mode):
            return top
        parent = os.path.dirname(top)
        if parent == top:
            return folder
        top = parent


def slug(folder: str) -> str:
    """The project's name in a scope; raises `invalid_argument` when the folder's name leaves nothing of it."""
    top = project_folder(folder)
    name = _replaced(os.path.basename(top)).strip("-.")
    if name:
        return name
    raise Failure(
        "invalid_argument",
        f"the folder {top!a} gives no name for a project",
        hint="work in a folder with a name of letters or digits, or give --scope or --mount",
        folder=ascii(top)[1:-1],
    )


def default_mounts(who: str, folder: str | None) -> tuple[Mount, ...]:
    """`/user` and `/project`, when nothing else was chosen; `folder` None is the current one."""
    from neosian_cli.model import mount

    project = slug(place.current_folder() if folder is None else folder)
    return mount.make("user", f"user:{who}"), mount.make("project", f"user:{who}/proj:{project}")


def _replaced(name: str) -> str:
    """At most 128 characters, each one that a name may hold."""
    return "".join(letter if letter in grammar.NAME else "-" for letter in name)[: grammar.MAX_NAME]
