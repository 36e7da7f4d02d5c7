"""The routes of the page: reading for everybody, commands for whoever holds the token."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from controller.page.camera_view import CameraView
from controller.page.feed import MOST_WATCHERS, Feed
from controller.page.match_views import MatchShelf
from controller.page.page_access import invitation, is_same_token, qr_svg
from controller.page.page_assets import Asset, page_assets
from controller.page.page_guard import PageGuard
from controller.page.page_texts import page_texts
from controller.page.ranked_plays import ranked_plays
from controller.referee.words.sentences import Speech
from sentences import FILES, Key, say, speaking

TOKEN_HEADER = "x-blotlight-token"
MOST_LINE_CHARS = 200
"""Characters of the longest line that people may send. Guess: a position has 53."""
NOT_FROM_A_PAGE = ("quit", "exit", "help", "?", "more", "next", "")
"""Lines that belong to the terminal: they end the program there, or turn its pages."""

JsonObject = dict[str, Any]


class PageRoutes:
    """The routes. token: what commands need; None where nobody may command.

    send_line: takes a line that people sent, False when too many wait.
    """

    def __init__(
        self,
        *,
        feed: Feed,
        camera: CameraView,
        shelf: MatchShelf,
        token: str | None,
        send_line: Callable[[str], bool],
        speech: Speech,
    ) -> None:
        self._feed = feed
        self._camera = camera
        self._shelf = shelf
        self._token = token
        self._send_line = send_line
        self._speech = speech

    def app(self) -> PageGuard:
        """The application, with what guards it."""
        routes = [
            Route("/", self._index),
            Route("/assets/{name}", self._asset),
            Route("/texts", self._texts),
            Route("/events", self._events),
            Route("/access", self._access),
            Route("/plays/{game:int}/{number:int}", self._plays),
            Route("/commands", self._commands, methods=["POST"]),
            Route("/camera.jpg", self._camera_picture),
            Route("/camera", self._camera_figures),
            Route("/matches", self._matches),
            Route("/matches/{number:int}", self._match),
            Route("/matches/{number:int}.{kind}", self._match_file),
        ]
        app = Starlette(routes=routes)
        app.router.redirect_slashes = False
        return PageGuard(app)

    # -- the files of the page

    async def _index(self, request: Request) -> Response:
        return asset_response(request, page_assets()["index.html"])

    async def _asset(self, request: Request) -> Response:
        asset = page_assets().get(request.path_params["name"])
        return problem_answer(404, Key("page_not_there")) if asset is None else asset_response(request, asset)

    async def _texts(self, request: Request) -> Response:
        with speaking(asked_language(request)):
            return json_answer(page_texts())

    # -- the live view

    async def _events(self, request: Request) -> Response:
        if self._feed.n_watchers >= MOST_WATCHERS:
            return problem_answer(503, Key("page_too_many_watch"))
        events = self._feed.events(asked_language(request))
        return StreamingResponse(events, media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def _access(self, request: Request) -> Response:
        """Whether this browser may command; if so, the QR code that lets another one command."""
        if not self._may_command(request):
            return json_answer({"may_command": False, "commands_exist": self._token is not None})
        url = invitation(f"http://{request.headers['host']}/", self._token or "")
        return json_answer({"may_command": True, "commands_exist": True, "url": url, "qr_svg": qr_svg(url)})

    async def _plays(self, request: Request) -> Response:
        """What may have been played in a half-turn."""
        moment = self._feed.newest
        if moment is None:
            return problem_answer(404, Key("page_not_there"))
        game, number = request.path_params["game"], request.path_params["number"]
        with speaking(asked_language(request)):
            found = await run_in_threadpool(
                ranked_plays, moment.state, moment.orientation, game, number, self._speech
            )
        return problem_answer(404, Key("page_not_there")) if found is None else json_answer(asdict(found))

    async def _commands(self, request: Request) -> Response:
        """A line, as people type it. The answer to it comes with the events."""
        if not self._may_command(request):
            return problem_answer(403, Key("page_needs_token"))
        try:
            line = json.loads(await request.body())["line"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return problem_answer(400, Key("page_no_line"))
        if not isinstance(line, str) or len(line) > MOST_LINE_CHARS or not line.isprintable():
            return problem_answer(400, Key("page_no_line"))
        if " ".join(line.lower().split()) in NOT_FROM_A_PAGE:
            return problem_answer(400, Key("page_for_terminal"))
        if not self._send_line(line):
            return problem_answer(503, Key("page_too_often"))
        return json_answer({"sent": line}, status=202)

    def _may_command(self, request: Request) -> bool:
        given = request.headers.get(TOKEN_HEADER, "")
        return self._token is not None and is_same_token(given, self._token)

    # -- the camera

    async def _camera_picture(self, request: Request) -> Response:
        with speaking(asked_language(request)):
            seen = await run_in_threadpool(self._camera.seen, self._feed.newest)
        return (
            problem_answer(404, Key("page_no_picture"))
            if seen is None
            else Response(seen.jpeg, media_type="image/jpeg")
        )

    async def _camera_figures(self, request: Request) -> Response:
        with speaking(asked_language(request)):
            seen = await run_in_threadpool(self._camera.seen, self._feed.newest)
        return (
            problem_answer(404, Key("page_no_picture")) if seen is None else json_answer(asdict(seen.figures))
        )

    # -- the matches

    async def _matches(self, request: Request) -> Response:
        with speaking(asked_language(request)):
            return json_answer(
                {"matches": [asdict(one) for one in await run_in_threadpool(self._shelf.listed)]}
            )

    async def _match(self, request: Request) -> Response:
        with speaking(asked_language(request)):
            found = await run_in_threadpool(self._shelf.match, request.path_params["number"])
        return problem_answer(404, Key("page_not_there")) if found is None else json_answer(asdict(found))

    async def _match_file(self, request: Request) -> Response:
        number, kind = request.path_params["number"], request.path_params["kind"]
        found = await run_in_threadpool(self._shelf.file, number, kind)
        if found is None:
            return problem_answer(404, Key("page_not_there"))
        name, text = found
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="application/octet-stream", headers=headers)


def asked_language(request: Request) -> str:
    """The language that a browser asks for, if it is known."""
    asked = request.query_params.get("language", "")
    return asked if asked in FILES else next(iter(FILES))


def json_answer(value: JsonObject, status: int = 200) -> Response:
    return JSONResponse(value, status_code=status)


def problem_answer(status: int, key: Key) -> Response:
    return json_answer({"problem": say(key)}, status)


def asset_response(request: Request, asset: Asset) -> Response:
    headers = {"etag": asset.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == asset.tag:
        return Response(status_code=304, headers=headers)
    content = asset.content
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        content = asset.zipped
    return Response(content, media_type=asset.media_type, headers=headers)
