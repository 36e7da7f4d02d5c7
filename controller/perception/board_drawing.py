"""A position turned to the orientation of the board, for drawing it in the terminal."""

from controller.perception.orientation import Orientation
from controller.rules import BAR, OFF, Player, Position
from hardware.terminal_lights import DrawnBoard


def drawn_board(position: Position, orientation: Orientation) -> DrawnBoard:
    """A position as the terminal draws it. Each player's bar and tray lie on the side of his home."""
    white_first = orientation.white_home.startswith("top")
    sides = [(1, position.white), (-1, position.black)]
    if orientation.light is Player.BLACK:
        sides = [(-sign, side) for sign, side in sides]
    top, bottom = sides if white_first else sides[::-1]
    points = {place: str(point) for point, place in enumerate(orientation.places, start=1)}
    return DrawnBoard(
        points=orientation.counts(position),
        guests=orientation.guests(position),
        bar=(top[0] * top[1][BAR], bottom[0] * bottom[1][BAR]),
        off=(top[0] * top[1][OFF], bottom[0] * bottom[1][OFF]),
        labels=[points[place] for place in range(len(points))],
    )
