"""The profile in force: what chose it, and what it says."""

from __future__ import annotations

from neosian_cli.config import choice, place
from neosian_cli.config.file import invalid
from neosian_cli.errors import Failure
from neosian_cli.model.grammar import excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from neosian_cli.config.choice import Chosen
    from neosian_cli.config.sections import Configuration, Profile


class Selected:
    """`origin` says what chose the profile; `file` is where it stands."""

    __slots__ = ("file", "name", "origin", "profile")

    def __init__(self, name: str, origin: str, profile: Profile, file: str) -> None:
        self.name = name
        self.origin = origin
        self.profile = profile
        self.file = file

    def get(self, key: str) -> Chosen | None:
        """The value of a key that the profile gives, with its line as origin."""
        value = getattr(self.profile, key)
        return (value, self._where(key)) if value else None

    def location(self, env: Mapping[str, str]) -> tuple[str, str, str] | None:
        """Kind, value and origin of the root or the url that the profile gives; raises `invalid_config`."""
        if self.profile.url is not None:
            return "url", choice.without_secrets(self.profile.url), self._where("url")
        if self.profile.root is not None:
            return "root", self._root(self.profile.root, env), self._where("root")
        return None

    def _root(self, root: str, env: Mapping[str, str]) -> str:
        """Relative to the folder of the file that names it, so that it means one store wherever the command runs."""
        try:
            return place.absolute(root, env, self.file.rpartition("/")[0] or "/")
        except Failure as failure:
            line = self.profile.lines["root"]
            raise invalid(self.file, failure.message, line=line, key=f"profiles.{self.name}.root") from None

    def _where(self, key: str) -> str:
        return f"profile {self.name} ({self.file}:{self.profile.lines[key]})"


def select(chosen: Chosen | None, file: str, configuration: Configuration | None) -> Selected:
    """The chosen profile, else the file's default; raises `not_found` with the nearest name."""
    if chosen is None:
        assert configuration is not None
        assert configuration.default_profile is not None
        line = configuration.lines["default_profile"]
        chosen = configuration.default_profile, f"default_profile ({file}:{line})"
    name, origin = chosen
    known = configuration.profiles if configuration else {}
    if name not in known:
        raise _unknown(name, origin, file, known, exists=configuration is not None)
    return Selected(name, origin, known[name], file)


def _unknown(name: str, origin: str, file: str, known: Mapping[str, Profile], *, exists: bool) -> Failure:
    from neosian_cli.model.nearest import nearest

    meant = nearest(name, known)
    if meant:
        hint = f"did you mean {meant}?"
    elif known:
        hint = f"the profiles are {', '.join(known)}"
    else:
        hint = f"write it into {file}, or name the store with --root; neosian docs config shows how"
    where = f"in {file}" if exists else f"as there is no {file}"
    message = f"there is no profile {excerpt(name)} {where} ({origin})"
    return Failure("not_found", message, hint=hint, profile=name, profiles=list(known), file=file)
