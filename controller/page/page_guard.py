"""Guards every route: checks host, origin, sizes and rates, sets headers and language of every answer."""

import ipaddress
import json
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.errors import InputError, WorkError
from sentences import FILES, Key, say, speaking

T = TypeVar("T")

MOST_BODY_BYTES = 8192
"""Bytes of the largest body: the draw of 1,024 players has 5,000. Guess."""
MOST_TARGET_CHARS = 512
"""Characters of the longest path and query. Guess."""
MOST_CLIENTS = 1000
"""Clients whose rates are remembered. Guess."""
CONTENT_SOURCES = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
"""What the page may load, and from where: nothing from elsewhere (Content Security Policy)."""
SECURITY_HEADERS = {
    "content-security-policy": "; ".join(f"{what} {where}" for what, where in CONTENT_SOURCES.items()),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "x-frame-options": "DENY",
}


@dataclass(frozen=True, kw_only=True)
class Rate:
    """At most `burst` at once, and `a_second` in the long run. Guesses."""

    burst: float
    a_second: float


NOT_THERE = Key("page_not_there")
READING = Rate(burst=120, a_second=20)
WRITING = Rate(burst=20, a_second=4)


class RateLimit:
    """A token bucket for each client."""

    def __init__(self, rate: Rate, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock_s = clock_s
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, client: str) -> bool:
        """Whether a client may make one more request now. If so, it is counted."""
        now_s = self._clock_s()
        left, since_s = self._buckets.pop(client, (self._rate.burst, now_s))
        left = min(self._rate.burst, left + (now_s - since_s) * self._rate.a_second)
        self._buckets[client] = (left - 1 if left >= 1 else left), now_s
        while len(self._buckets) > MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return left >= 1


class Refused(Exception):
    """A request that is answered only by why not. status: of HTTP. key: of the text."""

    def __init__(self, status: int, key: Key) -> None:
        super().__init__(status, key)


def there(found: T | None, key: Key = NOT_THERE) -> T:
    """What was found. Raises Refused where there is nothing. key: of the text that says so."""
    if found is None:
        raise Refused(404, key)
    return found


async def given_object(request: Request, key: Key) -> dict[str, Any]:
    """The JSON object in the body of a request. Raises Refused when there is none. key: of the text then."""
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused(400, key)
    return found


def problem_answer(refused: Refused) -> Response:
    """The answer to a refused request, in the current language."""
    status, key = refused.args
    return JSONResponse({"problem": say(key)}, status)


def guarded(routes: Sequence[BaseRoute]) -> "PageGuard":
    """The application of these routes inside its guard.

    They may raise Refused, or InputError for 400, or WorkError for 503.
    """

    async def refused(_request: Request, error: Exception) -> Response:
        if isinstance(error, Refused):
            return problem_answer(error)
        return JSONResponse({"problem": str(error)}, 503 if isinstance(error, WorkError) else 400)

    app = Starlette(
        routes=routes, exception_handlers={Refused: refused, InputError: refused, WorkError: refused}
    )
    app.router.redirect_slashes = False
    return PageGuard(app)


class PageGuard:
    """An ASGI application in front of the page's. It refuses requests that must not reach the page."""

    def __init__(self, app: ASGIApp, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._reading, self._writing = RateLimit(READING, clock_s), RateLimit(WRITING, clock_s)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, in the language that it asks for. Only HTTP is served."""
        if scope["type"] != "http":
            return
        with speaking(asked_language(HTTPConnection(scope))):
            await self._handle(scope, receive, send)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        try:
            self._check(scope)
            body = await _whole_body(receive)
        except Refused as refused:
            await problem_answer(refused)(scope, receive, guarded_send)
            return
        given = False

        async def given_body() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, given_body, guarded_send)

    def _check(self, scope: Scope) -> None:
        """Raise Refused when the request may not pass."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_own_host(host):
            raise Refused(421, Key("page_other_host"))
        is_reading = scope["method"] in ("GET", "HEAD")
        client = scope["client"][0] if scope.get("client") else ""
        if not (self._reading if is_reading else self._writing).allows(client):
            raise Refused(429, Key("page_too_often"))
        if len(scope["raw_path"]) + len(scope["query_string"]) > MOST_TARGET_CHARS:
            raise Refused(414, Key("page_too_large"))
        if not is_reading and not _is_same_origin(headers, host):
            raise Refused(403, Key("page_other_origin"))


def asked_language(request: HTTPConnection) -> str:
    """The language that a browser asks for; the first of FILES where it is not known."""
    asked = request.query_params.get("language", "")
    return asked if asked in FILES else next(iter(FILES))


def is_own_host(host: str) -> bool:
    """Whether a Host header is an IP address, or a name of this computer that no other site can have."""
    name = host.rsplit(":", 1)[0] if host.rsplit(":", 1)[-1].isdecimal() else host
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        own = socket.gethostname().lower()
        return name.lower() in ("localhost", own, f"{own}.local")
    return True


def _is_same_origin(headers: Headers, host: str) -> bool:
    """Whether a writing request comes from our own page, or from no page at all."""
    origin = headers.get("origin")
    site = headers.get("sec-fetch-site", "same-origin")
    return origin in (None, f"http://{host}") and site in ("same-origin", "none")


async def _whole_body(receive: Receive) -> bytes:
    """The body. Raises Refused when it is too large."""
    body = b""
    while True:
        message: MutableMapping[str, Any] = await receive()
        if message["type"] != "http.request":
            return body
        body += bytes(message.get("body", b""))
        if len(body) > MOST_BODY_BYTES:
            raise Refused(413, Key("page_too_large"))
        if not message.get("more_body"):
            return body
