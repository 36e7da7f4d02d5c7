"""The routes of the page: reading for everybody, commands for whoever holds the token."""

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from controller.errors import InputError
from controller.page.camera_view import CameraView
from controller.page.feed import MOST_WATCHERS, Feed
from controller.page.history.analysis_desk import AnalysisDesk
from controller.page.history.match_views import MatchShelf
from controller.page.mending.difference import asked_difference, parse_roll
from controller.page.mending.ranked_plays import ranked_plays
from controller.page.page_access import invitation, is_same_token, qr_svg
from controller.page.page_assets import Asset, page_assets
from controller.page.page_guard import PageGuard, asked_language
from controller.page.page_texts import page_texts
from controller.page.setup.match_choice import match_choice
from controller.referee.words.sentences import Speech
from controller.service.health.counters import CONTENT_TYPE
from controller.service.recordings.stills import StillKind, StillName
from controller.service.setup.setup_words import SetupWord, parse_setup_word
from sentences import Key, say

TOKEN_HEADER = "x-blotlight-token"
MOST_LINE_CHARS = 200
"""Characters of the longest line that people may send. Guess: a position has 53."""
NOT_FROM_A_PAGE = ("quit", "exit", "help", "?", "more", "next", "")
"""Lines that belong to the terminal: they end the program there, or turn its pages."""

JsonObject = dict[str, Any]


class PageRoutes:
    """The routes. token: what commands need; None where nobody may command.

    send_line: takes a line that people sent, False when too many wait. send_setup_word: the same for words
    about the set-up; None where there is none. metrics: gives the counters as text; None where they
    are not shown.
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
        send_setup_word: Callable[[SetupWord], bool] | None = None,
        metrics: Callable[[], str] | None = None,
    ) -> None:
        self._metrics = metrics
        self._feed = feed
        self._camera = camera
        self._shelf = shelf
        self._analyses = AnalysisDesk()
        self._token = token
        self._send_line = send_line
        self._speech = speech
        self._send_setup_word = send_setup_word

    def app(self) -> PageGuard:
        """The application, with what guards it."""
        routes = [
            Route("/", self._index),
            Route("/assets/{name}", self._asset),
            Route("/texts", self._texts),
            Route("/events", self._events),
            Route("/access", self._access),
            Route("/plays/{game:int}/{number:int}", self._plays),
            Route("/difference/{game:int}/{number:int}", self._difference),
            Route("/commands", self._commands, methods=["POST"]),
            Route("/setup", self._setup, methods=["POST"]),
            Route("/match-choice", self._match_choice),
            Route("/camera.jpg", self._camera_picture),
            Route("/camera", self._camera_figures),
            Route("/metrics", self._counters),
            Route("/matches", self._matches),
            Route("/matches/{number:int}", self._match),
            Route("/matches/{number:int}.{kind}", self._match_file),
            Route("/matches/{number:int}/analysis", self._analysis),
            Route("/matches/{number:int}/analysis", self._begin_analysis, methods=["POST"]),
            Route("/matches/{number:int}/deletion", self._deletion, methods=["POST"]),
            Route("/stills/{match:int}/{game:int}/{number:int}/{kind}", self._still),
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
        return json_answer(page_texts())

    # -- the live view

    async def _events(self, request: Request) -> Response:
        if self._feed.n_watchers >= MOST_WATCHERS:
            return problem_answer(503, Key("page_too_many_watch"))
        late = not self._may_command(request)
        events = self._feed.events(asked_language(request), late=late)
        return StreamingResponse(events, media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def _access(self, request: Request) -> Response:
        """Whether this browser may command; if so, the QR code that lets another one command."""
        if not self._may_command(request):
            return json_answer(
                {"may_command": False, "may_set_up": False, "commands_exist": self._token is not None}
            )
        url = invitation(f"http://{request.headers['host']}/", self._token or "")
        can = {"may_command": True, "may_set_up": self._send_setup_word is not None, "commands_exist": True}
        return json_answer({**can, "url": url, "qr_svg": qr_svg(url)})

    async def _plays(self, request: Request) -> Response:
        """What may have been played in a half-turn."""
        if not self._may_see_now(request):
            return problem_answer(403, Key("page_seen_later"))
        moment = self._feed.newest
        if moment is None:
            return problem_answer(404, Key("page_not_there"))
        game, number = request.path_params["game"], request.path_params["number"]
        try:
            dice = parse_roll(request.query_params.get("dice", ""))
        except InputError as error:
            return json_answer({"problem": str(error)}, status=400)
        found = await run_in_threadpool(
            ranked_plays, moment.state, moment.orientation, game, number, dice, self._speech
        )
        still = await run_in_threadpool(self._shelf.still_in_hand, game, number)
        if found is None:
            return problem_answer(404, Key("page_not_there"))
        return json_answer(asdict(found) | {"still": still})

    async def _difference(self, request: Request) -> Response:
        """What a correction of a half-turn would change."""
        if not self._may_see_now(request):
            return problem_answer(403, Key("page_seen_later"))
        moment = self._feed.newest
        if moment is None:
            return problem_answer(404, Key("page_not_there"))
        try:
            found = await run_in_threadpool(
                asked_difference, moment, request.path_params, request.query_params, self._speech
            )
        except InputError as error:
            return json_answer({"problem": str(error)}, status=400)
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

    async def _setup(self, request: Request) -> Response:
        """A word about setting the board up. What came of it comes with the events."""
        if not self._may_command(request):
            return problem_answer(403, Key("page_needs_token"))
        if self._send_setup_word is None:
            return problem_answer(404, Key("page_not_there"))
        try:
            said = parse_setup_word(json.loads(await request.body()))
        except InputError as error:
            return json_answer({"problem": str(error)}, status=400)
        except (ValueError, TypeError, AttributeError, RecursionError):
            return problem_answer(400, Key("setup_word_unknown"))
        if not self._send_setup_word(said):
            return problem_answer(503, Key("page_too_often"))
        return json_answer({"sent": True}, status=202)

    async def _match_choice(self, request: Request) -> Response:
        """The settings of the match, and the choices for another."""
        moment = self._feed.shown(late=not self._may_command(request))
        if moment is None or moment.match is None:
            return problem_answer(404, Key("page_not_there"))
        return json_answer(asdict(match_choice(moment.match, moment.state.settings.mode)))

    def _may_see_now(self, request: Request) -> bool:
        """Whether this browser may see what spectators see later."""
        return not self._feed.delay_s or self._may_command(request)

    def _may_read(self, request: Request, number: int) -> bool:
        """Whether this browser may read a match: spectators who see the game later read only the matches
        before the one that they see."""
        if self._may_see_now(request):
            return True
        shown = self._feed.shown(late=True)
        return shown is not None and shown.match_number is not None and number < shown.match_number

    def _may_command(self, request: Request) -> bool:
        """Whether the request carries the token: in a header, or for streams and pictures in the address."""
        given = request.headers.get(TOKEN_HEADER) or request.query_params.get("token", "")
        return self._token is not None and is_same_token(given, self._token)

    # -- the camera

    async def _camera_picture(self, request: Request) -> Response:
        if not self._may_see_now(request):
            return problem_answer(403, Key("page_seen_later"))
        seen = await run_in_threadpool(self._camera.seen, self._feed.newest)
        return (
            problem_answer(404, Key("page_no_picture"))
            if seen is None
            else Response(seen.jpeg, media_type="image/jpeg")
        )

    async def _camera_figures(self, request: Request) -> Response:
        if not self._may_see_now(request):
            return problem_answer(403, Key("page_seen_later"))
        seen = await run_in_threadpool(self._camera.seen, self._feed.newest)
        return (
            problem_answer(404, Key("page_no_picture")) if seen is None else json_answer(asdict(seen.figures))
        )

    async def _counters(self, request: Request) -> Response:
        """The counters, for Prometheus."""
        if self._metrics is None:
            return problem_answer(404, Key("page_not_there"))
        if not self._may_see_now(request):
            return problem_answer(403, Key("page_seen_later"))
        return Response(await run_in_threadpool(self._metrics), headers={"content-type": CONTENT_TYPE})

    # -- the matches

    async def _matches(self, request: Request) -> Response:
        listed = await run_in_threadpool(self._shelf.listed)
        return json_answer(
            {"matches": [asdict(one) for one in listed if self._may_read(request, one.number)]}
        )

    async def _match(self, request: Request) -> Response:
        number = request.path_params["number"]
        if not self._may_read(request, number):
            return problem_answer(403, Key("page_seen_later"))
        found = await run_in_threadpool(self._shelf.match, number)
        return problem_answer(404, Key("page_not_there")) if found is None else json_answer(asdict(found))

    async def _still(self, request: Request) -> Response:
        if not self._may_see_now(request):
            return problem_answer(403, Key("page_seen_later"))
        path = request.path_params
        if path["kind"] not in [kind.value for kind in StillKind]:
            return problem_answer(404, Key("page_not_there"))
        name = StillName(path["game"], path["number"], path["kind"])
        jpeg = await run_in_threadpool(self._shelf.still, path["match"], name)
        if jpeg is None:
            return problem_answer(404, Key("page_not_there"))
        return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "private, max-age=60"})

    async def _analysis(self, request: Request) -> Response:
        """How far the analysis of a match has come."""
        number = request.path_params["number"]
        if not self._may_read(request, number):
            return problem_answer(403, Key("page_seen_later"))
        kept = await run_in_threadpool(self._shelf.kept, number)
        if kept is None:
            return problem_answer(404, Key("page_not_there"))
        return json_answer(asdict(self._analyses.view(kept)))

    async def _begin_analysis(self, request: Request) -> Response:
        if not self._may_command(request):
            return problem_answer(403, Key("page_needs_token"))
        kept = await run_in_threadpool(self._shelf.kept, request.path_params["number"])
        if kept is None:
            return problem_answer(404, Key("page_not_there"))
        has_begun = await run_in_threadpool(self._analyses.begin, kept)
        return (
            json_answer({"begun": True}, 202) if has_begun else problem_answer(409, Key("page_not_analysed"))
        )

    async def _deletion(self, request: Request) -> Response:
        """Delete a match, or bring it back."""
        if not self._may_command(request):
            return problem_answer(403, Key("page_needs_token"))
        try:
            deleted = json.loads(await request.body())["deleted"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return problem_answer(400, Key("page_no_deletion"))
        if not isinstance(deleted, bool):
            return problem_answer(400, Key("page_no_deletion"))
        mark = partial(self._shelf.mark, request.path_params["number"], deleted=deleted)
        problem = await run_in_threadpool(mark)
        return json_answer({"problem": problem}, 409) if problem else json_answer({"deleted": deleted})

    async def _match_file(self, request: Request) -> Response:
        number, kind = request.path_params["number"], request.path_params["kind"]
        if not self._may_read(request, number):
            return problem_answer(403, Key("page_seen_later"))
        found = await run_in_threadpool(self._shelf.file, number, kind)
        if found is None:
            return problem_answer(404, Key("page_not_there"))
        name, text = found
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="application/octet-stream", headers=headers)


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
