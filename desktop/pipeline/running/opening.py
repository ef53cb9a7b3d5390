"""Load the analysis of a specification: one network, or two of them."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.pipeline.running.analysis import Analysis
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.crop_network import CropNetwork
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.running.one.loading import load_second, load_spec
from desktop.pipeline.running.one.picture_network import PictureNetwork
from desktop.pipeline.running.pairs.frame_pair import FramePair
from desktop.pipeline.running.pairs.live_pair import LivePair
from desktop.pipeline.running.pairs.pairs import region_rule
from desktop.pipeline.running.pairs.prompted_pair import load_prompted
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import the_task
from desktop.vision.tasks.task import ResultTask


def load_analysis(gpu: Gpu, spec: NetworkSpec, model: ModelFile | None = None) -> Analysis:
    """Load the network of a `NetworkSpec` and its secondary network, if any; on any thread.

    Raise LightloomError, see `load_network`, also if one of two networks does not fit its role.
    """
    with ModelFile.opened(model or spec.model) as file:
        return _load(gpu, spec, file)


def _load(gpu: Gpu, spec: NetworkSpec, file: ModelFile) -> Analysis:
    pair = load_prompted(gpu, spec, file)
    if pair is not None:
        return pair
    if spec.second is None:
        return LiveNetwork.load(gpu, spec, file)
    with ExitStack() as opened:
        first = load_spec(gpu, spec, file)
        opened.callback(first.close)
        task = the_task(first.head.features.task)
        if not (isinstance(task, ResultTask) and task.finds):
            raise ModelUnsupportedError(
                sentence(
                    "{name} detects no objects that a secondary network could process ({task}); choose a "
                    "detector as the first.",
                    name=Path(spec.model).name,
                    task=task.id,
                )
            )
        second = load_second(gpu, spec.second, recorded=first.encodes and first.head.has_region_finder)
        opened.callback(second.close)
        both = _paired(gpu, first, second, spec)
        opened.pop_all()
        return both


def _paired(gpu: Gpu, first: PictureNetwork, second: CropNetwork, spec: NetworkSpec) -> Analysis:
    if not second.encodes:
        return LivePair(gpu, first, second, spec)
    width, height = second.size
    rule = region_rule(first.head, second.heads[0], spec)
    finder = first.head.region_finder(second.regions.buffer, rule, width / height)
    assert finder is not None, "it said that it tells regions"
    return FramePair(gpu, first, second, finder, spec)
