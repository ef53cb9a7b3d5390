"""Write a filter as a package that `pip install` takes and Lightloom finds as a plug-in."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desktop.base.errors import UsageError
from desktop.base.files import reason
from desktop.base.printable import printable
from desktop.base.wording import sentence
from desktop.pipeline.filters.description import Filter

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MOST: Final = 100

_MIT: Final = """MIT License

Copyright (c) {year} {author}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""
_BSD: Final = """Copyright (c) {year}, {author}

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this
   list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice,
   this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
"""
_ZERO_BSD: Final = """Copyright (C) {year} by {author}

Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY
AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM
LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR
OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
PERFORMANCE OF THIS SOFTWARE.
"""
LICENSES: Final[Mapping[str, str]] = {"MIT": _MIT, "BSD-2-Clause": _BSD, "0BSD": _ZERO_BSD, "none": ""}
"""Texts by SPDX identifier; 'none': all rights stay with the author."""

_PROJECT: Final = """[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = {name}
version = "1.0"
description = {description}
readme = "README.md"
requires-python = ">=3.11"
authors = [{{ name = {author} }}]
{license}
[project.entry-points."lightloom.plugins"]
{entry} = "{module}:PLUGIN"

[tool.hatch.build.targets.wheel]
packages = ["{module}"]
"""
_MODULE: Final = '''"""Plug-in for Lightloom with one filter. Lightloom imports it once its user has allowed it."""

from pathlib import Path

from lightloom.plugins import Plugin

PLUGIN = Plugin(title={title}, filters=(Path(__file__).with_name({file}),))
'''
_README: Final = """# {title}

{help}

A filter for Lightloom. Install it into Lightloom's own environment and allow it once:

    pip install {name}
    lightloom plugins --allow {entry}
    lightloom process in.mp4 -o out.mp4 --filter {id}

Before you publish it, run its test (`pip install pytest numpy`, then `pytest`) and build it
(`pip install build`, then `python -m build`). {license}
"""
_TEST: Final = '''"""The filter is where the plug-in says, and Lightloom can use it."""

{imports}
from {module} import PLUGIN


def test_the_file_is_there():
    (path,) = PLUGIN.filters
    assert path.name == {file} and path.is_file()
{run}'''
_RUN: Final = """

def test_it_runs():
    image = np.full((32, 48, 3), 128, np.uint8)
    with lightloom.Chain([str(PLUGIN.filters[0])]) as chain:
        assert chain(image).shape[:2] == image.shape[:2]
"""


@dataclass(frozen=True)
class Publication:
    """Facts about a package that its author gives.

    Attributes:
        name: of the package, such as 'lightloom-glow': lower-case words with '-' between them.
        license: a key of LICENSES.
    """

    name: str
    author: str
    license: str = "MIT"

    @property
    def module(self) -> str:
        """Name of its Python package."""
        return self.name.replace("-", "_")

    @property
    def entry(self) -> str:
        """Name of the plug-in, which the user allows."""
        return self.name.removeprefix("lightloom-")


def usual_name(item: Filter) -> str:
    """Return the usual name of a filter's package."""
    words = [word for word in re.split("[^a-z0-9]+", item.id.lower()) if word]
    return "-".join(("lightloom", *words))


def publication_fault(item: Filter, about: Publication, folder: Path) -> str:
    """Return what is wrong with a request to publish, as a sentence; '' for nothing."""
    if item.builtin:
        return sentence(
            "{title} comes with Lightloom already; publish a filter of your own.", title=item.title
        )
    if len(about.name) > _MOST or not _NAME.fullmatch(about.name) or about.name == "lightloom":
        return sentence(
            "'{name}' is not a name for a package; use lower-case words with '-' between them, such as "
            "lightloom-glow.",
            name=about.name[:_MOST],
        )
    author = about.author.strip()
    if not author or len(author) > _MOST or printable(author) != author:
        return sentence("The author is missing or too long; give a name of up to {most} letters.", most=_MOST)
    if about.license not in LICENSES:
        return sentence(
            "'{license}' is not a license that can be written; choose one of {licenses}.",
            license=about.license[:_MOST],
            licenses=", ".join(LICENSES),
        )
    if named := next((p.name for p in item.file_textures if p.default), ""):
        return sentence(
            "The default of '{param}' is a file, which the package would not have; make it empty.",
            param=named,
        )
    if not folder.is_dir():
        return sentence("There is no folder {folder}; choose another one.", folder=str(folder))
    if (folder / about.name).exists():
        return sentence(
            "{path} exists already, and nothing is replaced; choose another name or folder.",
            path=str(folder / about.name),
        )
    return ""


def publish(item: Filter, about: Publication, folder: Path) -> Path:
    """Write the package as a new folder in `folder`, and return it; raise UsageError if that is not possible."""
    if fault := publication_fault(item, about, folder):
        raise UsageError(fault)
    target = folder / about.name
    try:
        made = Path(tempfile.mkdtemp(prefix=f".{about.name}-", dir=folder))
        try:
            for name, text in _files(item, about).items():
                path = made / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="\n")
            made.chmod(0o755)
            made.rename(target)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
    except OSError as error:
        raise UsageError(
            sentence(
                "{path} cannot be written: {reason}; check the folder and its permissions.",
                path=str(target),
                reason=reason(error),
            )
        ) from error
    return target


def _quoted(text: str) -> str:
    """Return a text as both TOML and Python write it."""
    return json.dumps(text, ensure_ascii=False)


def _files(item: Filter, about: Publication) -> dict[str, str]:
    """Return the texts by their paths."""
    author, file = about.author.strip(), f"{item.id}.wgsl"
    license_text = LICENSES[about.license].format(year=time.localtime().tm_year, author=author)
    licensed = f'license = "{about.license}"\nlicense-files = ["LICENSE"]\n' if license_text else ""
    # The library gives filters neither audio nor objects, and a network takes long to load.
    runs = item.network is None and not {"audio", "tracks"} & set(item.inputs)
    texts = {
        "pyproject.toml": _PROJECT.format(
            name=_quoted(about.name),
            description=_quoted(item.help or item.title),
            author=_quoted(author),
            license=licensed,
            entry=about.entry,
            module=about.module,
        ),
        "README.md": _README.format(
            title=item.title,
            help=item.help,
            name=about.name,
            entry=about.entry,
            id=item.id,
            license=f"License: {about.license}." if licensed else "It has no license yet: choose one first.",
        ),
        f"{about.module}/__init__.py": _MODULE.format(title=_quoted(item.title), file=_quoted(file)),
        f"{about.module}/{file}": item.text,
        f"tests/test_{about.module}.py": _TEST.format(
            imports="import numpy as np\n\nimport lightloom" if runs else "",
            module=about.module,
            file=_quoted(file),
            run=_RUN if runs else "",
        ),
    }
    return {**texts, "LICENSE": license_text} if license_text else texts
