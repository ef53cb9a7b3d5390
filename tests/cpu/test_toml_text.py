"""Untrusted TOML: accepted contents, and numbers that no type can hold."""

import math

import pytest

from desktop.base.toml_text import parse_toml


@pytest.mark.parametrize("number", [str(2**63), "0x" + "f" * 5000, "1" * 400, "0b" + "1" * 65])
def test_a_whole_number_beyond_64_bits_is_infinite_wherever_it_stands(number):
    document = f"x = {number}\n[a]\nb = {{ c = [[{number}, 1]] }}\n[[t]]\nx = [{number}]"
    assert parse_toml(document) == {
        "x": math.inf,
        "a": {"b": {"c": [[math.inf, 1]]}},
        "t": [{"x": [math.inf]}],
    }


def test_below_zero_as_well():
    assert parse_toml(f"x = {-(2**63) - 1}")["x"] == -math.inf


def test_the_ends_of_64_bits_and_truth_are_read_as_they_are():
    found = parse_toml(f"least = {-(2**63)}\ngreatest = {2**63 - 1}\nyes = true")
    assert found == {"least": -(2**63), "greatest": 2**63 - 1, "yes": True}
    assert all(isinstance(found[name], int) for name in found)


def test_a_decimal_number_beyond_python_s_own_limit_is_a_value_error():
    with pytest.raises(ValueError):
        parse_toml("x = " + "9" * 5000)
