"""The settings in force, and whether the configuration is good, as results."""

from __future__ import annotations

from neosian_cli.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.config.settings import Settings
    from neosian_cli.model.mount import Mount


def show(settings: Settings) -> dict[str, Any]:
    """All settings and where each came from, keys in the documented order.

    Default mounts that cannot be named here are shown as none, with the reason as `problem`: looking at settings must
    work in every folder.
    """
    mounts, problem = _mounts(settings)
    wait = settings.lock_timeout
    return {
        "home": settings.home,
        "config": settings.config_file,
        "config_found": settings.configuration is not None,
        "profile": settings.profile,
        "root": settings.root,
        "url": settings.url,
        "mounts": [{"path": mount.root, "scope": mount.scope, "mode": mount.mode} for mount in mounts],
        "actor": settings.actor,
        "lock_timeout": int(wait) if wait.is_integer() else wait,
        "namespaces": [namespace.shown() for namespace in settings.namespaces],
        "caps": settings.caps.shown(),
        "origins": {**settings.origins, **_cap_origins(settings)},
        "problem": problem.message if problem else None,
    }


def _cap_origins(settings: Settings) -> dict[str, str]:
    """Where each cap came from: a file need not give them all."""
    configuration = settings.configuration
    lines = configuration.cap_lines if configuration else {}
    return {
        f"caps.{name}": f"file {settings.config_file}:{lines[name]}" if name in lines else "default"
        for name in settings.caps.shown()
    }


def check(settings: Settings) -> dict[str, Any]:
    """What the checked file holds; a file with a fault never comes as far as this."""
    configuration = settings.configuration
    return {
        "file": settings.config_file,
        "ok": True,
        "found": configuration is not None,
        "default_profile": configuration.default_profile if configuration else None,
        "profiles": list(configuration.profiles) if configuration else [],
        "namespaces": [namespace.name for namespace in settings.namespaces],
    }


def _mounts(settings: Settings) -> tuple[tuple[Mount, ...], Failure | None]:
    try:
        return settings.mounts, None
    except Failure as failure:
        return (), failure
