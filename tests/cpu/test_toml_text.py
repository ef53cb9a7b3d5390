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


@pytest.mark.parametrize(
    ("document", "is_of_escape"),
    [
        ('a = "C:\\users"', True),
        ('a = "C:\\my"', True),
        ('a = "\\ud800"', True),
        ('a = "C:\\new\\"\nb = 1', True),
        ('b = 1\na = "C:\\new\\"\n', True),
        ('b = 1\na = "C:\\', True),
        ("a = 'C:\\x' b", False),
        ('a = "a\\tb" b', False),
        ('a = "a\\tb\nb = 1', False),
        ('b = "\\"a\\""\na = "b', False),
        ("# C:\\x\n[a", False),
    ],
)
def test_only_an_error_about_a_backslash_comes_with_advice_on_paths(document, is_of_escape):
    with pytest.raises(ValueError) as raised:
        parse_toml(document)
    assert ("write a path in single ones" in str(raised.value)) == is_of_escape, raised.value
