"""A parameter of a filter. Each type of parameter is a class of its own, in one file in `params/`."""

from __future__ import annotations

import math
import os
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from desktop.base.errors import FilterError
from desktop.base.fields import Field, Number
from desktop.base.wording import Text, sentence
from desktop.vision.task_ids import TASK_IDS

if TYPE_CHECKING:
    import wgpu

    from desktop.compute.gpu.device import Gpu

ParamValue = float | int | bool | str | tuple[float, ...]
Values = Mapping[str, ParamValue]


def number_in(values: Values, name: str) -> float:
    """Return a value that is a number; raise TypeError if it is of another type."""
    value = values[name]
    if isinstance(value, (str, tuple)):
        raise TypeError(f"{name} is {type(value).__name__}, not a number")
    return value


@dataclass(frozen=True)
class Param(Field):
    """One parameter, as a slider, a preset and the command line use it.

    The fields are the keys of a `[[param]]` in a filter's header; every type has all of them, since version
    0.1 ignored those without a meaning. Values are as in TOML; `convert` also accepts the command line's
    texts.

    Attributes:
        unit: 'px', '%', 'EV', 'K', ...
        tasks: of a model: allowed uses of a built-in network ('image', 'mask', 'depth').
        when: (other parameter, conditions) pairs; unmet, this one has no effect and is hidden.
        editor: the window's editor (`desktop/ui/forms/editors/`).
        wgsl, alignment: type of its member in the uniform ('' for none), and bytes (WGSL, section 14.4.1).
    """

    type: str = field(default="", init=False)
    tasks: tuple[str, ...] = ()

    wgsl: ClassVar[str] = ""
    alignment: ClassVar[int] = 1

    def refused(self, value: Any, expects: Text) -> FilterError:
        """Return the error for what it does not take."""
        return FilterError(
            sentence(
                "'{value}' is not a value for '{name}'; it takes {expects}.",
                value=str(value)[:60],
                name=self.name,
                expects=expects,
            )
        )

    # -- what a type defines ---------------------------------------------------------------------------------

    def pack(self, value: Any) -> bytes:
        """Return a checked value's bytes in the uniform (little endian); empty if it has no member."""
        return b""

    @property
    def fallback(self) -> ParamValue | None:
        """The default where a header gives none; None where it must."""
        return None

    @property
    def cases(self) -> tuple[ParamValue, ...]:
        """All values where they can be counted, so that each can be tried."""
        return ()

    @property
    def conditions(self) -> tuple[ParamValue, ...]:
        """Values that another parameter's `when` may state for this one; empty if none."""
        return self.cases

    def condition(self, value: ParamValue) -> ParamValue:
        """Return which of `conditions` a checked value is."""
        return value

    def is_known(self, value: ParamValue) -> bool:
        """Return whether `condition` can tell of a checked value; not of a file that is not there."""
        return True

    def typed_condition(self, wanted: tuple[ParamValue, ...]) -> Text | str:
        """Return how to meet one of these conditions on the command line: a sentence's end after 'unless'."""
        return f"{self.name}=" + "|".join(_typed(value) for value in wanted)

    def checked_condition(self, value: Any) -> ParamValue:
        """Return one of `conditions` as written in a header; raise FilterError if it is invalid."""
        return self.check(value)

    @property
    def expects_condition(self) -> Text:
        """Description of the values that a `when` accepts."""
        return self.expects

    @property
    def ends(self) -> tuple[ParamValue, ParamValue]:
        """The least and the greatest value, between which an untrusted filter is tried."""
        return self.default, self.default

    def tasks_fit(self) -> bool:
        """Return whether `tasks` is as this type wants it."""
        return not self.tasks

    def fault(self) -> Text | None:
        """Return the fault of a declaration, except of its default, as half a sentence; None if valid."""
        if len(set(self.choices)) != len(self.choices):
            return sentence("two of its choices have the same name")
        if not self.tasks_fit():
            return sentence(
                "'tasks' belongs to a model, and is a list of some of {tasks}", tasks=", ".join(TASK_IDS)
            )
        if self.min >= self.max:
            return sentence("min {min:g} is not below max {max:g}", min=self.min, max=self.max)
        if not self.step >= 0:
            return sentence("'step' is below zero")
        return None


def _typed(value: ParamValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class NumberParam(Number, Param):
    """A number between bounds."""

    alignment = 4

    def in_bounds(self, value: Any) -> float:
        """Return a number, also from text; raise TypeError, ValueError or OverflowError if invalid."""
        number = float(value)
        if isinstance(value, bool) or not math.isfinite(number) or not self.min <= number <= self.max:
            raise ValueError
        return number

    @property
    def bounds(self) -> dict[str, Any]:
        """`min`, `max` and `unit` for a sentence; a unit with a space before it."""
        return {"min": self.min, "max": self.max, "unit": f" {self.unit}" if self.unit else ""}


class FileParam(Param):
    """Path of a file ('' for none), contained in presets or stored next to them; `noun` is its kind."""

    noun: ClassVar[Text]

    def convert(self, value: Any) -> str:
        """Return the path, of a file that may be missing; raise TypeError or ValueError if invalid."""
        path = os.fspath(value)
        if not isinstance(path, str):
            raise TypeError
        if "\0" in path:
            raise ValueError
        return path

    @property
    def fallback(self) -> str:
        """No file."""
        return ""

    def is_path(self, value: ParamValue) -> bool:
        """Return whether a value names a file."""
        return bool(value)

    def without_file(self, value: str) -> str:
        """Return the value that stands for one whose file a preset does not find."""
        return ""


@dataclass(frozen=True)
class CarriedTexture:
    """File's texture for other programs: rgba16float texels of `size` (width, height, depth), or an image
    file's bytes, with None for `size`.
    """

    data: bytes
    size: tuple[int, int, int] | None


@dataclass(frozen=True)
class LoadedTexture:
    """A texture that was made of a file, and what releases it."""

    texture: wgpu.GPUTexture
    close: Callable[[], None]


class TextureParam(FileParam):
    """A file that a filter's passes read as a texture by the parameter's name."""

    dimension: ClassVar[Literal["2d", "3d"]]

    @abstractmethod
    def carried(self, value: str) -> CarriedTexture:
        """Return a value's texture; raise FilterError or SourceError if it is unreadable or not portable."""

    @abstractmethod
    def load(self, gpu: Gpu, value: str) -> LoadedTexture:
        """Read a checked value's file into a texture (slow); raise FilterError or SourceError on failure."""
