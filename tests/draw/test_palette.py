import pytest

import quet
from quet.core.errors import BrokenRules
from quet.draw.palette import ROLES, colour
from quet.draw.scene import Text

GROUNDS = {  # every role that text is written in, and what it is written on
    "ink": ("paper", "square", "tint", "tint_one", "tint_two", "tint_good", "tint_bad"),
    "muted": ("paper", "square"),
    "on_filled": ("filled",),
    "one": ("paper", "tint_one"),
    "two": ("paper", "tint_two"),
    "good": ("paper", "square", "tint_good"),
    "bad": ("paper", "square", "tint_bad"),
    "cost": ("paper", "square", "tint", "tint_good", "tint_cost"),
}


def luminance(rgb: str) -> float:
    """Relative luminance, WCAG 2.2."""
    levels = [int(rgb[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in levels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_as_the_standard_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("role", GROUNDS)
def test_text_can_be_read_on_everything_that_it_is_written_on(role: str, theme: str) -> None:
    which = theme == "dark"
    for ground in GROUNDS[role]:
        assert contrast(ROLES[role][which], ROLES[ground][which]) >= 4.5, (role, ground)


@pytest.mark.parametrize("theme", [0, 1])
def test_marks_stand_out_from_the_squares(theme: int) -> None:
    for mark in ("legal", "filled", "border"):
        assert contrast(ROLES[mark][theme], ROLES["square"][theme]) >= 3, mark


def test_a_role_without_a_colour_is_refused_with_its_name() -> None:
    assert colour("ink", "light") != colour("ink", "dark")
    with pytest.raises(BrokenRules, match="'pink'"):
        colour("pink", "light")


def test_prices_are_drawn_in_the_colour_of_costs() -> None:
    scene = quet.new("divisors-multiples", r=9).scene()
    marks = {shape.role for shape in scene.shapes if isinstance(shape, Text) and shape.size < 0.3}
    assert "cost" in marks and not marks & {"good", "bad"}
