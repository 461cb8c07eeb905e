"""`neosian export` and `neosian import`, as data. What they do stands in a module that loads when called."""

from __future__ import annotations

from neosian_cli.commands.declare import Argument, Flag, Option, Verb

RUN = "neosian_cli.commands.archives_run"
SCHEMA = "neosian_cli.services.archive_schema"

CHOICE = (
    Option("--scope", metavar="SCOPE", repeat=True, complete="scope", help="only this scope"),
    Option("--namespace", metavar="NAME", repeat=True, complete="namespace", help="only this namespace"),
)

VERBS = (
    Verb(
        None,
        "export",
        "write an archive, which is itself a store",
        run=f"{RUN}:export",
        params=(
            Argument("DIR", "where to: a directory that does not exist yet, or an empty one", kind="dir"),
            *CHOICE,
            Flag("--skip-damaged", help="leave out what is damaged and name it, instead of refusing"),
        ),
        mutates=True,
        description="Whole scopes with all versions and erasures, and namespaces with their history; all of them "
        "where none is named. Events are not taken along: each scope's feed begins anew. Writers go on meanwhile; "
        "every scope and every namespace is written as it stood at one moment. An export that is stopped leaves a "
        "directory that is no store.",
        examples=("neosian export ~/backup/2026-01-02", "neosian export project --scope user:me/proj:erp"),
        exits=(4, 5, 9),
        result=f"{SCHEMA}:EXPORTED",
    ),
    Verb(
        None,
        "import",
        "take scopes and namespaces out of an archive",
        run=f"{RUN}:import_",
        params=(
            Argument("DIR", "an archive, or the root of any store", kind="dir"),
            *CHOICE,
            Option(
                "--from",
                choices=("archive", "neosian"),
                default="archive",
                help="what DIR is: an archive, or the file store of the Python package neosian 1.12",
            ),
        ),
        mutates=True,
        description="Acts at once, one transaction for each scope and namespace, and only where the scope or namespace "
        "was never used. All of them are checked before the first is written. The feed of each scope begins with a "
        "reset, reason restored. With --from neosian whatever cannot be taken over is named under skipped.",
        examples=(
            "neosian import ~/backup/2026-01-02",
            "neosian import ~/old/.neosian --from neosian --json | jq '.skipped[]'",
        ),
        exits=(4, 5, 9),
        result=f"{SCHEMA}:IMPORTED",
    ),
)
