"""The program's own source, as the tests of its architecture read it."""

from __future__ import annotations

import ast
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PACKAGE = TOP / "neosian_cli"


class Source:
    """One module: its name within the package, its room, its text and its tree."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path.relative_to(PACKAGE).with_suffix("")).replace("/", ".")
        self.room = self.name.partition(".")[0]
        self.text = path.read_text()
        self.tree = ast.parse(self.text)

    def __repr__(self) -> str:
        return self.name

    @property
    def imports(self) -> set[str]:
        """Every module that is imported anywhere in it, also inside functions and for types only.

        Names from `neosian_cli` itself are given as modules of it.
        """
        found: set[str] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{self.name}: a relative import"
                module = node.module or ""
                found.add(module)
                if module.partition(".")[0] == "neosian_cli":
                    found.update(f"{module}.{alias.name}" for alias in node.names)
        return found

    @property
    def rooms(self) -> set[str]:
        """The rooms of the program that it imports from."""
        ours = {name.split(".")[1] for name in self.imports if name.startswith("neosian_cli.")}
        return {room for room in ours if (PACKAGE / room).is_dir() or (PACKAGE / f"{room}.py").is_file()}

    def calls(self) -> set[str]:
        """Dotted names of all that is called, as far as they are written out."""
        return {name for node in ast.walk(self.tree) if isinstance(node, ast.Call) if (name := dotted(node.func))}

    def names(self) -> set[str]:
        """Dotted names of all attributes that are looked up."""
        return {name for node in ast.walk(self.tree) if isinstance(node, ast.Attribute) if (name := dotted(node))}


def dotted(node: ast.AST) -> str | None:
    """`a.b.c` of an expression, or None where it is none."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return None if base is None else f"{base}.{node.attr}"
    return None


SOURCES = [Source(path) for path in sorted(PACKAGE.rglob("*.py"))]
