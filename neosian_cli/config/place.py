"""Where a directory or file that somebody named is: `~`, relative names, and the home of this program.

A name keeps its symbolic links, so that what is shown is what was written. Only `..` is resolved, against the real
directories: leaving a linked folder leads where the system would lead, not where the spelling suggests.
"""

from __future__ import annotations

import os

from neosian_cli.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def current_folder() -> str:
    """The current folder without links; raises `not_found` when it has been removed."""
    try:
        return os.getcwd()
    except OSError:
        raise Failure(
            "not_found",
            "the current folder no longer exists",
            hint="change to a folder that exists, or name the store by an absolute --root and the mounts by --scope",
        ) from None


def user_home(env: Mapping[str, str]) -> str:
    """`$HOME`, else what the password database says; raises `invalid_argument` when neither knows."""
    home = env.get("HOME")
    if home:
        return home
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        raise Failure(
            "invalid_argument",
            "this user has no home directory: HOME is not set, and the password database does not know the user",
            hint="set NEOSIAN_HOME",
        ) from None


def program_home(env: Mapping[str, str], folder: str | None = None) -> str:
    """The absolute `$NEOSIAN_HOME`, else `~/.neosian`."""
    named = env.get("NEOSIAN_HOME")
    if named:
        return absolute(named, env, folder)
    return absolute("~/.neosian", env, folder)


def inside(folder: str, name: str) -> str:
    return f"{folder.rstrip('/')}/{name}"


def absolute(path: str, env: Mapping[str, str], folder: str | None = None) -> str:
    """`path` with `~` and `~user` filled in, relative to `folder` (None: the current one).

    Raises `invalid_argument` for an unknown user or a NUL. Any other byte may stand in a name.
    """
    whole = _with_home(path, env) if path.startswith("~") else path
    if not whole.startswith("/"):
        whole = f"{folder or current_folder()}/{whole}"
    if "\0" in whole:
        raise Failure("invalid_argument", f"the name {path!a} holds a NUL character")
    return _tidy(whole)


def _with_home(path: str, env: Mapping[str, str]) -> str:
    user, slash, rest = path[1:].partition("/")
    if not user:
        return f"{user_home(env)}{slash}{rest}"
    import pwd

    try:
        return f"{pwd.getpwnam(user).pw_dir}{slash}{rest}"
    except (KeyError, ValueError):
        raise Failure(
            "invalid_argument",
            f"{path!a} begins with the home of a user who does not exist",
            hint="write ./~name for a folder that is really called so",
        ) from None


def _tidy(path: str) -> str:
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." not in parts:
        return "/" + "/".join(parts)
    last = len(parts) - parts[::-1].index("..")
    physical = os.path.realpath("/" + "/".join(parts[:last]))
    return "/".join([physical.rstrip("/"), *parts[last:]]) or "/"
