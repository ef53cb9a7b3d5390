"""A color table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.param import CarriedTexture, LoadedTexture, TextureParam

if TYPE_CHECKING:
    import numpy as np

    from desktop.compute.gpu.device import Gpu


class LutParam(TextureParam):
    """Path of a `.cube` file, '' for the identity: a 3D texture (rgba16float) indexed by R'G'B'."""

    type = "lut"
    editor = "table"
    noun = sentence("table")
    dimension = "3d"

    @property
    def expects(self) -> Text:
        return sentence("the path of a .cube file")

    def load(self, gpu: Gpu, value: str) -> LoadedTexture:
        """See TextureParam; raises FilterError if it is not a table."""
        import wgpu  # here: a list of filters needs none of it

        texels = _texels(value)
        n = len(texels)
        texture = gpu.device.create_texture(
            label="lut",
            size=(n, n, n),
            dimension=self.dimension,
            format="rgba16float",
            usage=wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST,
        )
        gpu.queue.write_texture(
            {"texture": texture}, texels.tobytes(), {"bytes_per_row": n * 8, "rows_per_image": n}, (n, n, n)
        )
        return LoadedTexture(texture, texture.destroy)

    def carried(self, value: str) -> CarriedTexture:
        """See TextureParam; raises FilterError if it is not a table."""
        texels = _texels(value)
        return CarriedTexture(texels.tobytes(), (len(texels),) * 3)


def _texels(value: str) -> np.ndarray:
    """Return a table, '' for the identity, as float16 (blue, green, red, 4)."""
    # Imported here: a list of filters needs none of it.
    import numpy as np

    from desktop.pipeline.filters.cube_lut import IDENTITY, load_cube

    lut = load_cube(Path(value)) if value else IDENTITY
    texels = np.ones((lut.size,) * 3 + (4,), np.float16)
    texels[..., :3] = lut.table
    return texels


TYPE: Final = LutParam
