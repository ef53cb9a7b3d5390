"""An engine on a device of its own that waits for each frame's result, so that playback continues."""

from __future__ import annotations

from desktop.base.paths import user_cache_folder, user_filter_folder
from desktop.pipeline.engine import Engine


def waiting_engine(adapter: str) -> Engine:
    """Make an engine on the named adapter, on its thread. Raises GpuError if no device can be opened."""
    # Imports network code, which the first frame does not need.
    from desktop.compute.gpu.device import Gpu
    from desktop.pipeline.filters.library import FilterLibrary
    from desktop.pipeline.filters.verifier import FilterVerifier, trusts_shaders
    from desktop.pipeline.running.opening import load_analysis

    verifier = FilterVerifier(user_cache_folder() / "filters", trusts=trusts_shaders())
    library = FilterLibrary(user_filter_folder())
    return Engine(
        lambda: Gpu.open(adapter), library, load_analysis, wait=True, in_flight=1, verifier=verifier
    )
