"""The geometry of a drawn board."""

from vision.geometry import BoardGeometry
from vision.training.boards import DrawnBoard


def geometry_of(board: DrawnBoard) -> BoardGeometry:
    """The geometry of a drawn board in its own picture."""
    x, y, width, height = board.field_px
    left, right = ((edge - x) / width for edge in board.bar_px)
    return BoardGeometry(
        corners_px=((x, y), (x + width, y), (x + width, y + height), (x, y + height)),
        image_wh=(board.image_bgr.shape[1], board.image_bgr.shape[0]),
        bar=(left, right),
        aspect=width / height,
    )
