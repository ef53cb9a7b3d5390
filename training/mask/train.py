"""Train the person mask on true masks, and on what teachers see where there are none.

    python -m training.mask.train --minutes 9 --decay --people out/training/people.npz --out out/training/mask.ckpt

A batch has views of pictures whose masks are known, or were made from their boxes (mask/label.py), and views
of the first pack's pictures, which the selfie segmentation judges as it sees them (function matching, Beyer
et al. 2022). Of the former 3/8 are composites: what a true mask cuts out of one view is pasted on another, so
that the student sees people before far more backgrounds than there are photographs; 1/4 are mosaics of four
views, for small people. Half of the batch is seen a second time a little moved and noisier, as a camera would
see it a moment later: both masks must agree (a mask that flickers does not). Of half of the other views a
rectangle shows another one.

With --large the teacher is trained instead. With --teach a checkpoint of the teacher labels the pictures whose masks
networks made, and answers each view of the batches; with --maps its inner maps are learned too (Romero et al. 2015,
"FitNets").
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from desktop.base.errors import UsageError
from training.common import checkpoint, command
from training.common.data import HELD, TRAIN, Augment, Pictures, read_pack, read_packs, recolored
from training.common.loop import Objective, Trainer
from training.common.people import GRAY, NO_MASK, PERSON, TAUGHT_MASK, People, places, read_people, seen
from training.common.world import World
from training.mask.evaluate import compared, true_overlap
from training.mask.label import DeepLab, label, unlabeled
from training.mask.model import UNKNOWN, PersonMask, bundled, stretched, teacher
from training.mask.teacher import SIDE, Teacher

SHAPES: Final = ((192, 320), (320, 224), (224, 384), (256, 256))
"""(height, width) of the training pictures, in turn. Few: cuDNN plans the many layers anew for each."""
SMALL_SHAPES: Final = ((144, 256), (192, 256), (256, 144), (96, 160))
"""The same of --small-views: the cameras' shapes, and a small frame."""
_DEFAULTS: Final = command.Defaults(
    "mask", Path("../shared/models/segment/obs_selfie_segmentation.onnx"), 256, 50_000, 100_000, 0.3, 20.0
)
_AUGMENT: Final = Augment(scale=(0.15, 1.0), ratio=1.25, turn=12.0, hue=0.15, soften=0.6)
_FARTHER: Final = 0.35
"""Share of the views that show a whole picture with gray around it."""
_JUDGED: Final = 0.5
"""Weight of the pixels of which only the teacher's opinion is known."""
_CRISP: Final = 0.25
"""Pixels that a teacher is unsure of, in those of the person, in a mask that cuts out for composites."""
_SHAKE: Final = 1.5
"""Pixels by which a picture moves from one moment to the next, at most."""
_NOISE: Final = 0.06
"""Standard deviation of the strongest noise."""
_CHECK_STEPS: Final = 32
"""Steps between two checks for the teacher's checkpoint."""
_LABEL_SCALE: Final = 0.8
"""Size at which the teacher labels a picture, as a fraction of the pack's."""
DEEPLAB: Final = Path("../shared/models/segment/deeplab_v3_mnv2_257.onnx")


@dataclass(frozen=True)
class Batch:
    """Pictures (B, 3, H, W) in 0..1, their masks (B, 1, H, W) in 0..1 and the pixels' weights; `again`: the
    first B / 2 pictures a moment later, and `motion` (B / 2, 2, 3): where they were, as F.affine_grid has it;
    `hints` (B, 1, H, W): where boxes of persons are, as the teacher takes them.
    """

    pictures: Tensor
    masks: Tensor
    weights: Tensor
    again: Tensor
    motion: Tensor
    hints: Tensor


def losses(logits: Tensor, wanted: Tensor, weights: Tensor | None = None) -> dict[str, Tensor]:
    """Return the losses of (B, 1, H, W) logits beside true or a teacher's probabilities, pixels weighted by
    (B, 1, H, W) `weights`.

    `cross`: cross-entropy, pixels near the mask's edge weighing five times as much. `overlap`: 1 - the soft
    intersection over union of each picture (Rahman and Wang 2016). `edge`: mean absolute difference of the
    masks' gradients.
    """
    logits, wanted = logits.float(), wanted.float()
    given = torch.ones_like(wanted) if weights is None else weights
    spread = F.max_pool2d(wanted, 5, 1, 2) + F.max_pool2d(-wanted, 5, 1, 2)
    weight = (1 + 4 * spread) * given
    cross = (weight * F.binary_cross_entropy_with_logits(logits, wanted, reduction="none")).mean()
    # The least that any prediction can reach, so that 0 is perfect.
    floor = (weight * F.binary_cross_entropy(wanted, wanted, reduction="none")).mean()
    mask = torch.sigmoid(logits)
    both = (mask * wanted * given).sum(dim=(1, 2, 3))
    either = ((mask + wanted - mask * wanted) * given).sum(dim=(1, 2, 3))
    pixels = wanted[0].numel()
    overlap = (1 - (both + 0.001 * pixels) / (either + 0.001 * pixels)).mean()
    steps = [
        (mask.diff(dim=d) - wanted.diff(dim=d)).abs() * given.narrow(d, 1, given.shape[d] - 1) for d in (2, 3)
    ]
    edge = torch.stack([step.mean() for step in steps]).sum()
    loss = cross - floor + overlap + 2 * edge
    return {"loss": loss, "cross": cross - floor, "overlap": overlap, "edge": edge}


def unsteady(first: Tensor, second: Tensor, motion: Tensor) -> Tensor:
    """Return the mean absolute difference of the masks of (B, 1, H, W) logits, the first ones moved to where
    the second ones are.
    """
    grid = F.affine_grid(motion, list(first.shape), align_corners=False)
    before = F.grid_sample(first.float().sigmoid(), grid, padding_mode="border", align_corners=False)
    return (before - second.float().sigmoid()).abs().mean()


def shaken(at: Tensor, shape: tuple[int, int], generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return places a little beside `at`, and where the first ones lie in them, as F.affine_grid has it."""
    u = 2 * torch.rand(len(at), 4, generator=generator, device=at.device) - 1
    zoom = 1 + 0.01 * u[:, 2]
    zero = torch.zeros_like(zoom)
    shift = _SHAKE * u[:, :2] * u.new_tensor([2 / shape[1], 2 / shape[0]])
    motion = torch.stack([zoom, zero, shift[:, 0], zero, zoom, shift[:, 1]], 1).reshape(-1, 2, 3)
    matrix = at[:, :, :2]
    return torch.cat([matrix @ motion[:, :, :2], matrix @ motion[:, :, 2:] + at[:, :, 2:]], 2), motion


def noisy(x: Tensor, draws: Tensor, generator: torch.Generator) -> Tensor:
    """Return pictures with a sensor's noise, of a strength of up to `_NOISE`; `draws`: (B,) in 0..1."""
    noise = torch.randn(x.shape, generator=generator, device=x.device)
    return (x + _NOISE * (draws**2)[:, None, None, None] * noise).clamp(0, 1)


def crisp(masks: Tensor) -> Tensor:
    """Return which of (N, H, W) uint8 masks show a person with a clear edge."""
    sure = (masks > 127).flatten(1).sum(1)
    unsure = ((masks > 25) & (masks < 230)).flatten(1).sum(1)
    return (sure > 0) & (unsure <= _CRISP * sure)


def box_maps(people: People) -> Tensor:
    """Return (N, H, W) uint8 for the canvas: 255 in boxes of persons, 0 outside all, half where it is unknown."""
    height, width = people.pictures.canvas.shape[2:]
    maps = np.full((len(people), height, width), round(255 * UNKNOWN), np.uint8)
    boxes = people.boxes.cpu().numpy().round().clip(0).astype(int)
    flags = people.flags.cpu().numpy()
    for number in np.flatnonzero(people.known.cpu().numpy()):
        maps[number] = 0
        for left, top, right, bottom in boxes[number][flags[number] > 0]:
            maps[number, top:bottom, left:right] = 255
    return torch.from_numpy(maps).to(people.masks.device)


@torch.no_grad()
def relabeled(people: People, large: nn.Module, at_once: int = 48) -> People:
    """Return the people, the masks that networks made averaged with the teacher's, of each
    picture and its mirror image; outside known boxes nobody is.
    """
    maps, canvas, masks, kinds = (
        box_maps(people),
        people.pictures.canvas,
        people.masks.clone(),
        people.mask_kind.clone(),
    )
    height, width = canvas.shape[2:]
    whole = canvas.new_tensor([[width / 2, 0, width / 2], [0, height / 2, height / 2]], dtype=torch.float32)
    shape = tuple(max(32, round(_LABEL_SCALE * n / 32) * 32) for n in (height, width))
    shown = people.known & (people.flags == PERSON).any(1)
    wanted = torch.nonzero((kinds == TAUGHT_MASK) | ((kinds == NO_MASK) & shown))[:, 0]
    for index in wanted.split(at_once) if len(wanted) else ():
        # Batches of one size: each other one costs seconds of cuDNN's planning.
        index = torch.cat([index, index[-1:].expand(at_once - len(index))])
        sizes, at = people.pictures.sizes[index], whole.expand(len(index), -1, -1)
        parts = [
            seen(canvas[index], sizes, at, shape, GRAY),
            seen(maps[index][:, None], sizes, at, shape, 0.0),
        ]
        x = torch.cat(parts, 1).contiguous(memory_format=torch.channels_last)
        total = torch.zeros(len(index), 1, height, width, device=canvas.device)
        with torch.autocast(x.device.type, torch.bfloat16, enabled=x.is_cuda):
            answers = [large(x), large(x.flip(3)).flip(3)]
        for answer in answers:
            total += F.interpolate(answer.float(), size=(height, width), mode="bilinear").sigmoid()
        made = (total / 2)[:, 0] * (maps[index] > 0)
        old = masks[index].float() / 255
        has = (kinds[index] == TAUGHT_MASK)[:, None, None]
        masks[index] = (255 * torch.where(has, (made + old) / 2, made)).round().to(torch.uint8)
        kinds[index] = TAUGHT_MASK
    return replace(people, masks=masks, mask_kind=kinds)


class Source:
    """Draws the batches.

    Args:
        known: people with masks.
        unknown: pictures that `teacher` judges as they are seen.
    """

    def __init__(
        self,
        known: People,
        unknown: Pictures | None,
        teacher: nn.Module,
        generator: torch.Generator,
        compiled: bool,
    ) -> None:
        self.unknown, self.teacher, self.generator = unknown, teacher, generator
        self.change = torch.compile(recolored) if compiled else recolored
        self.use(known)

    def use(self, known: People) -> None:
        """Draw from these pictures from now on."""
        self.known = known
        self.maps = torch.stack([known.masks, box_maps(known)], 1)
        has_mask = known.mask_kind != NO_MASK
        everything = torch.arange(len(known), device=known.masks.device)
        self.pool = everything[has_mask]
        self.cut = everything[has_mask & crisp(known.masks)]

    def _drawn(self, pool: Tensor, count: int) -> Tensor:
        place = torch.randint(len(pool), (count,), generator=self.generator, device=pool.device)
        return pool[place]

    def _rand(self, *shape: int) -> Tensor:
        return torch.rand(*shape, generator=self.generator, device=self.known.masks.device)

    def _views(self, index: Tensor, shape: tuple[int, int]) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Pictures, masks, weights and hints of views, and their places."""
        pictures = self.known.pictures
        sizes = pictures.sizes[index]
        at = places(sizes, shape, _AUGMENT, _FARTHER, self.generator)
        pixels = seen(pictures.canvas[index], sizes, at, shape, GRAY)
        masks, hints = seen(self.maps[index], sizes, at, shape, 0.0).split(1, 1)
        taught = (self.known.mask_kind[index] == TAUGHT_MASK)[:, None, None, None]
        sure = (masks < 0.1) | (masks > 0.9)
        weights = torch.where(taught, torch.where(sure, 0.7, 0.2), 1.0)
        return pixels, masks, weights, hints, at

    def batch(self, count: int, shape: tuple[int, int]) -> Batch:
        """Return a batch of (height, width) `shape`: known views first, the first half of which is seen again."""
        judged = count // 4 if self.unknown is not None else 0
        own = count - judged
        tiles, pasted = own // 4, own * 3 // 8
        index = self._drawn(self.pool, own - tiles)
        pixels, masks, weights, hints, at = self._views(index, shape)
        sheet = self._mosaics(tiles, shape)
        cutouts, cut_masks, _, cut_hints, _ = self._views(self._drawn(self.cut, pasted), shape)
        pixels = torch.cat([torch.lerp(pixels[:pasted], cutouts, cut_masks), pixels[pasted:]])
        masks = torch.cat([torch.maximum(masks[:pasted], cut_masks), masks[pasted:]])
        weights = torch.cat([torch.maximum(weights[:pasted], cut_masks), weights[pasted:]])
        # A cut-out of unknown boxes is pasted somewhere: its surroundings are not known to be outside boxes.
        hints = torch.cat([torch.maximum(hints[:pasted], cut_hints), hints[pasted:]])
        # What moves is the whole picture: composites are left out of it.
        again_at, motion = shaken(at[pasted:], shape, self.generator)
        again = seen(
            self.known.pictures.canvas[index[pasted:]],
            self.known.pictures.sizes[index[pasted:]],
            again_at,
            shape,
            GRAY,
        )
        views, answers = self._taught(judged, shape)
        draws = self._rand(own + judged, 6)
        moments = len(again)
        rest = [
            torch.cat(parts)
            for parts in (
                (pixels[:pasted], sheet[0], views),
                (masks[:pasted], sheet[1], answers),
                (weights[:pasted], sheet[2], torch.full_like(answers, _JUDGED)),
                (hints[:pasted], sheet[3], torch.full_like(answers, UNKNOWN)),
            )
        ]
        rest = self._cutmix(rest)
        everything = torch.cat([pixels[pasted:], rest[0]])
        changed = self.change(everything, draws, _AUGMENT)
        later = self.change(again, draws[:moments], _AUGMENT)
        light = 1 + 0.03 * (2 * self._rand(moments, 1, 1, 1) - 1)
        strength = self._rand(own + judged)
        return Batch(
            noisy(changed, strength, self.generator),
            torch.cat([masks[pasted:], rest[1]]).clamp(0, 1),
            torch.cat([weights[pasted:], rest[2]]),
            noisy(later * light, strength[:moments], self.generator),
            motion,
            torch.cat([hints[pasted:], rest[3]]),
        )

    def _cutmix(self, parts: list[Tensor]) -> list[Tensor]:
        """Return the parts of views, of half of them a rectangle of another one (CutMix: Yun et al. 2019)."""
        count, _, height, width = parts[0].shape
        u = self._rand(count, 5)
        half = u[:, :2].clamp(min=0.1) / 2
        x = ((torch.arange(width, device=u.device) + 0.5) / width - u[:, 2, None]).abs() < half[:, :1]
        y = ((torch.arange(height, device=u.device) + 0.5) / height - u[:, 3, None]).abs() < half[:, 1:]
        inside = (y[:, :, None] & x[:, None, :] & (u[:, 4] < 0.5)[:, None, None])[:, None]
        return [torch.where(inside, part.roll(1, 0), part) for part in parts]

    def _mosaics(self, count: int, shape: tuple[int, int]) -> list[Tensor]:
        half = (shape[0] // 2, shape[1] // 2)
        parts = self._views(self._drawn(self.pool, 4 * count), half)[:4]
        return [
            part.reshape(count, 2, 2, -1, *half).permute(0, 3, 1, 4, 2, 5).reshape(count, -1, *shape)
            for part in parts
        ]

    def _taught(self, count: int, shape: tuple[int, int]) -> tuple[Tensor, Tensor]:
        augment = replace(_AUGMENT, aspect=shape[1] / shape[0])
        if self.unknown is None:
            empty = self.known.masks.new_zeros((0, 1, *shape), dtype=torch.float32)
            return empty.expand(-1, 3, -1, -1), empty
        views = self.unknown.views(self.unknown.chosen(count, self.generator), SIDE, augment, self.generator)
        return stretched(views, shape), stretched(self.teacher(views), shape)


@dataclass
class Distillation:
    """Answers of the teacher as a part of the loss, from when its checkpoint is there, during the training too.

    `weight`: share of the loss that compares with its answers; with 0 it only labels the pictures.
    """

    path: Path
    make: Callable[[], PersonMask]
    weight: float
    large: PersonMask | None = None
    waited: int = 0

    def teacher(self, source: Source) -> PersonMask | None:
        """Return the teacher, None while there is none; when it comes, it labels the pictures first."""
        self.waited += 1
        if self.large is None and self.waited % _CHECK_STEPS == 1 and self.path.exists():
            device = source.known.masks.device
            self.large = self.make().to(device, memory_format=torch.channels_last)
            self.large.load_state_dict(checkpoint.load(self.path, device)["average"])
            self.large.eval().requires_grad_(False)
            source.use(relabeled(source.known, self.large))
        return self.large


@dataclass(frozen=True)
class InnerMaps:
    """The teacher's maps as a part of the loss.

    Attributes:
        student: whose maps are compared.
        heads: 1x1 convolutions from its maps to as many channels as the teacher's have.
        weight: of the loss.
    """

    student: PersonMask
    heads: nn.ModuleList
    weight: float

    def error(self, maps: list[Tensor], wanted: list[Tensor]) -> Tensor:
        """Return the mean squared error, in variances of the teacher's channels over the batch.

        Args:
            maps: the student's; of views behind the teacher's nothing is known.
            wanted: the teacher's, (B, C, H, W) each.
        """
        errors = []
        for head, given, target in zip(self.heads, maps, wanted, strict=True):
            with torch.no_grad():
                variance, mean = torch.var_mean(target.float(), dim=(0, 2, 3), keepdim=True)
                scaled = (target - mean) * (variance + 1e-6).rsqrt()
            errors.append(F.mse_loss(head(given[: len(target)]).float(), scaled))
        return torch.stack(errors).mean()


def inner_maps(student: PersonMask, other: PersonMask, weight: float) -> InnerMaps:
    """Return the loss of a student's maps beside those of another network."""
    pairs = zip(student.encoder.channels, other.encoder.channels, strict=True)
    return InnerMaps(student, nn.ModuleList(nn.Conv2d(a, b, 1) for a, b in pairs), weight)


def objective(
    source: Source,
    student: nn.Module,
    shapes: tuple[tuple[int, int], ...],
    steady: float,
    distillation: Distillation | None = None,
    takes_hints: bool = False,
    inner: InnerMaps | None = None,
) -> Objective:
    """Return the function that draws a batch and gives its losses.

    With `distillation` the teacher answers each view too, with `inner` it shows its maps. With `takes_hints` the student
    gets the hints of every other view; a compiled one does not show by its type whether it takes them.
    """
    device = source.known.masks.device

    def batch_losses(count: int) -> dict[str, Tensor]:
        large = distillation.teacher(source) if distillation else None
        with torch.no_grad():
            drawn = source.batch(count, shapes[int(torch.randint(len(shapes), (1,)))])
        x = torch.cat([drawn.pictures, drawn.again])
        if takes_hints:
            hints = torch.cat([drawn.hints, torch.full_like(drawn.hints[: len(drawn.again)], UNKNOWN)])
            hints[::2] = UNKNOWN
            x = torch.cat([x, hints], 1)
        x = x.contiguous(memory_format=torch.channels_last)
        maps: list[Tensor] = []
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            if inner is None:
                logits = student(x)
            else:
                logits, maps = inner.student.answered(x)
        moments = len(drawn.again)
        parts = losses(logits[:count], drawn.masks, drawn.weights)
        if distillation:
            parts["taught"] = torch.zeros_like(parts["loss"])  # until the teacher is there
        if distillation and large is not None and distillation.weight:
            with torch.no_grad(), torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                given = torch.cat([drawn.pictures, drawn.hints], 1).contiguous(
                    memory_format=torch.channels_last
                )
                given_logits, wanted = large.answered(given)
                answers = given_logits.float().sigmoid()
            taught = losses(logits[:count], answers)
            parts["loss"] = torch.lerp(parts["loss"], taught["loss"], distillation.weight)
            parts["taught"] = taught["overlap"]
            if inner is not None:
                with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                    parts["maps"] = inner.error(maps, wanted)
                parts["loss"] = parts["loss"] + inner.weight * parts["maps"]
        parts["unsteady"] = unsteady(logits[:moments], logits[count:], drawn.motion)
        parts["loss"] = parts["loss"] + steady * parts["unsteady"]
        return parts

    return batch_losses


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = command.parser("training.mask.train", __doc__.splitlines()[0], _DEFAULTS)
    add = made.add_argument
    add(
        "--people",
        type=Path,
        nargs="+",
        default=[Path("out/training/people.npz")],
        help="packs with masks or boxes; the first one holds back what the reports measure",
    )
    add("--unknown", type=Path, nargs="+", help="packs of pictures that the teacher judges as they are seen")
    add("--deeplab", type=Path, default=DEEPLAB, help="second teacher of masks from boxes")
    add(
        "--steady", type=float, default=4.0, help="weight of the masks' agreement from one moment to the next"
    )
    add("--large", type=Path, help="train the teacher instead, from EfficientNet-Lite2's weights here")
    add("--small-views", action="store_true", help="show smaller views: twice as many a second")
    add(
        "--teach",
        type=Path,
        help="checkpoint of the teacher, which labels the pictures and teaches; it may come later",
    )
    add("--trust", type=float, default=0.5, help="share of the loss that compares with the teacher")
    add("--maps", type=float, default=0.0, help="weight of the teacher's inner maps")
    add("--begin", type=Path, help="checkpoint whose averaged weights to begin with, as a new training")
    return made


def trainer(options: argparse.Namespace, clock: float, world: World) -> Trainer:
    """Build everything that the command line asks for."""
    generator, device, is_tiny = command.prepare(options, world), world.device, options.tiny
    torch.backends.cudnn.benchmark = False  # trials for four shapes take two minutes and gain nothing
    student = teacher(is_tiny) if options.large else bundled(is_tiny)
    if options.large and not is_tiny and not options.begin:
        student.encoder.restore(options.large)
    student = student.to(device, memory_format=torch.channels_last)
    selfie = Teacher(options.teacher).to(device)
    unknown = read_packs(options.unknown, TRAIN, device, 6 if is_tiny else None) if options.unknown else None
    true = read_people(options.people[:1], HELD, device, most=2 if is_tiny else None, masks=True)
    people = read_people(options.people, TRAIN, device, most=6 if is_tiny else None, masks=True)
    if unlabeled(people).any() and not options.large and not options.teach:
        people = label(people, [selfie, DeepLab(options.deeplab).to(device)])
    distillation = (
        Distillation(options.teach, lambda: teacher(is_tiny), options.trust) if options.teach else None
    )
    if options.begin:
        checkpoint.begin(student, options.begin)
    runs: nn.Module = student
    taught: nn.Module = selfie
    if options.compile:  # a program for each of the shapes
        runs, taught = torch.compile(student, dynamic=False), torch.compile(selfie, dynamic=False)
    shapes = ((48, 64),) if is_tiny else SMALL_SHAPES if options.small_views else SHAPES
    inner = None
    if options.maps:
        is_taught = options.teach is not None and options.teach.exists() and options.trust > 0
        if options.large or options.compile or not is_taught:
            raise UsageError(
                "--maps needs --no-compile, --trust above 0, a checkpoint for --teach that is there already, and no --large."
            )
        inner = inner_maps(student, teacher(is_tiny), options.maps)
        inner.heads.to(device)
    source = Source(people, unknown, taught, generator, options.compile)
    held = read_pack(options.data, HELD, device, most=3 if is_tiny else None)

    def judge(module: nn.Module) -> dict[str, float]:
        return {"iou_true": true_overlap(module, true), **compared(module, selfie, held)}

    return command.assembled(
        options,
        clock,
        world,
        generator,
        student,
        inner.heads if inner else nn.Module(),
        objective(source, runs, shapes, options.steady, distillation, bool(options.large), inner),
        judge,
    )


def main(arguments: list[str] | None = None) -> int:
    """Train; exit status 0, or 1 with one sentence."""
    return command.run(parser(), trainer, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
