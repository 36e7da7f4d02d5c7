"""The routes of the page: reading for everybody, commands for whoever holds the token."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from controller.page.camera_view import CameraView, SeenPicture
from controller.page.feed import MOST_WATCHERS, Feed
from controller.page.matches.analysis_desk import AnalysisDesk
from controller.page.matches.match_views import MatchShelf
from controller.page.mending import asked_difference, parse_roll, ranked_plays
from controller.page.page_access import invitation, is_same_token, qr_svg
from controller.page.page_assets import asset_response, page_assets
from controller.page.page_guard import (
    NOT_THERE,
    PageGuard,
    Refused,
    asked_language,
    given_object,
    guarded,
    there,
)
from controller.page.setup_view import match_choice
from controller.printable import is_printable
from controller.referee.words.sentences import Speech
from controller.service.health.counters import CONTENT_TYPE
from controller.service.recordings.stills import StillKind, StillName
from controller.service.setup.setup_words import SetupWord, parse_setup_word
from sentences import Key, texts_of

TOKEN_HEADER = "x-blotlight-token"
MOST_LINE_CHARS = 200
"""Characters of the longest line that people may send. Guess: a position has 53."""
NOT_FROM_A_PAGE = ("quit", "exit", "help", "?", "more", "next", "")
"""Lines that belong to the terminal: they end the program there, or turn its pages."""


@dataclass(frozen=True, kw_only=True)
class PageRoutes:
    """The routes. token: what commands need; None where nobody may command.

    send_line: takes a line that people sent, False when too many wait. send_setup_word: the same for words
    about the set-up; None where there is none. metrics: gives the counters as text; None where they
    are not shown.
    """

    feed: Feed
    camera: CameraView
    shelf: MatchShelf
    token: str | None
    send_line: Callable[[str], bool]
    speech: Speech
    send_setup_word: Callable[[SetupWord], bool] | None = None
    metrics: Callable[[], str] | None = None
    analyses: AnalysisDesk = field(default_factory=AnalysisDesk)

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
        return guarded(routes)

    # -- the files of the page

    async def _index(self, request: Request) -> Response:
        return asset_response(request, page_assets()["index.html"])

    async def _asset(self, request: Request) -> Response:
        return asset_response(request, there(page_assets().get(request.path_params["name"])))

    async def _texts(self, request: Request) -> Response:
        return JSONResponse(texts_of("page_"))

    # -- the live view

    async def _events(self, request: Request) -> Response:
        if self.feed.n_watchers >= MOST_WATCHERS:
            raise Refused(503, Key("page_too_many_watch"))
        late = not self._may_command(request)
        events = self.feed.events(asked_language(request), late=late)
        return StreamingResponse(events, media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def _access(self, request: Request) -> Response:
        """Whether this browser may command; if so, the QR code that lets another one command."""
        if not self._may_command(request):
            return JSONResponse(
                {"may_command": False, "may_set_up": False, "commands_exist": self.token is not None}
            )
        url = invitation(f"http://{request.headers['host']}/", self.token or "")
        can = {"may_command": True, "may_set_up": self.send_setup_word is not None, "commands_exist": True}
        return JSONResponse({**can, "url": url, "qr_svg": qr_svg(url)})

    async def _plays(self, request: Request) -> Response:
        """What may have been played in a half-turn."""
        self._check_seen_now(request)
        moment = there(self.feed.newest)
        game, number = request.path_params["game"], request.path_params["number"]
        dice = parse_roll(request.query_params.get("dice", ""))
        found = await run_in_threadpool(
            ranked_plays, moment.state, moment.orientation, game, number, dice, self.speech
        )
        still = await run_in_threadpool(self.shelf.still_in_hand, game, number)
        return JSONResponse(asdict(there(found)) | {"still": still})

    async def _difference(self, request: Request) -> Response:
        """What a correction of a half-turn would change."""
        self._check_seen_now(request)
        moment = there(self.feed.newest)
        found = await run_in_threadpool(
            asked_difference, moment, request.path_params, request.query_params, self.speech
        )
        return JSONResponse(asdict(there(found)))

    async def _commands(self, request: Request) -> Response:
        """A line, as people type it. The answer to it comes with the events."""
        self._check_may_command(request)
        line = (await given_object(request, Key("page_no_line"))).get("line")
        if not isinstance(line, str) or len(line) > MOST_LINE_CHARS or not is_printable(line):
            raise Refused(400, Key("page_no_line"))
        if " ".join(line.lower().split()) in NOT_FROM_A_PAGE:
            raise Refused(400, Key("page_for_terminal"))
        if not self.send_line(line):
            raise Refused(503, Key("page_too_often"))
        return JSONResponse({"sent": line}, 202)

    async def _setup(self, request: Request) -> Response:
        """A word about setting the board up. What came of it comes with the events."""
        self._check_may_command(request)
        send = there(self.send_setup_word)
        data = await given_object(request, Key("setup_word_unknown"))
        try:
            said = parse_setup_word(data)
        except (ValueError, TypeError, AttributeError):
            raise Refused(400, Key("setup_word_unknown")) from None
        if not send(said):
            raise Refused(503, Key("page_too_often"))
        return JSONResponse({"sent": True}, 202)

    async def _match_choice(self, request: Request) -> Response:
        """The settings of the match, and the choices for another."""
        moment = there(self.feed.shown(late=not self._may_command(request)))
        return JSONResponse(asdict(match_choice(there(moment.match), moment.state.settings.mode)))

    def _may_see_now(self, request: Request) -> bool:
        """Whether this browser may see what spectators see later."""
        return not self.feed.delay_s or self._may_command(request)

    def _may_read(self, request: Request, number: int) -> bool:
        """Whether this browser may read a match: spectators who see the game later read only the matches
        before the one that they see."""
        if self._may_see_now(request):
            return True
        shown = self.feed.shown(late=True)
        return shown is not None and shown.match_number is not None and number < shown.match_number

    def _may_command(self, request: Request) -> bool:
        """Whether the request carries the token: in a header, or for streams and pictures in the address."""
        given = request.headers.get(TOKEN_HEADER) or request.query_params.get("token", "")
        return self.token is not None and is_same_token(given, self.token)

    def _check_seen_now(self, request: Request) -> None:
        if not self._may_see_now(request):
            raise Refused(403, Key("page_seen_later"))

    def _check_may_read(self, request: Request, number: int) -> None:
        if not self._may_read(request, number):
            raise Refused(403, Key("page_seen_later"))

    def _check_may_command(self, request: Request) -> None:
        if not self._may_command(request):
            raise Refused(403, Key("page_needs_token"))

    # -- the camera

    async def _camera_picture(self, request: Request) -> Response:
        return Response((await self._seen(request)).jpeg, media_type="image/jpeg")

    async def _camera_figures(self, request: Request) -> Response:
        return JSONResponse(asdict((await self._seen(request)).figures))

    async def _seen(self, request: Request) -> SeenPicture:
        self._check_seen_now(request)
        seen = await run_in_threadpool(self.camera.seen, self.feed.newest)
        return there(seen, Key("page_no_picture"))

    async def _counters(self, request: Request) -> Response:
        """The counters, for Prometheus."""
        metrics = there(self.metrics)
        self._check_seen_now(request)
        return Response(await run_in_threadpool(metrics), headers={"content-type": CONTENT_TYPE})

    # -- the matches

    async def _matches(self, request: Request) -> Response:
        listed = await run_in_threadpool(self.shelf.listed)
        return JSONResponse(
            {"matches": [asdict(one) for one in listed if self._may_read(request, one.number)]}
        )

    async def _match(self, request: Request) -> Response:
        number = request.path_params["number"]
        self._check_may_read(request, number)
        return JSONResponse(asdict(there(await run_in_threadpool(self.shelf.match, number))))

    async def _still(self, request: Request) -> Response:
        self._check_seen_now(request)
        path = request.path_params
        if path["kind"] not in [kind.value for kind in StillKind]:
            raise Refused(404, NOT_THERE)
        name = StillName(path["game"], path["number"], path["kind"])
        jpeg = there(await run_in_threadpool(self.shelf.still, path["match"], name))
        return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "private, max-age=60"})

    async def _analysis(self, request: Request) -> Response:
        """How far the analysis of a match has come."""
        number = request.path_params["number"]
        self._check_may_read(request, number)
        kept = there(await run_in_threadpool(self.shelf.kept, number))
        return JSONResponse(asdict(self.analyses.view(kept)))

    async def _begin_analysis(self, request: Request) -> Response:
        self._check_may_command(request)
        kept = there(await run_in_threadpool(self.shelf.kept, request.path_params["number"]))
        if not await run_in_threadpool(self.analyses.begin, kept):
            raise Refused(409, Key("page_not_analysed"))
        return JSONResponse({"begun": True}, 202)

    async def _deletion(self, request: Request) -> Response:
        """Delete a match, or bring it back."""
        self._check_may_command(request)
        deleted = (await given_object(request, Key("page_no_deletion"))).get("deleted")
        if not isinstance(deleted, bool):
            raise Refused(400, Key("page_no_deletion"))
        mark = partial(self.shelf.mark, request.path_params["number"], deleted=deleted)
        problem = await run_in_threadpool(mark)
        return JSONResponse({"problem": problem}, 409) if problem else JSONResponse({"deleted": deleted})

    async def _match_file(self, request: Request) -> Response:
        number, kind = request.path_params["number"], request.path_params["kind"]
        self._check_may_read(request, number)
        name, text = there(await run_in_threadpool(self.shelf.file, number, kind))
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="application/octet-stream", headers=headers)
