"""Every file that is made, by its name below the top of the repository."""

from __future__ import annotations

from neosian_cli.commands import groups
from neosian_cli.commands.docs import TOPICS
from neosian_cli.manual import bash, fish, reference, topics, verbs, zsh

MAN = "man"
COMPLETIONS = "completions"
SHIPPED = f"neosian_cli/{COMPLETIONS}"
FOLDERS = (MAN, COMPLETIONS, SHIPPED)
"""What stands here and is not made, is left over."""


def files() -> dict[str, str]:
    """The text of each."""
    made = {"docs/cli.md": reference.text()}
    for name, section, text in topics.pages(TOPICS):
        made[f"{MAN}/{name}.{section}"] = text
    known = [topics.name_of(topic) for topic in TOPICS]
    for entry in groups.ENTRIES:
        for verb in entry.verbs:
            made[f"{MAN}/{verbs.name_of(verb)}.{verbs.SECTION}"] = verbs.page(verb, entry.verbs, known)
    scripts = {"neosian.bash": bash.script(), "_neosian": zsh.script(), "neosian.fish": fish.script()}
    for name, text in scripts.items():
        # `neosian completion` prints those that ship inside the package.
        made[f"{COMPLETIONS}/{name}"] = made[f"{SHIPPED}/{name}"] = text
    return made
