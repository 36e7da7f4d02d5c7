"""The routes of the hall's page. Everybody may look; whoever holds the token may direct."""

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from controller.club.hall.evening import Evening
from controller.club.hall.exports import ratings_table, results_table, standings_table, zipped_matches
from controller.club.hall.hall_views import board_entry, hall_texts, ratings_view, tournament_view
from controller.club.hall.live_boards import LiveBoards
from controller.club.hall_store.store_of_hall import HallStore
from controller.club.tournament.elo import Rating
from controller.errors import BlotlightError
from controller.page.feed import KEEP_ALIVE_S, SIGN_OF_LIFE
from controller.page.page_access import invitation, is_same_token, qr_svg
from controller.page.page_assets import asset_response, page_assets
from controller.page.page_guard import NOT_THERE, PageGuard, Refused, given_object, guarded, there
from controller.page.page_routes import TOKEN_HEADER
from sentences import Key

EVENTS_EVERY_S = 0.1
"""Time between two updates of a browser; on average half of it is added to the delay. Guess."""
MOST_HALL_WATCHERS = 100
"""Browsers that may watch at once. Guess."""
TICKET_S = 30.0
"""How long a ticket for undelayed events is valid. A browser uses it at once."""


@dataclass(frozen=True, kw_only=True)
class HallRoutes:
    """The routes. token: needed to direct. delay_s: how late everybody except the director sees the boards.

    is_closing: whether the connections of browsers are to end. end_call: tells the broker that the director
    was at a board. watchers: one object for each browser that receives events. tickets: for each ticket the
    monotonic time until which it is valid.
    """

    live: LiveBoards
    evening: Evening
    store: HallStore
    token: str
    delay_s: float
    is_closing: Callable[[], bool]
    end_call: Callable[[str], None]
    watchers: set[object] = field(default_factory=set)
    tickets: dict[str, float] = field(default_factory=dict)

    def app(self) -> PageGuard:
        """The application inside its guard."""
        routes = [
            Route("/", self._index),
            Route("/overlay/{table:int}", self._overlay),
            Route("/assets/{name}", self._asset),
            Route("/texts", self._texts),
            Route("/access", self._access),
            Route("/tickets", self._ticket, methods=["POST"]),
            Route("/events", self._events),
            Route("/tournaments", self._tournaments),
            Route("/tournaments", self._begin, methods=["POST"]),
            Route("/tournaments/{number:int}/changes", self._change, methods=["POST"]),
            Route("/tournaments/{number:int}/{table}.csv", self._table),
            Route("/ratings", self._ratings),
            Route("/ratings.csv", self._ratings_csv),
            Route("/calls/{board}", self._call_done, methods=["POST"]),
            Route("/matches.zip", self._matches),
        ]
        return guarded(routes)

    # -- the files of the page

    async def _index(self, request: Request) -> Response:
        return asset_response(request, page_assets("controller.club.hall")["hall.html"])

    async def _overlay(self, request: Request) -> Response:
        return asset_response(request, page_assets("controller.club.hall")["overlay.html"])

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        asset = page_assets("controller.club.hall").get(name) or page_assets().get(name)
        return asset_response(request, there(asset))

    async def _texts(self, request: Request) -> Response:
        return JSONResponse(hall_texts())

    async def _access(self, request: Request) -> Response:
        if not self._may_direct(request):
            return JSONResponse({"may_command": False, "delay_s": self.delay_s})
        url = invitation(f"http://{request.headers['host']}/", self.token)
        return JSONResponse({"may_command": True, "delay_s": 0, "url": url, "qr_svg": qr_svg(url)})

    # -- the boards

    async def _ticket(self, request: Request) -> Response:
        """Issue a ticket for undelayed events: a browser cannot send the token as a header with /events."""
        self._check_may_direct(request)
        now_s = time.monotonic()
        for old in [ticket for ticket, until_s in self.tickets.items() if until_s < now_s]:
            del self.tickets[old]
        ticket = secrets.token_urlsafe(16)
        self.tickets[ticket] = now_s + TICKET_S
        return JSONResponse({"ticket": ticket})

    async def _events(self, request: Request) -> Response:
        if len(self.watchers) >= MOST_HALL_WATCHERS:
            raise Refused(503, Key("page_too_many_watch"))
        until_s = self.tickets.pop(request.query_params.get("ticket", ""), 0.0)
        delay_s = 0.0 if until_s >= time.monotonic() else self.delay_s
        events = self._changes(delay_s)
        return StreamingResponse(events, media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def _changes(self, delay_s: float) -> AsyncIterator[str]:
        watcher = object()
        self.watchers.add(watcher)
        number, quiet_s = -1, 0.0
        try:
            yield "retry: 1000\n\n"
            while not self.is_closing():
                before = number
                number, boards = self.live.since(number, time.monotonic() - delay_s)
                if boards or before < 0:
                    entries = [board_entry(one) for one in boards]
                    text = json.dumps({"boards": entries}, ensure_ascii=False, separators=(",", ":"))
                    yield f"data: {text}\n\n"
                    quiet_s = 0.0
                elif quiet_s >= KEEP_ALIVE_S:
                    yield SIGN_OF_LIFE
                    quiet_s = 0.0
                await asyncio.sleep(EVENTS_EVERY_S)
                quiet_s += EVENTS_EVERY_S
        finally:
            self.watchers.discard(watcher)

    async def _call_done(self, request: Request) -> Response:
        self._check_may_direct(request)
        board = request.path_params["board"]
        if board not in {one.board for one in self.live.boards()}:
            raise Refused(404, NOT_THERE)
        self.live.change(board, time.monotonic(), is_called=False)
        self.end_call(board)
        return JSONResponse({})

    # -- the tournaments

    async def _tournaments(self, request: Request) -> Response:
        is_late = not self._may_direct(request)
        now_ms = round((time.time() - is_late * self.delay_s) * 1000)
        found = [tournament_view(one, now_ms) for one in self.evening.tournaments(is_late=is_late)]
        return JSONResponse({"tournaments": found})

    async def _begin(self, request: Request) -> Response:
        return await self._direct(request, lambda data: {"number": self.evening.begin(data)})

    async def _change(self, request: Request) -> Response:
        def change(data: dict[str, Any]) -> dict[str, Any]:
            seen = data.get("n_changes")
            self.evening.change(
                request.path_params["number"],
                data["change"] if isinstance(data.get("change"), dict) else {},
                seen if isinstance(seen, int) else None,
            )
            return {}

        return await self._direct(request, change)

    async def _direct(self, request: Request, work: Callable[[dict[str, Any]], dict[str, Any]]) -> Response:
        """Do what the director asks for."""
        self._check_may_direct(request)
        data = await given_object(request, Key("page_no_line"))
        try:
            return JSONResponse(await run_in_threadpool(work, data))
        except BlotlightError as refused:
            return JSONResponse({"problem": str(refused)}, 409)

    async def _table(self, request: Request) -> Response:
        number, name = request.path_params["number"], request.path_params["table"]
        tables = {"results": results_table, "standings": standings_table}
        seen = self.evening.tournaments(is_late=not self._may_direct(request))
        running = next((one for one in seen if one.number == number), None)
        if running is None or name not in tables:
            raise Refused(404, NOT_THERE)
        headers = {"content-disposition": f'attachment; filename="{name}-{number}.csv"'}
        text = tables[name](running.tournament)
        return Response(text, media_type="text/csv; charset=utf-8", headers=headers)

    async def _ratings(self, request: Request) -> Response:
        return JSONResponse({"ratings": ratings_view(await self._rated(request))})

    async def _ratings_csv(self, request: Request) -> Response:
        text = ratings_table(await self._rated(request))
        headers = {"content-disposition": 'attachment; filename="ratings.csv"'}
        return Response(text, media_type="text/csv; charset=utf-8", headers=headers)

    async def _rated(self, request: Request) -> dict[str, Rating]:
        is_late = not self._may_direct(request)
        return await run_in_threadpool(lambda: self.evening.ratings(is_late=is_late))

    async def _matches(self, request: Request) -> Response:
        """All matches. Only the director gets them where spectators see with a delay."""
        if self.delay_s and not self._may_direct(request):
            raise Refused(403, Key("page_needs_token"))
        headers = {"content-disposition": 'attachment; filename="matches.zip"'}
        content = await run_in_threadpool(zipped_matches, self.store)
        return Response(content, media_type="application/zip", headers=headers)

    def _may_direct(self, request: Request) -> bool:
        return is_same_token(request.headers.get(TOKEN_HEADER, ""), self.token)

    def _check_may_direct(self, request: Request) -> None:
        if not self._may_direct(request):
            raise Refused(403, Key("page_needs_token"))
