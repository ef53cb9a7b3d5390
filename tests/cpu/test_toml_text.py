"""Untrusted TOML: accepted contents, and numbers that no type can hold."""

import itertools
import math
import time
import tomllib

import pytest

from desktop.base.toml_text import key_lines, parse_toml


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


@pytest.mark.parametrize(("letters", "most"), [('"\\a\n', 7), ("'a\n", 8), ("\"'#[=", 5)])
def test_strings_and_comments_end_where_they_do_in_tomllib(letters, most):
    """All texts of a few letters as a value: the key on the line behind it is found where tomllib reads one."""
    seen = 0
    for length in range(most + 1):
        for chosen in itertools.product(letters, repeat=length):
            text = f"a = {''.join(chosen)}\nlast = 1\n"
            try:
                document = tomllib.loads(text)
            except tomllib.TOMLDecodeError:
                continue
            lines = key_lines(text)
            if "last" in document:
                assert lines["last",] == text.count("\n"), text
            else:
                assert ("last",) not in lines, text
            seen += 1
    assert seen > 20


@pytest.mark.parametrize("quote", ['"', "'"])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_long_string_may_end_in_two_more_quotation_marks(quote, count):
    value = f"{quote * 3}x{quote * (3 + count)}"
    text = f"a = [{value}, {quote * 3}y\n[table]\nlast = 2\n{quote * 3}]\nz = 1\n"
    assert tomllib.loads(text).keys() == {"a", "z"}
    assert key_lines(text) == {("a",): 1, ("z",): 5}
    deep = f"a = {{ x = {value}, {'.'.join('b' * 5000)} = 1 }}"
    with pytest.raises(ValueError, match="a key in it has more than 16 parts"):
        parse_toml(deep)


@pytest.mark.parametrize("begin", ['"""', "'''", '"', "'", "# "])
def test_long_strings_are_read_in_a_moment(begin):
    """Escapes and quotation marks in a million letters, closed or not."""
    for inner in ('\\"', "a", '"a', "\\\\", "'b"):
        begun = time.process_time()
        key_lines(f"a = {begin}{inner * 500_000}\nb = 1\n")
        assert time.process_time() - begun < 5.0
