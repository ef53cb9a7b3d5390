"""What a stranger's TOML may say, and what is refused before anybody reads a value of it."""

import pytest

from desktop.toml_text import parse_toml


@pytest.mark.parametrize(
    "number", [str(2**63), str(-(2**63) - 1), "0x" + "f" * 5000, "1" * 400, "0b" + "1" * 65]
)
@pytest.mark.parametrize("place", ["x = {}", "x = [1, {}]", "[a]\nb = {{ c = [[{}]] }}", "[[a]]\nx = {}"])
def test_a_whole_number_beyond_64_bits_is_refused_wherever_it_stands(place, number):
    with pytest.raises(ValueError, match="64 bits"):
        parse_toml(place.format(number))


def test_the_ends_of_64_bits_are_read_as_they_are():
    assert parse_toml(f"least = {-(2**63)}\ngreatest = {2**63 - 1}") == {
        "least": -(2**63),
        "greatest": 2**63 - 1,
    }


def test_a_decimal_number_beyond_python_s_own_limit_is_a_value_error():
    with pytest.raises(ValueError):
        parse_toml("x = " + "9" * 5000)
