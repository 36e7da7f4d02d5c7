"""Renders whole games on boards of kinds that no training saw, as recordings with the truth.

    python -m tests.benchmarks.rendered_games OUT --numbers FIRST LAST [--half-turns N] [--late]

Needs Blender as a module, like `vision.training.scenes`. `--help` lists more options. Each number gives
OUT/NUMBER-KIND, in the form of docs/recording.md, with truth.jsonl (a line a half-turn) and labels.jsonl (a
line a frame).
"""

import json
import math
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from controller.rules import BAR, Dice, Play, Player, Position, legal_plays
from hardware.dice_log import DiceLogWriter
from hardware.simulated.simulated_tray import LIFTED, MOVING, SimulatedTray
from hardware.wire import encode
from tests.benchmarks.illegal_plays import illegal_play
from tests.benchmarks.late_positions import late_position
from tests.benchmarks.players import sensibly
from vision.training.scenes.__main__ import numbers_parser
from vision.training.scenes.labels import label
from vision.training.scenes.lighting import glows_by_chance, later, panoramas_in
from vision.training.scenes.looks.families import BY_NAME, HELD_OUT, HELD_OUT_LATER
from vision.training.scenes.looks.photographed import use_photographs
from vision.training.scenes.objects.dice import Die, dice_look, dice_thrown
from vision.training.scenes.objects.hands import hand
from vision.training.scenes.objects.piling import Checker, Piling, counted
from vision.training.scenes.objects.positions import Counts, place_of
from vision.training.scenes.plan import PLAN_STREAM, SENSOR_STREAM, Planner, Session, Shot, pushed, stream
from vision.training.scenes.sensor import Sensor

WIDTH_PX = 1280
DIE_SHARE = (0.3, 0.42)
"""Size of dice, as a share of a point's width: those that players use, not toys."""
ROW = 5
"""Least number of checkers in a row before a second layer, where the board has room for them."""
ILLEGAL, STANDS = 0.1, 0.5
"""Share of half-turns with an illegal play, and share of these that nobody corrects."""
PUSHED, LIT = 0.03, 0.3
"""Share of pictures before which somebody may touch the board or the camera, and share of settled ones with
LEDs lit, each on the boards on which that happens at all."""
STEPS_A_DRIFT = 10
"""Number of pictures over which the light drifts as far as in one step of a session."""
AGAIN_MS = 900
"""Time until a still board is photographed again."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One arrangement on the table and the times when it is photographed."""

    times_ms: tuple[int, ...]
    shot: Shot
    position: Position
    kind: str
    player: Player | None = None
    dice: tuple[int, int] | None = None


class NoRoomError(Exception):
    """The board has no room for the checkers of a position."""


class RenderedTable:
    """A board on which a game is played; checkers that are not moved stay where they lie."""

    def __init__(
        self, number: int, families: Sequence[str] = HELD_OUT, panoramas: Sequence[Path] = ()
    ) -> None:
        self.planner = Planner(number, BY_NAME[families[number % len(families)]], panoramas)
        self.number, self.rng, self.board = number, self.planner.rng, self.planner.board
        self.dice_look = replace(
            dice_look(self.rng, self.board), size_mm=self.board.pitch * self.rng.uniform(*DIE_SHARE)
        )
        self.planner.camera = self.planner.camera.as_fine_as(WIDTH_PX)
        habit = self.planner.habit
        self.habit = replace(
            habit,
            row=max(habit.row, min(ROW, self.board.most_in_a_row)),
            way="bridge" if habit.way == "bridge" else "direct",
            same_way=1.0,
        )
        self.laid, self.counts, self.steps = list[Checker](), Counts(), 0

    @property
    def white_home(self) -> str:
        """The corner of White's 1-point. White has the checkers of side 0."""
        rows, ends = ("top", "bottom"), ("left", "right")
        return f"{rows[not self.planner.swapped]}-{ends[not self.planner.mirrored]}"

    def place(self, point: int, player: Player) -> int:
        """The place of a player's own point."""
        return place_of(point, int(player is Player.BLACK), self.planner.mirrored, self.planner.swapped)

    def counts_of(self, position: Position) -> Counts:
        """The checkers of a position on the places of the board."""
        counts = Counts()
        for side, player in enumerate((Player.WHITE, Player.BLACK)):
            own = position.side(player)
            for point in range(1, BAR):
                counts.places[self.place(point, player)][side] = own[point]
            counts.bar_halves[side ^ self.planner.swapped][side] = own[BAR]
        return counts

    def lay(self, position: Position) -> None:
        """Lay the places that changed anew, or the whole board if need be. Raises NoRoomError."""
        counts = self.counts_of(position)
        new, kept = Counts(), list[Checker]()
        for now, before, changed, first in (
            (counts.places, self.counts.places, new.places, 0),
            (counts.bar_halves, self.counts.bar_halves, new.bar_halves, len(counts.places)),
        ):
            for index, (one, other) in enumerate(zip(now, before, strict=True)):
                if one == other:
                    kept += [checker for checker in self.laid if checker.place == first + index]
                else:
                    changed[index] = one
        tidy = replace(self.habit, untidy=0.0, rim_gap=0.0)
        whole = list[list[Checker]]()
        for habit, lying, wanted in ((self.habit, kept, new), (tidy, kept, new), (tidy, [], counts)):
            laid = Piling(self.board, self.rng, habit, lying).lay(wanted)
            if counted(laid)[0] == counts:
                whole.append(laid)
                if self._lies_in_rows(laid):
                    break
        if not whole:
            raise NoRoomError(f"{self.number} is left out: its board has no room for {position}.")
        self.laid = whole[-1]
        self.counts = counts

    def _lies_in_rows(self, laid: list[Checker]) -> bool:
        """Whether no checker lies on another while the row has room: nobody lays so, or could count it."""
        counts, layers = counted(laid)
        return all(
            n_layers <= 1 or sum(sides) > self.habit.row
            for sides, n_layers in zip(counts.places, layers, strict=True)
        )

    def throw(self, faces: tuple[int, int]) -> tuple[Die, ...]:
        """Two dice that lie flat on the field and show these faces."""
        lying: list[Die] = []
        for face in faces:
            taken = [die.thing.solids[0].at for die in lying]
            while True:
                for die in dice_thrown(self.rng, self.board, self.dice_look, self.laid, 1, taken):
                    beside_bar = abs(die.thing.solids[0].at[0]) > self.board.bar / 2 + self.dice_look.size_mm
                    if die.face == face and die.on_field and beside_bar and not die.leaning:
                        lying.append(die)
                if len(lying) > len(taken):
                    break
        return tuple(lying)

    def shot(self, kind: str, dice: tuple[Die, ...], reached: int | None = None) -> Shot:
        """The picture of the table as it is. reached: the place that a hand is over, None for no hand."""
        rng, planner = self.rng, self.planner
        light = later(rng, planner.light, self.steps // STEPS_A_DRIFT) if self.steps else planner.light
        events = planner.shaken(1) if self.steps and rng.random() < PUSHED else []
        if planner.glowing and kind == "settled" and rng.random() < LIT:
            light = replace(light, glows=glows_by_chance(rng, self.board))
            events.append("lamps")
        things = []
        if reached is not None:
            spot = (self.board.column_x(reached), 0.7 * self.board.rim_y(reached), 2 * self.board.thickness)
            towards = 90.0 if reached >= len(self.counts.places) / 2 else -90.0
            things.append(hand(rng, spot, towards + rng.normal(0, 20), "pinch"))
        self.steps += 1
        clear = self.board.diameter / 2 + 0.7 * self.dice_look.size_mm
        seen = [
            die
            for die in dice
            if all(math.dist(die.thing.solids[0].at[:2], c.foot_mm[:2]) > clear for c in self.laid)
        ]
        return Shot(
            kind=kind,
            laid=tuple(self.laid),
            camera=planner.camera,
            push=planner.push,
            light=light,
            dice=tuple(seen),
            cube=None,
            things=tuple(things),
            events=tuple(events),
        )

    def session(self, scenes: list[Scene]) -> Session:
        return self.planner.session(
            stream(self.number, PLAN_STREAM + SENSOR_STREAM), tuple(scene.shot for scene in scenes)
        )


class RenderedGame:
    """A game of two sensible players on a table, from `start` on: scenes, the tray's lines and the truth."""

    def __init__(self, table: RenderedTable, half_turns: int, start: Position = Position.START) -> None:
        self.table, self.chance = table, Random(f"{table.number} game")
        self.tray = SimulatedTray()
        self.tray.receive(120, encode(0, "HELLO"))
        self.start, self.position, self.t_ms = start, start, 5700
        self.scenes: list[Scene] = []
        self.truth: list[dict[str, object]] = []
        table.lay(self.position)
        self._photograph("start", ())
        faces = self._faces()
        while faces[0] == faces[1]:
            faces = self._faces()
        self.first = player = Player.WHITE if faces[0] > faces[1] else Player.BLACK
        for _ in range(half_turns):
            self._half_turn(player, faces)
            if self.position.winner:
                break
            player, faces = player.opponent, self._faces()

    def _faces(self) -> tuple[int, int]:
        return self.chance.randint(1, 6), self.chance.randint(1, 6)

    def _photograph(
        self,
        kind: str,
        lying: tuple[Die, ...],
        player: Player | None = None,
        dice: tuple[int, int] | None = None,
        reached: int | None = None,
    ) -> None:
        """Photograph the table: twice when it is still, once when a hand is over it."""
        times = (self.t_ms,) if kind == "hand" else (self.t_ms, self.t_ms + AGAIN_MS)
        shot = self.table.shot(kind, lying, reached)
        self.scenes.append(
            Scene(times_ms=times, shot=shot, position=self.position, kind=kind, player=player, dice=dice)
        )
        self.t_ms = times[-1] + AGAIN_MS

    def _half_turn(self, player: Player, faces: tuple[int, int]) -> None:
        for die in (1, 2):
            self.tray.happen(self.t_ms + 20 * die, die, MOVING)
        for die, face in enumerate(faces, start=1):
            self.tray.happen(self.t_ms + 900 + 20 * die, die, str(face))
        self.t_ms += 1500
        lying = self.table.throw(faces)
        self._photograph("rolled", lying, player, faces)
        plays = legal_plays(self.position, player, Dice(*faces))
        play = sensibly(plays, self.chance)
        wrong = self.truth and self.chance.random() < ILLEGAL
        stands = self.chance.random() < STANDS
        bad = illegal_play(play, plays, self.chance, stands=stands) if wrong else None
        made = [bad, play] if bad and not stands else [bad or play]
        for one in made:
            self._make(one, player, faces, lying)
        self.truth.append(
            {
                "t_ms": self.scenes[-1].times_ms[0],
                "player": player.value,
                "dice": list(faces),
                "play": str(made[-1]),
                "legal": made[-1] is not bad,
                "fault": None if bad is None else "illegal" if stands else "illegal,correction",
                "illegal_first": str(bad.result) if bad and not stands else None,
                "position": str(self.position),
            }
        )
        for die in (1, 2):
            self.tray.happen(self.t_ms + 20 * die, die, LIFTED)
        self.t_ms += 800

    def _make(self, play: Play, player: Player, faces: tuple[int, int], lying: tuple[Die, ...]) -> None:
        self.t_ms += self.chance.randint(2000, 6000)
        if not play.steps:
            return
        source = play.steps[0].source
        reached = self.table.place(source if source < BAR else BAR - 1, player)
        self._photograph("hand", lying, player, faces, reached)
        self.t_ms += 1500
        self.position = play.result
        self.table.lay(self.position)
        self._photograph("settled", lying, player, faces)


def write_recording(game: RenderedGame, folder: Path, threads: int) -> None:
    """Render a game's scenes into a folder."""
    from vision.training.scenes.stage import Stage

    table, work = game.table, folder.with_name(folder.name + ".part")
    shutil.rmtree(work, ignore_errors=True)
    (work / "frames").mkdir(parents=True)
    rng, session = stream(table.number, SENSOR_STREAM), table.session(game.scenes)
    sensor = Sensor.by_chance(rng)
    stage = Stage.of(session, work / "light.hdr", threads)
    lines = []
    for scene in game.scenes:
        shot = scene.shot
        light, inner = stage.photographed(shot, sensor.share(shot.camera))
        camera = pushed(shot.camera, shot.push)
        for t_ms in scene.times_ms:
            name = f"{t_ms:010d}.jpg"
            (work / "frames" / name).write_bytes(sensor.jpeg(rng, light, camera, shot.light, inner))
            lines.append(_frame_line(session, scene, t_ms, label(session, shot, name)))
    (work / "light.hdr").unlink()
    _write_lines(work / "labels.jsonl", lines)
    _write_lines(work / "truth.jsonl", game.truth)
    with (work / "dice.log").open("wb") as file:
        log = DiceLogWriter(file)
        for t_ms, raw in game.tray.lines_until(game.t_ms):
            log.write(t_ms, raw.rstrip())
    (work / "recording.toml").write_text("\n".join(_toml_lines(game, lines[0])) + "\n")
    work.rename(folder)


def _frame_line(session: Session, scene: Scene, t_ms: int, seen: dict[str, object]) -> dict[str, object]:
    return {
        "t_ms": t_ms,
        "kind": scene.kind,
        "player": scene.player.value if scene.player else None,
        "dice": list(scene.dice) if scene.dice else None,
        "position": str(scene.position),
        "hand": scene.kind == "hand",
        "fault": None,
        **{key: seen[key] for key in ("events", "corners_px")},
        "hands": [{"field_share": seen["hand_share"]}] if scene.kind == "hand" else [],
        "in_hand": [],
        "kind_of_board": session.family.name,
    }


def _toml_lines(game: RenderedGame, first: dict[str, object]) -> Iterator[str]:
    table = game.table
    yield "[board]"
    yield f"corners_px = {first['corners_px']}"
    yield f"bar = {[round(edge, 4) for edge in table.board.bar_fractions]}"
    yield f'white_home = "{table.white_home}"'
    yield 'light = "white"'
    yield f"checker_mm = {table.board.diameter:.1f}"
    yield f"field_mm = {[round(side, 1) for side in table.board.field_wh]}"
    yield "[match]"
    yield from ('white = "Ada"', 'black = "Bert"', "length = 1", 'laws = "modern"')
    if game.start != Position.START:
        yield f'position = "{game.start}"'
        yield f'on_roll = "{game.first.value}"'


def _write_lines(path: Path, lines: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def main() -> None:
    parser = numbers_parser(__doc__)
    parser.add_argument("--half-turns", type=int, default=16)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--late", action="store_true", help="begin late in a game, with tall stacks")
    parser.add_argument(
        "--family",
        nargs="+",
        choices=(*HELD_OUT, *HELD_OUT_LATER),
        default=HELD_OUT,
        help="only these, in turn",
    )
    parser.add_argument(
        "--photographs",
        type=Path,
        metavar="FOLDER",
        help="boards of photographed materials instead, with the pictures in this folder",
    )
    parser.add_argument(
        "--panoramas",
        type=Path,
        metavar="FOLDER",
        help="light from photographed rooms: panoramas in this folder (.exr), such as Blender's own",
    )
    chosen = parser.parse_args()
    try:
        if chosen.photographs:
            chosen.family = (use_photographs(chosen.photographs).name,)
        panoramas = panoramas_in(chosen.panoramas) if chosen.panoramas else ()
    except (OSError, ValueError) as problem:
        parser.error(str(problem))
    for number in range(*chosen.numbers):
        table = RenderedTable(number, chosen.family, panoramas)
        folder = chosen.out / f"{number}-{table.planner.family.name}"
        if folder.exists():
            continue
        try:
            start = late_position(number) if chosen.late else Position.START
            game = RenderedGame(table, chosen.half_turns, start)
        except NoRoomError as problem:
            print(problem, flush=True)
            continue
        write_recording(game, folder, chosen.threads)
        print(folder.name, flush=True)


if __name__ == "__main__":
    main()
