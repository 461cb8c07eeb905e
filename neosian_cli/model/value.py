"""Values: what frozen dataclasses with slots are, for the modules that every call loads.

The import of `dataclasses` costs more than the start of Python itself, since it brings `inspect` and `re` along, and
each of its classes is compiled anew. To a type checker these are frozen dataclasses; at run time nothing but the type
checker keeps a value from being changed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar, dataclass_transform

    T = TypeVar("T")

    @dataclass_transform(frozen_default=True)
    def value(cls: type[T]) -> type[T]: ...

else:

    def value(cls: type) -> type:
        """A class with slots, `__init__`, `__eq__`, `__hash__` and `__repr__` made from the annotations of `cls`."""
        names = tuple(cls.__annotations__)
        defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
        members = {key: item for key, item in cls.__dict__.items() if key not in _OF_THE_FIRST and key not in defaults}
        members.update(
            __slots__=names,
            __match_args__=names,
            __init__=_init_once_needed(names, defaults),
            __eq__=_equal,
            __hash__=_hash,
            __repr__=_show,
        )
        return type(cls.__name__, cls.__bases__, members)


class _Rows(type):
    """Makes a tuple with names of a class body, as the metaclass of `typing.NamedTuple` does."""

    def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, members)
        from collections import namedtuple

        make: Any = namedtuple  # noqa: PYI024  # names that a type checker cannot know
        names = tuple(members.get("__annotations__", ()))
        defaults = [members[field] for field in names if field in members]
        made = make(name, names, defaults=defaults, module=members["__module__"])
        for key, item in members.items():
            if key not in names and key not in _OF_THE_CLASS:
                setattr(made, key, item)
        return made


class NamedTuple(metaclass=_Rows):
    """What `typing.NamedTuple` is, without the import of `typing`; a type checker is shown that one instead."""


_OF_THE_CLASS = ("__annotations__", "__module__", "__qualname__", "__slots__")
_OF_THE_FIRST = ("__dict__", "__weakref__")


def fields(cls: type) -> tuple[str, ...]:
    """The names of a value's fields, in order."""
    names: tuple[str, ...] = cls.__slots__  # type: ignore[attr-defined]
    return names


def replace(item: T, **changes: Any) -> T:
    """The value with some of its fields changed."""
    cls = type(item)
    return cls(**{**{name: getattr(item, name) for name in fields(cls)}, **changes})


def _init_once_needed(names: tuple[str, ...], defaults: dict[str, object]) -> Any:
    """A short call makes no values of most classes that it loads: what makes one is compiled with the first."""

    def __init__(self: Any, *given: object, **named: object) -> None:  # noqa: N807
        cls = type(self)
        cls.__init__ = made = _init(names, defaults)
        made(self, *given, **named)

    return __init__


def _init(names: tuple[str, ...], defaults: dict[str, object]) -> Any:
    """Written out and compiled: a loop over the names would cost a log's reader a third of its time."""
    parameters = ", ".join(f"{name}=defaults[{name!r}]" if name in defaults else name for name in names)
    body = "".join(f"\n    self.{name} = {name}" for name in names) or "\n    pass"
    made: dict[str, Any] = {}
    exec(f"def __init__(self, {parameters}):{body}", {"defaults": defaults}, made)  # noqa: S102  # names of our own
    return made["__init__"]


def _fields(item: Any) -> tuple[object, ...]:
    return tuple(getattr(item, name) for name in fields(type(item)))


def _equal(item: object, other: object) -> bool:
    return _fields(item) == _fields(other) if type(item) is type(other) else NotImplemented


def _hash(item: object) -> int:
    return hash(_fields(item))


def _show(item: object) -> str:
    shown = ", ".join(f"{name}={getattr(item, name)!r}" for name in fields(type(item)))
    return f"{type(item).__name__}({shown})"
