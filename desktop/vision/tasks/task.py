"""Interface of a task: all that the window, presets, the command line and the runner use of it.

A task is one file beside this one, named after the task, which defines `TASK`; `tasks/__init__.py` discovers them. docs/adding-a-task.md
has an example. There are two kinds: a `ResultTask` analyzes the image; a `StageTask` makes an image or a map, which a filter of the
chain uses (vision/tasks/common/dense.py).

A task's file is imported with the first network. It may import anything below the runner: networks' files (models/), sessions (nn/) and the
GPU (gpu/), never running/, chain/, presets/ or the window.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from desktop.base.errors import Choice, UsageError
from desktop.base.wording import Text, joined, sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Session, Tensor
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Finding, Kind, Match
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess, choose_preprocess
from desktop.vision.models.recurrence import customary_inputs
from desktop.vision.models.sidecar import SIDECAR_KEYS, sidecar_path
from desktop.vision.tasks.shapes import Shape

if TYPE_CHECKING:
    import wgpu

Size = tuple[int, int]
"""(width, height) of an image, in pixels."""
Values = Mapping[str, Any]
"""Values of settings by name."""


# -- settings ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Setting(ABC):
    """A setting of a network: a row in the window, a key of presets, an option of the command line.

    Attributes:
        name: in presets and options; the same name in two tasks means the same kind.
        label: the row's name.
        help: the row's tool tip.
        option: help of the command line's option; '' for none.
        metavar: of the option's value.
        default: default value; None for the network's usual one (`Features.usual`).
        live: it can be changed while the network runs; anything else loads the network anew.
        folded: in the folded group of rarely used rows.
        has_row: shown in the window.
        always_written: written to presets even if it is the default, as version 0.1 did.
        in_sidecar: a network's sidecar may have it, under its name; a preset and an option override it.
        takes_several: the option takes several texts, each of which `parse` makes a part of the value.
    """

    takes_several: ClassVar[bool] = False
    name: str
    label: str = ""
    help: str = ""
    option: str = ""
    metavar: str = ""
    default: Any = None
    live: bool = True
    folded: bool = False
    has_row: bool = True
    always_written: bool = False
    in_sidecar: bool = False

    @abstractmethod
    def check(self, value: Any) -> Any:
        """Return a value in the setting's own type.

        Raises:
            UsageError: an invalid value.
        """

    @abstractmethod
    def parse(self, text: str) -> Any:
        """Return the value of a text from the command line.

        Raises:
            UsageError: as `check`.
        """

    def refused(self, value: Any, allowed: str) -> UsageError:
        """Return the error for an invalid value; `allowed` describes valid ones."""
        return UsageError(
            sentence(
                "The setting '{name}' is {value}; give {allowed}.",
                name=self.name,
                value=str(value)[:40],
                allowed=allowed,
            )
        )


@dataclass(frozen=True, kw_only=True)
class Whole(Setting):
    """An integer from `low` to `high`."""

    low: int
    high: int

    def check(self, value: Any) -> int:
        if type(value) is not int or not self.low <= value <= self.high:
            raise self.refused(value, sentence("{low} to {high}", low=self.low, high=self.high))
        return value

    def parse(self, text: str) -> int:
        return self.check(int(text) if text.isdecimal() and len(text) < 10 else text)


@dataclass(frozen=True, kw_only=True)
class Share(Setting):
    """A number from 0 to 1."""

    def check(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
            raise self.refused(value, sentence("{low} to {high}", low=0, high=1))
        return float(value)

    def parse(self, text: str) -> float:
        try:
            value: Any = float(text)
        except ValueError:
            value = text
        return self.check(value)


@dataclass(frozen=True, kw_only=True)
class Names(Setting):
    """Names of some of the classes; all if empty."""

    default: tuple[str, ...] = ()

    def check(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
            raise self.refused(value, sentence("names"))
        return tuple(value)

    def parse(self, text: str) -> tuple[str, ...]:
        """See `Setting`: names with commas between them."""
        return tuple(name.strip() for name in text.split(",") if name.strip())


@dataclass(frozen=True, kw_only=True)
class Word(Setting):
    """A name that is resolved when the network's file is loaded; '' for the file's own choice.

    Attributes:
        choices: gives the names that there are, each with its title, for a row to choose from; None where any text may be one.
    """

    default: str = ""
    choices: Callable[[], Sequence[tuple[str, str]]] | None = None

    def check(self, value: Any) -> str:
        if not isinstance(value, str):
            raise self.refused(value, sentence("a name"))
        return value

    def parse(self, text: str) -> str:
        return text


@dataclass(frozen=True, kw_only=True)
class Files(Setting):
    """Paths of files; may be empty. Presets include the files.

    Attributes:
        kind: what they are, as presets call it (`presets.preset.Place`).
        most: how many there may be.
    """

    default: tuple[str, ...] = ()
    takes_several: ClassVar[bool] = True
    kind: str
    most: int

    def check(self, value: Any) -> tuple[str, ...]:
        """See `Setting`. Whether the files are there shows when they are read."""
        if not isinstance(value, list | tuple) or not all(isinstance(path, str) and path for path in value):
            raise self.refused(value, sentence("files"))
        if len(value) > self.most:
            raise self.refused(value, sentence("{most} files at most", most=self.most))
        return tuple(value)

    def parse(self, text: str) -> tuple[str, ...]:
        """See `Setting`: one file."""
        return self.check([text])


# -- results -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class FrameResult:
    """Result of one frame.

    Attributes:
        note: the caller's note on the frame, such as its presentation time.
        latency_ms: from the frame's hand-over to the result.
        inference_ms: of it, the network's own time (0.0 where the GPU's timestamps tell it).
        has_nan: the network's outputs contain NaN: objects that are not detected may exist all the same.
    """

    note: Any = None
    latency_ms: float = 0.0
    inference_ms: float = 0.0
    has_nan: bool = False


@dataclass(frozen=True)
class Result(FrameResult, ABC):
    """Result of a network on one frame; frozen, with a type for each task, and read by others through these methods."""

    @abstractmethod
    def json(self) -> dict[str, Any]:
        """Return it as JSON values; docs/ lists each task's keys. 'objects' are its objects, in the order of `shapes`."""

    @abstractmethod
    def lines(self) -> tuple[str, ...]:
        """Return it for people at a terminal: one object a line."""

    @abstractmethod
    def shapes(self) -> tuple[Shape, ...]:
        """Return its shapes, best first, in shares of the image."""

    def text(self) -> str:
        """Return it as one line."""
        return joined("; ", tuple(" ".join(line.split()) for line in self.lines()))

    @property
    def remark(self) -> str:
        """Advice to the user about this result, '' for none: what was left out, and the setting that includes it."""
        return ""

    @property
    def advice(self) -> str:
        """Note for the user: that the result is not reliable, or else the `remark`."""
        if self.has_nan:
            return sentence(
                "The network gave values that are no numbers, so it may have missed objects; choose fp32 or another network."
            )
        return self.remark


# -- heads -------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Features:
    """Settings and classes of a loaded network.

    Attributes:
        task: id of its task; '' for none.
        labels: names of its classes, which `Names` settings choose from.
        usual: usual values of settings that are not set.
        second: of the secondary network; None where there is none.
    """

    task: str = ""
    labels: tuple[str, ...] = ()
    usual: Values = field(default_factory=dict)
    second: Features | None = None


@dataclass(frozen=True)
class RegionRule:
    """How a region for a second network follows from a box and key points (common/regions.py).

    Attributes:
        start, end: points whose means are the ends of the line that is to be turned; none for an upright region.
        angle: of that line in the region, in degrees against the clock from the region's own right.
        scale: by how much the region is enlarged.
        shift: of its middle, in shares of its box's sides, along the region's own axes.
        extent: points around which the region lies; none for the box.
        circle: the box is that of a circle around the first of `start`, through the first of `end`.
        square: both sides are the longer one; else the shorter is made to fit the network's input.
    """

    start: tuple[int, ...] = ()
    end: tuple[int, ...] = ()
    angle: float = 0.0
    scale: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)
    extent: tuple[int, ...] = ()
    circle: bool = False
    square: bool = True


class RegionFinder(Protocol):
    """Computes regions for a second network from a head's results, on the GPU. For the rendering thread."""

    def prepare(self, size: Size, held: int, most: int) -> None:
        """Set, for later submissions, the image's size, the number of regions present, and the limit."""

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record it after the head's own dispatches."""

    def close(self) -> None:
        """Release its resources."""


class Head(ABC):
    """Head of a network: reduces the outputs to the data that are read back, and decodes these.

    Attributes:
        result_buffer: the `GPUBuffer` that `encode` fills (COPY_SRC); None on a backend that gives arrays.
        result_bytes: of `result_buffer`, at most `crop_network.RESULT_BYTES`, the room in a frame's slot.
        features: settings and classes.
        notes: inferences and assumptions about the outputs, in sentences.
        region: of a detector: how the surroundings of what it finds follow from box and key points, for a second network; None for the box.
        carry: of a network that gives points: how the region of the next image follows from them; None where it can't be carried.
        enlarge: by how much a box is enlarged for it as a second network.
    """

    result_buffer: wgpu.GPUBuffer | None = None
    result_bytes: int = 0
    features: Features = Features()
    notes: tuple[str, ...] = ()
    region: RegionRule | None = None
    carry: RegionRule | None = None
    enlarge: float = 1.0

    @abstractmethod
    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the reduction of the outputs into the frame's pass; for a session whose outputs are on the GPU."""

    @abstractmethod
    def decode(self, data: bytes | memoryview, size: Size) -> FrameResult:
        """Decode the data copied from `result_buffer`, for an image of a size."""

    @abstractmethod
    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> FrameResult:
        """Decode whole outputs, for an image of a size; for a backend that returns arrays, on its thread."""

    def copy_result(self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUBuffer, offset: int) -> int:
        """Record the copy of the results of `encode` to a place in a buffer; return its bytes, `result_bytes`."""
        assert self.result_buffer is not None
        encoder.copy_buffer_to_buffer(self.result_buffer, 0, target, offset, self.result_bytes)
        return self.result_bytes

    @property
    def tells_regions(self) -> bool:
        """True if `region_finder` returns one for a rule of `region`, or for the box."""
        return False

    def region_finder(self, regions: wgpu.GPUBuffer, rule: RegionRule, aspect: float) -> RegionFinder | None:
        """Return a finder that writes regions of detections into a buffer (struct Region of shaders/nn_tasks/regions.wgsl, 16 of them).

        None if regions are known only after the read-back.

        Args:
            regions: the buffer; the first of them may be there already, and stay.
            rule: how a region follows from a box and key points.
            aspect: width to height of the second network's input.
        """
        return None

    def adjust(self, values: Values) -> None:  # noqa: B027 (without live settings there is nothing to adjust)
        """Use other values of the task's live settings from the next frame on.

        Raises:
            UsageError: a value that its setting does not take.
        """

    @abstractmethod
    def close(self) -> None:
        """Release its resources."""


class Reduction(Protocol):
    """The reduction of a network's outputs on the GPU."""

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> object:
        """Record it into a compute pass, after the network."""

    def close(self) -> None:
        """Release its buffers."""


class ReducingHead(Head):
    """A head whose reduction on the GPU is an object, `_gpu`: None for a session that gives arrays."""

    _gpu: Reduction | None

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        assert self._gpu is not None
        self._gpu.encode(compute_pass)

    def close(self) -> None:
        """Release its buffers. The textures of masks that are still in use go with the last mask."""
        if self._gpu is not None:
            self._gpu.close()


@dataclass(frozen=True)
class Trial:
    """Outputs of a network for an image, before it is known how to decode them.

    Attributes:
        outputs: by name.
        facts: of the network, every dimension known.
        size: (width, height) of its input.
    """

    outputs: Mapping[str, np.ndarray]
    facts: ModelFacts
    size: Size


@dataclass(frozen=True)
class Tried:
    """Findings of a trial run: values of unset settings, and the evidence, in sentences."""

    values: Values = field(default_factory=dict)
    notes: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Loaded:
    """A loaded network, for its head.

    Attributes:
        gpu: the device.
        session: computes the outputs; every dimension is known.
        file: its file.
        preprocess: its preprocessing.
        outputs_of: returns the outputs for an image file, whose colors are taken as sRGB; see `pipeline/running/inputs/references.py`.
        tried: findings of a trial run, see `ResultTask.tried`.
    """

    gpu: Gpu
    session: Session
    file: ModelFile
    preprocess: Preprocess
    outputs_of: Callable[[Path], Mapping[str, np.ndarray]]
    tried: Tried = Tried()

    @property
    def on_gpu(self) -> bool:
        """True if the outputs are on the GPU (`GpuSession.tensor`), so that `Head.encode` reduces them there."""
        return self.session.capabilities.recorder is not None

    def tensor(self, name: str) -> Tensor:
        """Return an output on the GPU; only where `on_gpu`."""
        recorded = self.session.capabilities.recorder
        assert recorded is not None
        return recorded.tensor(name)


# -- tasks -------------------------------------------------------------------------------------------------------------------


class Task(ABC):
    """A use of networks. Stateless: one object serves all networks.

    Attributes:
        id: the name of its file; in presets, sidecars, tables and headers.
        title: what a network of it is called in lists.
        short_title: the same beside other settings; '' for `title`.
        summary: title and what comes out, where a user chooses a task.
        order: its place in lists of tasks, the more particular first.
        declared_as: what files write in their metadata's 'task' for it.
        settings: what can be set, in the order of the window's rows.
        names_classes: its networks have classes with names, which a user's file may give.
        asks_for_input: the user chooses what a file leaves open of the input, because neither customs of its networks nor their output
            tell it.
        inputs: how many inputs its networks have, but for those that are fixed (`fixed_inputs`).
        usual_stage: id of the filter that most of its networks become in the chain; '' where they stay beside the image.
        beside: id of the task that such a network has if a result is requested and not an image; '' where it has none.
        sidecar_keys: what the file beside a network may say for this task alone, beside settings that are `in_sidecar`.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    short_title: ClassVar[str] = ""
    summary: ClassVar[str]
    order: ClassVar[int]
    declared_as: ClassVar[tuple[str, ...]] = ()
    settings: ClassVar[tuple[Setting, ...]] = ()
    names_classes: ClassVar[bool] = False
    asks_for_input: ClassVar[bool] = False
    inputs: ClassVar[int] = 1
    usual_stage: ClassVar[str] = ""
    beside: ClassVar[str] = ""
    sidecar_keys: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def recognize(self, facts: ModelFacts) -> Match | None:
        """Return the evidence that a network is for this task, by its outputs; None if it is not."""

    def fixed_inputs(self, facts: ModelFacts, size: Size) -> Mapping[str, np.ndarray]:
        """Return values, by name, for inputs beside the images that are the same for every image; `size` is that of the input."""
        return customary_inputs(facts.others, size)

    def stage(self, file: ModelFile) -> str:
        """Return the id of the filter that a network becomes in the chain, '' for an analysis."""
        return self.usual_stage

    @abstractmethod
    def prepare(
        self, file: ModelFile, values: Values, preset: Values
    ) -> tuple[Preprocess, tuple[Finding, ...]]:
        """Return the preprocessing of a network, with the findings.

        Args:
            file: the network.
            values: of the settings, from `checked`.
            preset: fields of `Preprocess` that replace what is inferred and what stands beside the file.

        Raises:
            ModelUnsupportedError: it is no network of this task, or takes no image.
            UsageError: a value that its field or the network does not take.
        """

    def checked(self, given: Values) -> dict[str, Any]:
        """Return a value for each setting; those of other tasks are left out.

        Raises:
            UsageError: a value that is invalid for its setting.
        """
        return {
            s.name: s.default if given.get(s.name) is None else s.check(given[s.name]) for s in self.settings
        }

    def settled(self, file: ModelFile, given: Values) -> dict[str, Any]:
        """Return a value for each setting: the given one, else that of the network's sidecar.

        Raises:
            UsageError: a value that its setting does not take.
        """
        said = file.settings
        beside = {s.name: said[s.name] for s in self.settings if s.in_sidecar and s.name in said}
        return self.checked(
            {**beside, **{name: value for name, value in given.items() if value not in (None, "")}}
        )

    def unread(self, file: ModelFile, known: Collection[str]) -> tuple[Finding, ...]:
        """Return a finding for each key of a network's sidecar that this task does not read.

        Args:
            file: the network.
            known: the keys that some task reads, or all do.
        """
        own = {*SIDECAR_KEYS, *self.sidecar_keys, *(s.name for s in self.settings if s.in_sidecar)}
        beside = sidecar_path(file.path).name if file.served is None else file.settings_origin
        found = []
        for name in file.settings:
            figures: dict[str, Any] = {"name": name[:80], "file": beside}
            if name in known and name not in own:
                title = str(self.title).lower()
                found.append(Finding(Kind.KEY_UNUSED, Evidence.STATED, figures={**figures, "task": title}))
            elif name not in own:
                found.append(Finding(Kind.KEY_UNKNOWN, Evidence.STATED, figures=figures))
        return tuple(found)

    def needs_loading(self, before: Values, after: Values) -> bool:
        """Return True if a change of settings requires loading the network again.

        Raises:
            UsageError: a value that its setting does not take.
        """
        old, new = self.checked(before), self.checked(after)
        return any(not s.live and old[s.name] != new[s.name] for s in self.settings)


class ResultTask(Task):
    """An analysis task: its networks have a result, and no image.

    Attributes:
        command: the verb of the command line; '' for none.
        command_help: what the verb does.
        command_model: name of the built-in network that the verb uses by default; '' where `--model` is needed.
        takes_unknown: a network that nothing recognizes is tried as this; one task at most.
        finds: its results have objects that lie in the image, which have boxes, and not only words about the whole of it.
        places: its results say where something is, be it objects or the pixels of a class.
    """

    command: ClassVar[str] = ""
    command_help: ClassVar[str] = ""
    command_model: ClassVar[str] = ""
    takes_unknown: ClassVar[bool] = False
    finds: ClassVar[bool] = True
    places: ClassVar[bool] = True

    def family(self, file: ModelFile, values: Values) -> tuple[str, Values] | None:
        """Return a name for networks of this kind and fields of `Preprocess` as usual for them; None where nothing is.

        Raises:
            ModelUnsupportedError: it is no network of this task.
            UsageError: a setting names what there is not.
        """
        return None

    def prepare(
        self, file: ModelFile, values: Values, preset: Values
    ) -> tuple[Preprocess, tuple[Finding, ...]]:
        """See `Task`: what the file says, then what is usual for the family, under the sidecar and the preset."""
        return choose_preprocess(file.path, file.facts, preset, self.family(file, values), served=file.served)

    def needs_trial(self, file: ModelFile, values: Values) -> bool:
        """Return True if the file allows several ways to decode the outputs, between which one run on an image may decide.

        Raises:
            ModelUnsupportedError: it is no network of this task.
            UsageError: a setting names what there is not.
        """
        return False

    def choices(self, file: ModelFile, values: Values) -> tuple[Choice, ...]:
        """Return the decoders that fit a network's file; none if only one does, or the task has no decoders.

        Raises:
            ModelUnsupportedError, UsageError: see `needs_trial`.
        """
        return ()

    def tried(self, file: ModelFile, values: Values, trial: Trial) -> Tried:
        """Return the findings of a trial run."""
        return Tried()

    @abstractmethod
    def head(self, loaded: Loaded, values: Values) -> Head:
        """Make the head of a loaded network.

        Args:
            loaded: the network.
            values: of the settings, from `checked`.

        Raises:
            ModelUnsupportedError: the outputs are not what the task needs.
            UsageError: a value of a setting.
        """
