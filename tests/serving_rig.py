"""A server of the Open Inference Protocol in this process, on ports that are free, and networks for it."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from waiting import LIMIT_S

from desktop.serving.access import Access, Certificate
from desktop.serving.access_log import AccessLog
from desktop.serving.grpc_server import GrpcServer
from desktop.serving.http_server import HttpServer
from desktop.serving.limits import Limits
from desktop.serving.models import models_of
from desktop.serving.repository import Change, Repository
from desktop.serving.served_model import Batching, ModelLimits, ModelOptions, ServedModel
from desktop.serving.server import Place, Serving
from desktop.serving.service import Service
from desktop.serving.session_pool import Loading, MakePools, own_pool
from desktop.serving.shared_memory import SharedRegions

CPU = Loading(lambda: None, "onnxruntime")


class ServerRig:
    """Serves from when it is made until `stop`.

    `http` and `grpc` are addresses with their ports, `service` is what is behind them; `models` are files by
    the names that they get.
    """

    def __init__(
        self,
        models: dict[str, Path],
        *,
        limits: Limits | None = None,
        loading: Loading = CPU,
        batching: Batching | None = None,
        token: str = "",
        certificate: Certificate | None = None,
        may_load: bool = False,
        own: dict[str, ModelLimits] | None = None,
        repository: Path | None = None,
        pools: MakePools = own_pool,
        access_log: AccessLog | None = None,
        regions: SharedRegions | None = None,
    ) -> None:
        limits = limits or Limits()
        named = {name: str(path) for name, path in models.items()}
        usual = ModelOptions(loading, batching or Batching(), ModelLimits(limits.queue), pools)
        limited = {name: replace(usual, limits=each) for name, each in (own or {}).items()}
        self.models = models_of(named, usual, limited)
        self.models.load()
        self.changes: list[Change] = []
        self.repository: Repository | None = None
        if repository is not None:
            self.repository = Repository(repository, self.models, usual, limits, self.changes.append)
            self.repository.update(settled_only=False)
        self._serving = Serving(
            "127.0.0.1",
            (Place("gRPC", GrpcServer, 0), Place("HTTP", HttpServer, 0)),
            Access(token),
            certificate,
        )
        self._limits, self._may_load, self._access_log = limits, may_load, access_log
        self._regions = regions
        self._started = threading.Event()
        self.ended: bool | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._started.wait(LIMIT_S)

    def _run(self) -> None:
        self.ended = asyncio.run(self._main())
        self.models.close(30)

    async def _main(self) -> bool:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self.service = Service(
            self.models,
            self._limits,
            may_load=self._may_load,
            repository=self.repository,
            access_log=self._access_log,
            regions=self._regions,
        )
        return await self._serving.run(self.service, self._stop, self._tell)

    def _tell(self, addresses) -> None:
        self.grpc, self.http = (f"{each.host}:{each.port}" for each in addresses)
        self._started.set()

    def model(self, name: str) -> ServedModel:
        """A model that is served."""
        return self.models.find(name)

    def begin_stop(self) -> None:
        """As SIGTERM does."""
        self._loop.call_soon_threadsafe(self._stop.set)

    def stop(self) -> bool:
        """End; whether all that was under way was answered."""
        if self._thread.is_alive():
            self.begin_stop()
        self._thread.join(LIMIT_S)
        assert not self._thread.is_alive()
        return bool(self.ended)

    def __enter__(self) -> ServerRig:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def affine_model(
    path: Path, *, batch: int | str = "N", elem: int = TensorProto.FLOAT, width: int = 4
) -> Path:
    """y = 2 x + 1, of [batch, width]."""
    dtype = helper.tensor_dtype_to_np_dtype(elem)
    graph = helper.make_graph(
        [helper.make_node("Mul", ["x", "two"], ["twice"]), helper.make_node("Add", ["twice", "one"], ["y"])],
        "affine",
        [helper.make_tensor_value_info("x", elem, [batch, width])],
        [helper.make_tensor_value_info("y", elem, [batch, width])],
        [
            numpy_helper.from_array(np.array(2, dtype), "two"),
            numpy_helper.from_array(np.array(1, dtype), "one"),
        ],
    )
    return _saved(graph, path)


def mean_model(path: Path) -> Path:
    """x less the mean of all rows: a free first dimension whose rows look at each other."""
    graph = helper.make_graph(
        [
            helper.make_node("ReduceMean", ["x"], ["mean"], axes=[0], keepdims=1),
            helper.make_node("Sub", ["x", "mean"], ["y"]),
        ],
        "mean",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 4])],
    )
    return _saved(graph, path)


def two_inputs_model(path: Path) -> Path:
    """sum = a + b of floats [N, 2, free], and flag = not c of booleans [N, 3]."""
    graph = helper.make_graph(
        [helper.make_node("Add", ["a", "b"], ["sum"]), helper.make_node("Not", ["c"], ["flag"])],
        "two",
        [
            helper.make_tensor_value_info("a", TensorProto.FLOAT, ["N", 2, "M"]),
            helper.make_tensor_value_info("b", TensorProto.FLOAT, ["N", 2, "M"]),
            helper.make_tensor_value_info("c", TensorProto.BOOL, ["N", 3]),
        ],
        [
            helper.make_tensor_value_info("sum", TensorProto.FLOAT, ["N", 2, "M"]),
            helper.make_tensor_value_info("flag", TensorProto.BOOL, ["N", 3]),
        ],
    )
    return _saved(graph, path)


def _saved(graph: onnx.GraphProto, path: Path) -> Path:
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, str(path))
    return path
