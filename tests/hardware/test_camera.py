"""Cameras that read recordings: their times, their order, and what damaged files cost."""

import cv2
import numpy as np
import pytest

from hardware.camera import FolderCamera, VideoCamera, load_photograph, load_picture
from hardware.device_errors import CameraUnavailable, PictureUnreadable
from hardware.simulated.drawn_table import Scene
from hardware.simulated.simulated_table import Arranged, Script, SimulatedCamera


def picture(grey: int):
    return np.full((48, 64, 3), grey, dtype=np.uint8)


def jpeg(grey: int) -> bytes:
    noise = np.random.default_rng(grey).integers(0, 60, (48, 64, 3), dtype=np.uint8)
    return cv2.imencode(".jpg", picture(grey) + noise)[1].tobytes()


@pytest.fixture
def folder(tmp_path):
    frames = tmp_path / "frames"
    frames.mkdir()
    for t_ms, grey in [(12_000, 120), (900, 9), (5500, 55)]:
        (frames / f"{t_ms:010}.jpg").write_bytes(jpeg(grey))
    return frames


@pytest.fixture
def film(tmp_path):
    path = tmp_path / "video.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25, (64, 48))
    for grey in (10, 60, 110, 160, 210):
        writer.write(picture(grey))
    writer.release()
    return path


def read_all(camera):
    frames = []
    while not camera.ended:
        if (frame := camera.next_frame()) is not None:
            frames.append(frame)
    return frames


def test_frames_in_a_folder_come_by_the_milliseconds_in_their_names(folder):
    assert [frame.t_ms for frame in read_all(FolderCamera(folder))] == [900, 5500, 12_000]


def test_other_files_beside_the_frames_are_no_frames(folder):
    (folder / "notes.txt").write_text("7")
    (folder / "thumb-1.jpg").write_bytes(jpeg(1))
    assert len(FolderCamera(folder)) == 3


def test_a_truncated_frame_is_named_and_passed_over(folder):
    path = folder / "0000005500.jpg"
    path.write_bytes(path.read_bytes()[:-200])
    camera = FolderCamera(folder)
    assert [frame.t_ms for frame in read_all(camera)] == [900, 12_000]
    assert camera.problems == [
        f"{path} is a JPEG that was cut short: copy it again. The recording goes on without it."
    ]


@pytest.mark.parametrize(
    "content", [b"", b"no picture", b"\xff\xd8\xff\xe0\x00\x10JFIF", b"\x89PNG\r\n\x1a\n"]
)
def test_a_file_that_is_no_picture_is_named_and_passed_over(folder, content):
    (folder / "0000000001.jpg").write_bytes(content)
    camera = FolderCamera(folder)
    assert [frame.t_ms for frame in read_all(camera)] == [900, 5500, 12_000]
    assert len(camera.problems) == 1


def test_a_jpeg_with_something_appended_is_whole(tmp_path):
    path = tmp_path / "phone.jpg"
    path.write_bytes(jpeg(50) + b"SEFT" * 2000)
    assert load_picture(path).shape == (48, 64, 3)


@pytest.mark.parametrize(("width", "height", "shrink"), [(1300, 900, 1), (3000, 2000, 2), (8000, 6000, 4)])
def test_a_large_photograph_is_reduced(tmp_path, width, height, shrink):
    path = tmp_path / "photo.jpg"
    cv2.imwrite(str(path), np.full((height, width, 3), 90, np.uint8))
    image, by = load_photograph(path)
    assert (by, image.shape) == (shrink, (height // shrink, width // shrink, 3))


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9, 0.99])
def test_a_jpeg_cut_anywhere_is_refused(tmp_path, kept):
    path = tmp_path / "cut.jpg"
    data = jpeg(50)
    path.write_bytes(data[: int(len(data) * kept)])
    with pytest.raises(PictureUnreadable, match="cut short"):
        load_picture(path)


def test_a_missing_picture_is_refused_with_its_name(tmp_path):
    with pytest.raises(PictureUnreadable, match=r"none\.jpg is not there: check the name"):
        load_picture(tmp_path / "none.jpg")


def test_a_folder_that_is_missing_or_empty_is_refused(tmp_path):
    with pytest.raises(CameraUnavailable, match="is no folder"):
        FolderCamera(tmp_path / "frames")
    with pytest.raises(CameraUnavailable, match="holds no frames"):
        FolderCamera(tmp_path)


def test_frame_n_of_a_film_is_n_over_fps_seconds_after_the_start(film):
    frames = read_all(VideoCamera(film, fps=4))
    assert [frame.t_ms for frame in frames] == [0, 250, 500, 750, 1000]
    assert [round(frame.image_bgr.mean() / 10) for frame in frames] == [1, 6, 11, 16, 21]


def test_a_film_of_thirds_of_a_second_does_not_drift(film):
    assert [frame.t_ms for frame in read_all(VideoCamera(film, fps=3))] == [0, 333, 667, 1000, 1333]


def test_what_is_no_film_is_refused(tmp_path):
    with pytest.raises(CameraUnavailable, match="no film"):
        VideoCamera(tmp_path / "none.mp4", fps=4)
    with pytest.raises(CameraUnavailable, match="video_fps"):
        VideoCamera(tmp_path / "none.mp4", fps=0)


SCRIPT = Script(scenes=(Arranged(t_ms=0, scene=Scene()),), end_ms=1000)
OPENED = {
    "folder": lambda folder, film: FolderCamera(folder),
    "film": lambda folder, film: VideoCamera(film, fps=4),
    "simulated": lambda folder, film: SimulatedCamera(SCRIPT),
}


@pytest.mark.parametrize("kind", OPENED)
class TestEveryCameraThatEnds:
    @pytest.fixture
    def camera(self, kind, folder, film):
        return OPENED[kind](folder, film)

    def test_frames_are_blue_green_red_and_times_grow(self, camera):
        n_frames = len(camera)
        frames = read_all(camera)
        times = [frame.t_ms for frame in frames]
        assert all(frame.image_bgr.ndim == 3 and frame.image_bgr.shape[2] == 3 for frame in frames)
        assert all(frame.image_bgr.dtype == np.uint8 for frame in frames)
        assert times == sorted(set(times))
        assert len(times) == n_frames

    def test_after_the_end_there_is_no_frame(self, camera):
        read_all(camera)
        assert camera.next_frame() is None
        assert camera.ended

    def test_closed_twice_it_has_ended(self, camera):
        camera.close()
        camera.close()
        assert camera.ended
        assert camera.next_frame() is None
