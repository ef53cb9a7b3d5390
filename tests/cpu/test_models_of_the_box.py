"""A network in the box is the same by its name and by its path."""

from __future__ import annotations

import pytest

from desktop.vision.models.builtin import builtin_models, find_model, read_statement


@pytest.mark.parametrize("name", sorted(builtin_models()))
def test_a_path_into_the_box_brings_what_the_box_says(name):
    path, statement = find_model(name)
    assert find_model(str(path)) == (path, statement)
    assert read_statement(path) == statement
