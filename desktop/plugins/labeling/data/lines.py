"""Convert labels of an image to and from JSON. Input is untrusted: values and counts are checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desktop.outputs.journal import shape_json, shape_of
from desktop.plugins.labeling.data.extras import checked
from desktop.plugins.labeling.data.labels import MOST_ITEMS, Item, Picture, class_name, held
from desktop.vision.tasks.shapes import Extents

_TINY: Final = (1e-9, 1e-9)


def picture_json(picture: Picture) -> dict[str, Any]:
    """Return an image's labels as JSON has them; what is as usual is left out."""
    found: dict[str, Any] = {}
    if picture.items:
        found["items"] = [_item_json(item) for item in picture.items]
    if picture.word:
        found["class"] = picture.word
    if picture.word_score is not None:
        found["score"] = picture.word_score
    if picture.confirmed:
        found["confirmed"] = True
    return found


def _item_json(item: Item) -> dict[str, Any]:
    found: dict[str, Any] = {"label": item.label, "box": list(item.box)}
    if item.score is not None:
        found["score"] = item.score
    if item.confirmed:
        found["confirmed"] = True
    if item.shapes:
        found["shapes"] = [shape_json(shape) for shape in item.shapes]
        found["origin"] = list(item.origin)
    return found


def picture_of(kept: Mapping[str, Any]) -> Picture:
    """Return the labels that `picture_json` wrote. Raises ValueError if invalid or beyond a limit."""
    try:
        items = kept.get("items", [])
        if not isinstance(items, list) or len(items) > MOST_ITEMS:
            raise ValueError("too many objects")
        word = class_name(_text(kept.get("class", "")))
        score = _score(kept.get("score")) if word else None
        return Picture(tuple(map(_item_of, items)), word, score, _truth(kept.get("confirmed", False)))
    except (TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ValueError("no labels") from error


def _item_of(kept: Mapping[str, Any]) -> Item:
    label = class_name(_text(kept["label"]))
    if not label:
        raise ValueError("an object without a class")
    box = held(kept["box"], _TINY)
    shapes = tuple(checked(shape_of(each)) for each in kept.get("shapes", []))
    origin: Extents = held(kept["origin"], _TINY) if "origin" in kept else box
    return Item(label, box, _score(kept.get("score")), _truth(kept.get("confirmed", False)), shapes, origin)


def _score(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError("not a score")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("neither true nor false")
    return value
