"""The files of the page, read once, when first needed. A browser gets no other file."""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, kw_only=True)
class Asset:
    """A file of the page. zipped: its content, compressed by gzip. tag: its ETag, a hash of the content."""

    content: bytes
    zipped: bytes
    media_type: str
    tag: str


@cache
def page_assets(package: str = "controller.page") -> Mapping[str, Asset]:
    """Every file of a page by its name. package: the package whose folder holds `assets`."""
    found = {}
    for file in (files(package) / "assets").iterdir():
        suffix = f".{file.name.rsplit('.', 1)[-1]}"
        if suffix in MEDIA_TYPES:
            content = file.read_bytes()
            found[file.name] = Asset(
                content=content,
                zipped=gzip.compress(content, mtime=0),
                media_type=MEDIA_TYPES[suffix],
                tag=f'"{hashlib.sha256(content).hexdigest()[:16]}"',
            )
    return found


def asset_response(request: Request, asset: Asset) -> Response:
    """The answer with a file, compressed where the browser takes that; 304 where it has the file already."""
    headers = {"etag": asset.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == asset.tag:
        return Response(status_code=304, headers=headers)
    content = asset.content
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        content = asset.zipped
    return Response(content, media_type=asset.media_type, headers=headers)
