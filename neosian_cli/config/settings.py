"""The settings in force and where each came from: option, environment, profile, default, in this order.

Every command passes through here, so without a configuration file next to nothing is imported. Secrets are no
settings: the token of a served store is read where a connection is made, and never kept.
"""

from __future__ import annotations

from neosian_cli.config import choice, defaults, place, workspace
from neosian_cli.errors import Failure
from neosian_cli.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from neosian_cli.config.choice import Chosen
    from neosian_cli.config.namespace import Caps, Namespace
    from neosian_cli.config.profile import Selected
    from neosian_cli.config.sections import Configuration
    from neosian_cli.model.mount import Mount
    from neosian_cli.model.query import Planner


@value
class Settings:
    """Exactly one of `root` and `url` is set. `url` shows no credentials. `lock_timeout` is in seconds.

    `configuration` is None where there is no file. `origins` says of each setting where it came from; `source` holds
    profile, root and url as far as they were chosen and did not just fall to their defaults.
    """

    home: str
    config_file: str
    configuration: Configuration | None
    profile: str | None
    root: str | None
    url: str | None
    actor: str
    lock_timeout: float
    origins: Mapping[str, str]
    source: Mapping[str, str]
    chosen_mounts: tuple[Mount, ...] | None
    login: str | None
    folder: str | None

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """The mounts; raises `invalid_argument` when the default ones are needed and the folder gives no name."""
        if self.chosen_mounts is not None:
            return self.chosen_mounts
        assert self.login is not None
        return workspace.default_mounts(self.login, self.folder)

    @property
    def namespaces(self) -> tuple[Namespace, ...]:
        """The configured namespaces, in the order of the file."""
        return self.configuration.namespaces if self.configuration else ()

    @property
    def caps(self) -> Caps:
        if self.configuration is not None and self.configuration.caps is not None:
            return self.configuration.caps
        from neosian_cli.config.namespace import Caps

        return Caps()

    def local_root(self) -> str:
        """The store's directory; raises `unsupported` where a served store was chosen."""
        if self.root is None:
            raise Failure(
                "unsupported",
                f"served stores are not supported yet ({self.origins['url']})",
                hint="name a local store with --root",
                url=self.url,
            )
        return self.root

    def namespace(self, name: str) -> Namespace | None:
        """The configured namespace of this name, None if the configuration says nothing about it.

        Raises `unsupported` for one whose backend this program does not have.
        """
        for known in self.namespaces:
            if known.name == name:
                known.require_backend()
                return known
        return None

    def planner(self, name: str) -> Planner:
        """Where searches in this namespace change their way: as configured, else the defaults."""
        from neosian_cli.model.query import Planner

        configured = self.namespace(name)
        return Planner() if configured is None else configured.planner


def resolve(values: Mapping[str, Any], env: Mapping[str, str], *, cwd: str | None = None) -> Settings:
    """The settings for parsed options `values` (by name; None or absent: not given) and an environment.

    `cwd` stands for the current folder. The configuration file is read and checked whole; no store is touched.
    Raises `usage` or `invalid_argument` for values and contradictions, `invalid_config`, and `not_found` for a missing
    profile or file.
    """
    location = choice.among(values, env, "root", "url")
    mounts = choice.mounts(values, env)
    actor = choice.actor(values, env)
    wait, wait_origin = choice.lock_timeout(values, env) or (defaults.LOCK_TIMEOUT, "default")
    home = place.program_home(env, cwd)
    file, file_origin, configuration = _configuration(values, env, home, cwd)
    profile = _profile(values, env, file, configuration)

    kind, where, where_origin = _location(location, profile, home, env, cwd)
    if profile is not None:
        mounts = mounts or profile.get("mounts")
        actor = actor or profile.get("actor")
    login = None if mounts and actor else workspace.login(env)
    who, who_origin = actor or (f"cli:{login}", "default")
    origins = {
        "home": f"environment {choice.variable('home')}" if env.get("NEOSIAN_HOME") else "default",
        "config": file_origin,
        "profile": profile.origin if profile else "default",
        kind: where_origin,
        "mounts": mounts[1] if mounts else "default",
        "actor": who_origin,
        "lock_timeout": wait_origin,
        "namespaces": _section_origin(file, configuration, "namespaces"),
        "caps": _section_origin(file, configuration, "caps"),
    }
    source = {"profile": profile.name} if profile else {}
    if where_origin != "default":
        source[kind] = where
    return Settings(
        home=home,
        config_file=file,
        configuration=configuration,
        profile=profile.name if profile else None,
        root=where if kind == "root" else None,
        url=where if kind == "url" else None,
        actor=who,
        lock_timeout=wait,
        origins=origins,
        source=source,
        chosen_mounts=mounts[0] if mounts else None,
        login=login,
        folder=cwd,
    )


def _configuration(
    values: Mapping[str, Any],
    env: Mapping[str, str],
    home: str,
    cwd: str | None,
) -> tuple[str, str, Configuration | None]:
    """The file's name, what named it, and what it says; None where nothing named a file and there is none."""
    from neosian_cli.config import file

    named = choice.one(values, env, "config")
    if named is None:
        name, origin = place.inside(home, "config.yaml"), "default"
    else:
        with choice.blaming(named[1]):
            name, origin = place.absolute(named[0], env, cwd), named[1]
    text = file.read(name, demanded=named is not None)
    if text is None:
        return name, origin, None
    from neosian_cli.config.load import load

    return name, origin, load(name, text)


def _profile(
    values: Mapping[str, Any],
    env: Mapping[str, str],
    file: str,
    configuration: Configuration | None,
) -> Selected | None:
    chosen = choice.one(values, env, "profile")
    if chosen is None and (configuration is None or configuration.default_profile is None):
        return None
    from neosian_cli.config.profile import select

    return select(chosen, file, configuration)


def _location(
    chosen: tuple[str, Chosen] | None,
    profile: Selected | None,
    home: str,
    env: Mapping[str, str],
    cwd: str | None,
) -> tuple[str, str, str]:
    """Which of root and url is in force, its value (absolute, or freed of credentials) and its origin."""
    if chosen is not None:
        kind, (value, origin) = chosen
        if kind == "url":
            return kind, choice.without_secrets(value), origin
        with choice.blaming(origin):
            return kind, place.absolute(value, env, cwd), origin
    if profile is not None and (found := profile.location(env)):
        return found
    return "root", place.inside(home, "store"), "default"


def _section_origin(file: str, configuration: Configuration | None, key: str) -> str:
    line = configuration.lines.get(key) if configuration else None
    return "default" if line is None else f"file {file}:{line}"
