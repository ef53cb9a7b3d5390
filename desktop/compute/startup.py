"""Makes the first use of wgpu-py faster; changes nothing that it computes.

wgpu-py asks cffi for its C types by name ("WGPUSurfaceConfiguration *"). For each name that is new, cffi's parser reads a typedef
line for every one of the header's 2,170 types, some 30 ms of pure Python, and dozens of names are used until the first picture:
half of the CPU time of a start-up, 2.5 of 4.9 s, was measured to be that. Only the types that the name mentions can matter, so only those
are given to the parser here. Whatever the parser does not take in that way is parsed in the old one.
"""

from __future__ import annotations

import re
from typing import Any

_WORD = re.compile(r"\w+")


def speed_up_type_names() -> None:
    """Install the shorter way in wgpu-py's cffi parser; does nothing where cffi looks different from what is known (1.15 to 2.x)."""
    try:
        from wgpu.backends.wgpu_native._ffi import ffi
    except ImportError:
        return
    parser: Any = getattr(ffi, "_parser", None)
    if not hasattr(parser, "parse_type_and_quals") or not isinstance(
        getattr(parser, "_declarations", None), dict
    ):
        return
    whole = parser.parse_type_and_quals

    def parse(text: str) -> Any:
        words = set(_WORD.findall(text))
        everything = parser._declarations
        parser._declarations = {k: v for k, v in everything.items() if k.rpartition(" ")[2] in words}
        try:
            return whole(text)
        except Exception:  # of any kind: the long way decides what is wrong
            parser._declarations = everything
            return whole(text)
        finally:
            parser._declarations = everything

    parser.parse_type_and_quals = parse
