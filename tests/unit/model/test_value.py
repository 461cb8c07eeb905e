from __future__ import annotations

import typing

import pytest

from neosian_cli.model.value import NamedTuple, fields, replace, value


@value
class Place:
    """Where it is."""

    name: str
    number: int = 7

    @property
    def doubled(self) -> int:
        return self.number * 2

    @classmethod
    def first(cls) -> Place:
        return cls("first", 1)


@value
class Other:
    name: str
    number: int


def test_it_takes_its_fields_by_place_and_by_name():
    assert Place("a", 2).number == Place(name="a", number=2).number == 2
    assert Place("a").number == 7
    with pytest.raises(TypeError):
        Place()


def test_it_has_slots_and_nothing_else():
    place = Place("a")
    with pytest.raises(AttributeError):
        place.other = 1
    assert fields(Place) == ("name", "number")
    assert not hasattr(place, "__dict__")


def test_equal_values_are_one():
    assert Place("a", 2) == Place("a", 2)
    assert len({Place("a", 2), Place("a", 2), Place("a", 3)}) == 2
    assert Place("a", 2) != Other("a", 2)
    assert Place("a", 2) != ("a", 2)


def test_replace_changes_a_copy():
    place = Place("a", 2)
    assert replace(place, number=3) == Place("a", 3)
    assert place.number == 2


def test_what_the_class_had_stays():
    assert Place.__doc__ == "Where it is."
    assert Place.first().doubled == 2
    assert repr(Place("a", 2)) == "Place(name='a', number=2)"
    match Place("a", 2):
        case Place(name, number):
            assert (name, number) == ("a", 2)


class Light(NamedTuple):
    """A point."""

    x: int
    y: int = 2

    @property
    def both(self) -> int:
        return self.x + self.y


def test_a_tuple_with_names_is_as_one_of_typing():
    class Heavy(typing.NamedTuple):
        """A point."""

        x: int
        y: int = 2

    made = Light(1)
    assert made == (1, 2) == Heavy(1)
    assert made.both == 3
    assert made._replace(y=5) == Light(x=1, y=5)
    assert made._asdict() == Heavy(1)._asdict()
    assert Light._fields == Heavy._fields
    assert Light._field_defaults == Heavy._field_defaults
    assert Light.__doc__ == "A point."
    assert Light.__module__ == __name__
    assert repr(made) == "Light(x=1, y=2)"
    with pytest.raises(TypeError):
        Light()
    with pytest.raises(AttributeError):
        made.x = 3
