"""Interface of a task, a file in this folder that defines `TASK`; see docs/adding-a-task.md.

A `ResultTask` analyzes the image; a `StageTask` makes an image or a map, which a filter of the chain uses
(vision/tasks/common/dense.py). A task may import models/, nn/, gpu/, but not the runner, presets or window.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from desktop.base import fields
from desktop.base.errors import Choice, UsageError
from desktop.base.nearest import nearest
from desktop.base.wording import Text, joined, sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Session, Tensor
from desktop.vision.models.builtin import TABLE_KEYS
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Finding, Kind, Match
from desktop.vision.models.labels import metadata_labels, read_labels, sidecar_labels
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess, choose_preprocess
from desktop.vision.models.recurrence import customary_inputs
from desktop.vision.models.settings import read_settings
from desktop.vision.models.sidecar import SIDECAR_KEYS, sidecar_path
from desktop.vision.tasks.shapes import Shape

if TYPE_CHECKING:
    import wgpu

Size = tuple[int, int]
"""(width, height) of an image, in pixels."""
Values = Mapping[str, Any]
"""Values of settings by name."""


# -- settings ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Setting(fields.Field):
    """A setting of a network: a row in the window, a key of presets, an option of the command line.

    The same name in two tasks means the same type. A default of None is the network's default
    (`Features.usual`).

    Attributes:
        option, metavar: help of the command line's option, '' for none; name of its value.
        live: it can be changed while the network runs; otherwise a change reloads the network.
        folded: in the folded group of rarely used rows.
        has_row: shown in the window.
        always_written: written to presets even if it is the default, as version 0.1 did.
        in_sidecar: a network's sidecar may have it, under its name; a preset and an option override it.
        takes_several: the option takes several texts, each of which `parse` makes a part of the value.
    """

    takes_several: ClassVar[bool] = False
    option: str = ""
    metavar: str = ""
    live: bool = True
    folded: bool = False
    has_row: bool = True
    always_written: bool = False
    in_sidecar: bool = False

    def refused(self, value: Any, expects: str) -> UsageError:
        return UsageError(
            sentence(
                "The setting '{name}' is {value}; give {allowed}.",
                name=self.name,
                value=str(value)[:40],
                allowed=expects,
            )
        )


@dataclass(frozen=True, kw_only=True)
class Integer(fields.Integer, Setting):
    """An integer."""

    has_slider: bool = False


@dataclass(frozen=True, kw_only=True)
class Share(fields.Number, Setting):
    """A number from 0 to 1."""

    step: float = 0.01


@dataclass(frozen=True, kw_only=True)
class Names(fields.Names, Setting):
    """Names of some of the classes; all if empty."""

    default: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Word(Setting):
    """A name resolved when the network's file is loaded; '' for the file's own choice; `known` for a row."""

    default: str = ""
    known: Callable[[], Sequence[tuple[str, str]]] = tuple

    editor = "word"
    summary = "word"

    @property
    def expects(self) -> Text:
        return sentence("a name")

    def convert(self, value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        return value


@dataclass(frozen=True, kw_only=True)
class Files(Setting):
    """Paths of files, none or up to `most`, of a kind (`presets.preset.Place`); presets include the files."""

    default: tuple[str, ...] = ()
    takes_several: ClassVar[bool] = True
    kind: str
    most: int

    editor = "files"
    summary = "files"

    @property
    def expects(self) -> Text:
        return sentence("files")

    def convert(self, value: Any) -> tuple[str, ...]:
        """See `Field`. Whether the files are there shows when they are read."""
        if not isinstance(value, list | tuple) or not all(isinstance(path, str) and path for path in value):
            raise TypeError
        if len(value) > self.most:
            raise self.refused(value, sentence("{most} files at most", most=self.most))
        return tuple(value)

    def parse(self, text: str) -> tuple[str, ...]:
        """See `Field`: one file."""
        return self.check([text])


# -- results -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class FrameResult:
    """Result of one frame.

    Attributes:
        note: the caller's note on the frame, such as its presentation time.
        latency_ms: from the frame's hand-over to the result.
        inference_ms: the network's share of it (0.0 if the GPU's timestamps measure it).
        has_nan: the network's outputs contain NaN: objects may have been missed.
    """

    note: Any = None
    latency_ms: float = 0.0
    inference_ms: float = 0.0
    has_nan: bool = False


@dataclass(frozen=True)
class Result(FrameResult, ABC):
    """Result of a network on one frame; frozen, with a type for each task, and these common methods."""

    @abstractmethod
    def json(self) -> dict[str, Any]:
        """Return JSON values (keys in docs/); 'objects' are in the order of `shapes`."""

    @abstractmethod
    def lines(self) -> tuple[str, ...]:
        """Return it for people at a terminal: one object a line."""

    @abstractmethod
    def shapes(self) -> tuple[Shape, ...]:
        """Return its shapes, best first, in fractions of the image."""

    def text(self) -> str:
        """Return it as one line."""
        return joined("; ", tuple(" ".join(line.split()) for line in self.lines()))

    @property
    def hint(self) -> str:
        """Return advice to the user: what was left out, and the setting that includes it; '' for none."""
        return ""

    @property
    def advice(self) -> str:
        """Sentence for the user: that the result is not reliable, else the `hint`."""
        if self.has_nan:
            return sentence(
                "The network returned NaN, so objects may be missing; use fp32 (--precision fp32) or another network."
            )
        return self.hint


# -- heads ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Features:
    """Settings and classes of a loaded network; `second` is of the secondary network, if any.

    `labels` are the classes that `Names` settings choose from; `usual` the defaults of unset settings.
    """

    task: str = ""
    labels: tuple[str, ...] = ()
    usual: Values = field(default_factory=dict)
    second: Features | None = None


@dataclass(frozen=True)
class RegionRule:
    """Derivation of a secondary network's region from a box and key points (common/regions.py).

    Attributes:
        start, end: points whose means are the ends of the line that is turned; empty for an upright region.
        angle: of that line in the region, in degrees counterclockwise from the region's right.
        shift: of its center, as fractions of its box's sides, along the region's axes.
        extent: points that the region encloses; empty for the box.
        circle: the box is that of a circle around the first of `start`, through the first of `end`.
        square: both sides are the longer one; otherwise the shorter fits the network's input.
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
        result_buffer: the `GPUBuffer` that `encode` fills (COPY_SRC); None on a backend with host arrays.
        result_bytes: of `result_buffer`, at most `crop_network.RESULT_BYTES`, the space in a frame's slot.
        notes: inferences and assumptions about the outputs, in sentences.
        region: of a detector: rule for secondary regions from box and key points; None for the box.
        carry: rule for the region in the next frame from points; None without region tracking.
        enlarge: enlargement of the box for it as a secondary network.
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
        """Record the outputs' reduction into the frame's pass; for sessions with outputs on the GPU."""

    @abstractmethod
    def decode(self, data: bytes | memoryview, size: Size) -> FrameResult:
        """Decode the data copied from `result_buffer`, for an image of a size."""

    @abstractmethod
    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> FrameResult:
        """Decode whole outputs, for an image of a size; for a backend that returns arrays, on its thread."""

    def read_parts(
        self, outputs: Sequence[Mapping[str, np.ndarray]], parts: Sequence[Preprocess], size: Size
    ) -> FrameResult:
        """Decode and join the outputs for several parts of an image of a size (`ResultTask.parts`)."""
        return self.read(outputs[0], size)

    def copy_result(self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUBuffer, offset: int) -> int:
        """Record the copy of `encode`'s results to a place in a buffer; return `result_bytes`."""
        assert self.result_buffer is not None
        encoder.copy_buffer_to_buffer(self.result_buffer, 0, target, offset, self.result_bytes)
        return self.result_bytes

    @property
    def has_region_finder(self) -> bool:
        """True if `region_finder` returns one for a rule of `region`, or for the box."""
        return False

    def region_finder(self, regions: wgpu.GPUBuffer, rule: RegionRule, aspect: float) -> RegionFinder | None:
        """Return a finder that writes regions of detections into a buffer; None if they need a read-back.

        `regions` are 16 `struct Region` of shaders/nn_tasks/regions.wgsl, from box and key points by `rule`;
        filled ones are kept. `aspect` is width to height of the secondary network's input.
        """
        return None

    def adjust(self, values: Values) -> None:  # noqa: B027 (without live settings there is nothing to adjust)
        """Use other live settings from the next frame on; raise UsageError if a value is invalid."""

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
    """A head whose reduction on the GPU is `_gpu`; None for a session with host arrays."""

    _gpu: Reduction | None

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        assert self._gpu is not None
        self._gpu.encode(compute_pass)

    def close(self) -> None:
        """Release its buffers. Textures of masks still in use are released with the last mask."""
        if self._gpu is not None:
            self._gpu.close()


@dataclass(frozen=True)
class Trial:
    """Outputs by name before their decoder is known, with all dimensions, and the input's (width, height)."""

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
    """A loaded network, every dimension known, for its head; `tried` are findings of a trial run.

    `outputs_of` computes from an sRGB image file; see `pipeline/running/inputs/references.py`.
    """

    gpu: Gpu
    session: Session
    file: ModelFile
    preprocess: Preprocess
    outputs_of: Callable[[Path], Mapping[str, np.ndarray]]
    tried: Tried = Tried()

    @property
    def on_gpu(self) -> bool:
        """True if the outputs are on the GPU (`GpuSession.tensor`), where `Head.encode` reduces them."""
        return self.session.capabilities.recorder is not None

    def tensor(self, name: str) -> Tensor:
        """Return an output on the GPU; only where `on_gpu`."""
        recorded = self.session.capabilities.recorder
        assert recorded is not None
        return recorded.tensor(name)


# -- tasks ---------------------------------------------------------------------------------------------------


class Task(ABC):
    """A use of networks. Stateless: one object serves all networks.

    Attributes:
        id: the name of its file; in presets, sidecars, tables and headers.
        title, short_title: of its networks in lists; the same beside other settings, '' for `title`.
        summary: title and output, where a user chooses a task.
        icon: name of the icon of its networks without a preview.
        page: name of its page in docs/; '' for that named as the task.
        order: its place in lists of tasks, the more specific first.
        declared_as: its names in the metadata's 'task' of files.
        settings: its settings, in the order of the window's rows.
        names_classes: its networks have named classes, which a user's file may name.
        has_input_settings: the user sets input properties that conventions and output leave open.
        inputs: number of inputs of its networks, without fixed ones (`fixed_inputs`).
        usual_stage: id of the filter that most of its networks become in the chain; '' for an analysis.
        beside: id of the task if a result is requested instead of an image; '' without one.
        sidecar_keys: keys of a sidecar for this task alone, besides settings that are `in_sidecar`.
        table_keys: those that it reads of a sidecar's tables in `TABLE_KEYS`.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    short_title: ClassVar[str] = ""
    summary: ClassVar[str]
    icon: ClassVar[str] = "network"
    page: ClassVar[str] = ""
    order: ClassVar[int]
    declared_as: ClassVar[tuple[str, ...]] = ()
    settings: ClassVar[tuple[Setting, ...]] = ()
    names_classes: ClassVar[bool] = False
    has_input_settings: ClassVar[bool] = False
    inputs: ClassVar[int] = 1
    usual_stage: ClassVar[str] = ""
    beside: ClassVar[str] = ""
    sidecar_keys: ClassVar[tuple[str, ...]] = ()
    table_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "input": ("name", "multiple", "working"),
        "output": TABLE_KEYS["output"],
    }

    @abstractmethod
    def recognize(self, facts: ModelFacts) -> Match | None:
        """Return the evidence that a network is for this task, by its outputs; None if it is not."""

    def fixed_inputs(self, facts: ModelFacts, size: Size) -> Mapping[str, np.ndarray]:
        """Return constant values of inputs besides the images, by name; `size` is that of the input."""
        return customary_inputs(facts.others, size)

    def stage(self, file: ModelFile) -> str:
        """Return the id of the filter that a network becomes in the chain, '' for an analysis."""
        return self.usual_stage

    @abstractmethod
    def prepare(
        self, file: ModelFile, values: Values, preset: Values
    ) -> tuple[Preprocess, tuple[Finding, ...]]:
        """Return the preprocessing of a network, with the findings; `preset` overrides inferred fields.

        Raises ModelUnsupportedError for a network of another task or without an image, UsageError for a
        value.
        """

    def checked(self, given: Values) -> dict[str, Any]:
        """Return a value for each setting, ignoring other tasks'; raise UsageError if one is invalid."""
        return {
            s.name: s.default if given.get(s.name) is None else s.check(given[s.name]) for s in self.settings
        }

    def settled(self, file: ModelFile, given: Values) -> dict[str, Any]:
        """Return each setting's value, given or of the sidecar; raise UsageError if one is invalid."""
        said = file.settings
        beside = {s.name: said[s.name] for s in self.settings if s.in_sidecar and s.name in said}
        return self.checked(
            {**beside, **{name: value for name, value in given.items() if value not in (None, "")}}
        )

    def unread(self, file: ModelFile, known: Collection[str]) -> tuple[Finding, ...]:
        """Return a finding for each sidecar key that this task does not read; `known` are any task's."""
        own = {*SIDECAR_KEYS, *self.sidecar_keys, *(s.name for s in self.settings if s.in_sidecar)}
        beside = sidecar_path(file.path).name if file.served is None else file.settings_origin
        found = [self._left_out(name, beside, known) for name in file.settings if name not in own]
        # A server describes each network as a file, whatever the client's task reads of that.
        stated = read_settings(file.path)
        for table, keys in TABLE_KEYS.items():
            entries = stated.get(table)
            for name, value in entries.items() if isinstance(entries, dict) else ():
                is_same_input = (table, name, value) == ("input", "name", file.facts.input_name)
                if name not in self.table_keys.get(table, ()) and not is_same_input:
                    found.append(self._left_out(name, sidecar_path(file.path).name, keys, f"{table}."))
        return tuple(found)

    def _left_out(self, name: str, beside: str, known: Collection[str], table: str = "") -> Finding:
        figures = {"name": f"{table}{name[:80]}", "file": beside}
        if name in known:
            title = str(self.title).lower()
            return Finding(Kind.KEY_UNUSED, Evidence.STATED, figures={**figures, "task": title})
        near = nearest(name, known)
        return Finding(Kind.KEY_UNKNOWN, Evidence.STATED, figures={**figures, "near": near})

    def needs_loading(self, before: Values, after: Values) -> bool:
        """Return True if a change requires reloading the network; raise UsageError if a value is invalid."""
        old, new = self.checked(before), self.checked(after)
        return any(not s.live and old[s.name] != new[s.name] for s in self.settings)


class ResultTask(Task):
    """An analysis task: its networks have a result, and no image.

    Attributes:
        command: the verb of the command line, with `command_help`; '' for none.
        command_model: the verb's default built-in network; '' if `--model` is required.
        takes_unknown: unrecognized networks are tried as this; one task at most.
        finds: its results have objects with boxes, not only labels of the whole image.
        places: its results have positions, of objects or of a class's pixels.
    """

    command: ClassVar[str] = ""
    command_help: ClassVar[str] = ""
    command_model: ClassVar[str] = ""
    takes_unknown: ClassVar[bool] = False
    finds: ClassVar[bool] = True
    places: ClassVar[bool] = True
    table_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {"input": ("turns",)}

    def family(self, file: ModelFile, values: Values) -> tuple[str, Values] | None:
        """Return a name and default fields of `Preprocess` for networks of this kind; None without any.

        Raises ModelUnsupportedError for a network of another task, UsageError for an unknown setting's value.
        """
        return None

    def prepare(
        self, file: ModelFile, values: Values, preset: Values
    ) -> tuple[Preprocess, tuple[Finding, ...]]:
        """See `Task`: the file's values over the family's defaults; sidecar and preset override both."""
        return choose_preprocess(file.path, file.facts, preset, self.family(file, values), served=file.served)

    def class_names(self, file: ModelFile, values: Values) -> tuple[str, ...]:
        """Return the names of a network's classes; () where only the loaded network shows them.

        Raises ModelInvalidError for a label file that cannot be read, and as `family` does.
        """
        path = sidecar_labels(file.path)
        found = read_labels(path) if path is not None else metadata_labels(file.facts.metadata)
        return found.names if found is not None else ()

    def needs_trial(self, file: ModelFile, values: Values) -> bool:
        """Return True if a trial run may decide between decodings; for errors see `family`."""
        return False

    def choices(self, file: ModelFile, values: Values) -> tuple[Choice, ...]:
        """Return the decoders that fit a file; none if one does or the task has none; errors as `family`."""
        return ()

    def tried(self, file: ModelFile, values: Values, trial: Trial) -> Tried:
        """Return the findings of a trial run."""
        return Tried()

    def parts(self, preprocess: Preprocess, values: Values) -> tuple[Preprocess, ...]:
        """Return the preprocessing of each input that a frame gives: the whole frame's first, perhaps tiles."""
        return (preprocess,)

    @abstractmethod
    def head(self, loaded: Loaded, values: Values) -> Head:
        """Make the head of a loaded network; `values` are those of the settings, from `checked`.

        Raises ModelUnsupportedError for unfit outputs, UsageError for an invalid setting.
        """
