"""Turn a network's input with the frames: wider than high for landscape, higher than wide for portrait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from desktop.base.errors import ModelInvalidError, ModelUnsupportedError, Refusal
from desktop.base.wording import Text, sentence
from desktop.compute.nn.frontends.formats import ONNX
from desktop.compute.nn.session import Session
from desktop.vision.models.builtin import stated_turns
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.models.sidecar import is_builtin, settings_path
from desktop.vision.models.trimming import turned


@dataclass(frozen=True)
class Orientation:
    """Orientation of a network's input, which has `width` x `height` pixels in the network's file or settings.

    Attributes:
        turns: it follows the orientation of the frames.
        is_turned: width and height are exchanged.
        warning: sentence for the user, if it does not turn although the network's settings state so.
    """

    width: int
    height: int
    turns: bool = False
    is_turned: bool = False
    warning: Text | None = None

    def of(self, preprocess: Preprocess) -> Preprocess:
        """Return the preprocessing for this orientation."""
        return (
            replace(preprocess, width=preprocess.height, height=preprocess.width)
            if self.is_turned
            else preprocess
        )

    @property
    def notes(self) -> tuple[Text, ...]:
        """Sentence for the user, if it turns, or does not although it should."""
        if not self.turns:
            return () if self.warning is None else (self.warning,)
        long, short = max(self.width, self.height), min(self.width, self.height)
        return (
            sentence(
                "Its input turns with the frames: {long}x{short}, and {short}x{long} for frames higher than wide.",
                long=long,
                short=short,
            ),
        )


def orientation(file: ModelFile, preprocess: Preprocess, *, is_portrait: bool) -> Orientation:
    """Return the orientation of a network's input for frames that are higher than wide, or not.

    It turns if the network's settings state so or, without a statement, if it is wider than high, of free size,
    and whole frames are fitted into it.
    """
    width, height = preprocess.width, preprocess.height
    turns = stated_turns(file.path)
    if width == height or file.format != ONNX:
        return Orientation(width, height, warning=_without_effect(file) if turns else None)
    if turns is None:
        sides = file.facts.input_shape[_rows(preprocess) : _rows(preprocess) + 2]
        turns = not any(sides) and preprocess.resize == "letterbox" and width > height
    return Orientation(width, height, turns, turns and is_portrait != (height > width))


@contextmanager
def opened_turned(file: ModelFile, preprocess: Preprocess, oriented: Orientation) -> Iterator[ModelFile]:
    """Open a network for its orientation: itself, or one of fixed size that is turned.

    If the turned network cannot be loaded, the error says what to state in its settings.
    """
    if not oriented.is_turned or file.facts.leaves_sizes_open:
        yield file
        return
    changed = turned(file, _rows(preprocess))
    try:
        yield changed
    except ModelUnsupportedError as error:
        raise _not_turnable(file, str(error), error.refusals) from error
    except ModelInvalidError as error:
        raise _not_turnable(file, str(error)) from error
    finally:
        changed.release()


def check_turned(file: ModelFile, session: Session) -> None:
    """Raise ModelUnsupportedError if a turned network's outputs have other shapes than declared."""
    shapes = {info.name: info.shape for info in session.outputs}
    for info in file.facts.outputs:
        found = shapes.get(info.name, info.shape)
        if len(found) != len(info.shape) or any(a and a != b for a, b in zip(info.shape, found, strict=True)):
            raise _not_turnable(
                file, sentence("the output '{name}' has the shape {shape}", name=info.name, shape=list(found))
            )


def _without_effect(file: ModelFile) -> Text:
    settings = settings_path(file.path).name
    if file.format != ONNX:
        return sentence(
            "turns = true under [input] in {settings} has no effect: only ONNX files turn with the frames; leave "
            "it out.",
            settings=settings,
        )
    return sentence(
        "turns = true under [input] in {settings} has no effect: the input is as wide as high; leave it out.",
        settings=settings,
    )


def turning_of(file: ModelFile, networks: Text) -> tuple[Text, ...]:
    """Return a sentence if a network's own settings state that it turns, where it is one of `networks`, as
    'secondary networks', which do not.
    """
    if is_builtin(file.path) or not stated_turns(file.path):
        return ()
    return (
        sentence(
            "turns = true under [input] in {settings} has no effect: {networks} do not turn.",
            settings=settings_path(file.path).name,
            networks=networks,
        ),
    )


def _rows(preprocess: Preprocess) -> int:
    """Return the axis of the height in the input; the width's follows."""
    return 1 if preprocess.layout == "NHWC" else 2


def _not_turnable(file: ModelFile, reason: str, refusals: Sequence[Refusal] = ()) -> ModelUnsupportedError:
    return ModelUnsupportedError(
        sentence(
            "{name} cannot be turned for frames of the other orientation ({reason}); state turns = false under "
            "[input] in {settings}.",
            name=file.name,
            reason=reason.rstrip("."),
            settings=settings_path(file.path).name,
        ),
        refusals,
    )
