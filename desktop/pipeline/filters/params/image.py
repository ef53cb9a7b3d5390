"""An image file that a filter reads beside the frame."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop.base.errors import FilterError
from desktop.base.files import read_regular, reason
from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.param import CarriedTexture, LoadedTexture, TextureParam

if TYPE_CHECKING:
    from desktop.compute.gpu.device import Gpu


_SHOWN_EVERYWHERE: Final = (".png", ".jpg", ".jpeg", ".webp", ".avif", ".bmp", ".gif")
_MOST_CARRIED: Final = 64 << 20


class ImageParam(TextureParam):
    """The path of an image file; '' gives one transparent black texel. Loaded as a working texture."""

    type = "image"
    editor = "picture"
    noun = sentence("image")
    dimension = "2d"

    @property
    def expects(self) -> Text:
        return sentence("the path of an image")

    def load(self, gpu: Gpu, value: str) -> LoadedTexture:
        """See TextureParam; raise SourceError if the file is unreadable or exceeds the texture limit."""
        # Imported here: no other filter needs the decoders.
        import wgpu

        from desktop.media.conversion import WORKING_FORMAT
        from desktop.media.sources.image import load_image
        from desktop.pipeline.picture.upload import uploaded

        if not value:
            # New textures are zero (WebGPU).
            black = gpu.device.create_texture(
                label="no frame",
                size=(1, 1, 1),
                format=WORKING_FORMAT,
                usage=wgpu.TextureUsage.TEXTURE_BINDING,
            )
            return LoadedTexture(black, black.destroy)
        uploader = uploaded(gpu, load_image(Path(value)).frame)
        return LoadedTexture(uploader.texture, uploader.close)

    def carried(self, value: str) -> CarriedTexture:
        """See TextureParam: the file, unchanged; raise FilterError if unreadable or not shown by browsers."""
        if not value:
            return CarriedTexture(bytes(8), (1, 1, 1))
        path = Path(value)
        if path.suffix.lower() not in _SHOWN_EVERYWHERE:
            raise FilterError(
                sentence(
                    "The image {path} is of a kind that browsers do not show; save it as one of {kinds}.",
                    path=path,
                    kinds=", ".join(_SHOWN_EVERYWHERE),
                )
            )
        try:
            return CarriedTexture(read_regular(path, _MOST_CARRIED), None)
        except (OSError, ValueError) as error:
            raise FilterError(
                sentence(
                    "The image {path} cannot be read: {reason}; check its name and permissions.",
                    path=path,
                    reason=reason(error),
                )
            ) from error


TYPE: Final = ImageParam
