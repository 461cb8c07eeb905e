"""`neosian completion`: the completion scripts that ship inside the package."""

from __future__ import annotations

from neosian_cli.commands.declare import Argument, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.commands.call import Call

SCRIPTS = {"bash": "neosian.bash", "zsh": "_neosian", "fish": "neosian.fish"}


def run(call: Call) -> int:
    from neosian_cli.services.pages import completion

    shell = call.string("shell")
    script = completion(SCRIPTS[shell])
    call.output.result({"shell": shell, "script": script}, lambda out: out.raw(script.encode()))
    return 0


VERBS = (
    Verb(
        None,
        "completion",
        "print the completion script of a shell",
        run=run,
        selection=False,
        params=(Argument("SHELL", "which shell", choices=tuple(SCRIPTS)),),
        description="Commands, options and choices are completed from the script itself; mounts, paths, namespaces, "
        "messages and profiles are asked of the program, which waits for nothing and changes nothing.",
        examples=(
            "source <(neosian completion bash)",
            'neosian completion zsh > "${fpath[1]}/_neosian"',
            "neosian completion fish > ~/.config/fish/completions/neosian.fish",
        ),
        result={
            "type": "object",
            "properties": {"shell": {"enum": list(SCRIPTS)}, "script": {"type": "string"}},
            "required": ["shell", "script"],
        },
    ),
)
