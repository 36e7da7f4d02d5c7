"""From light to a camera's file: exposure, white balance, lens, blur, noise, tone, sharpening and JPEG."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.training.scenes.camera import Camera, Picture
from vision.training.scenes.lighting import Light


@dataclass(frozen=True, kw_only=True)
class Sensor:
    """The properties of one camera.

    blur: standard deviation in pixels. noise: standard deviation of a white pixel, in shares of white. veil:
    stray light in the lens, in shares of white. fine: resolution of the lens, as a share of a 640 pixel
    picture; the scene is rendered at no more than that.
    """

    blur: float
    noise: float
    contrast: float
    saturation: float
    sharpen: float
    vignette: float
    quality: int
    balance: float
    veil: float
    fine: float

    @staticmethod
    def by_chance(rng: np.random.Generator) -> "Sensor":
        soft = rng.random() < 0.1
        return Sensor(
            blur=rng.uniform(1.0, 1.8) if soft else rng.uniform(0.3, 0.85),
            noise=float(rng.choice([0.004, 0.008, 0.015, 0.03])) * rng.uniform(0.6, 1.3),
            contrast=rng.uniform(0.0, 0.6),
            saturation=rng.uniform(0.7, 1.25),
            sharpen=float(rng.choice([0.0, rng.uniform(0.2, 1.2)])),
            vignette=rng.uniform(0.0, 0.35),
            quality=int(rng.integers(60, 96)),
            balance=rng.uniform(0.2, 1.0),
            veil=max(rng.normal(0.0, 0.02), 0.0),
            fine=1.0 if rng.random() < 0.3 else rng.uniform(0.6, 0.95),
        )

    def share(self, camera: Camera) -> float:
        """The size at which a scene is rendered, as a share of the picture's size."""
        return self.fine if camera.size_wh[0] <= 640 else 0.75 * self.fine

    def jpeg(
        self, rng: np.random.Generator, light_rgb: Picture, camera: Camera, light: Light, inner: Picture
    ) -> bytes:
        """The bytes of a JPEG file from (H, W, 3) amounts of light rendered with overscan.

        inner: (N, 3) samples of the light by which the camera sets its exposure and white balance.
        """
        if light_rgb.shape[1] != camera.size_wh[0]:
            fine = cv2.resize(light_rgb, camera.size_wh, interpolation=cv2.INTER_LINEAR)
            light_rgb = np.asarray(fine, dtype=np.float32)
        seen = camera.distorted(light_rgb)
        seen = seen * self._gains(inner, light)
        seen *= self._shading(camera)
        seen = cv2.GaussianBlur(seen, (0, 0), self.blur) + self.veil
        spread = self.noise * np.sqrt(np.clip(seen, 0.003, 1))
        seen = np.clip(seen + rng.standard_normal(seen.shape, dtype=np.float32) * spread, 0, None)
        seen = np.where(seen > 0.8, 0.8 + 0.2 * np.tanh((seen - 0.8) / 0.35), seen)
        tone = np.where(
            seen <= 0.0031308, 12.92 * seen, 1.055 * np.power(np.maximum(seen, 1e-6), 1 / 2.4) - 0.055
        )
        tone = tone + self.contrast * 0.5 * (tone**2 * (3 - 2 * tone) - tone)
        grey = tone.mean(axis=2, keepdims=True)
        tone = grey + (tone - grey) * self.saturation
        if self.sharpen:
            tone = tone + self.sharpen * (tone - cv2.GaussianBlur(tone, (0, 0), 1.0))
        image = np.clip(tone[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8)
        return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1])

    def _gains(self, inner: Picture, light: Light) -> Picture:
        """Gains of red, green, blue: they set the exposure and remove a part of the light's tint."""
        brightest = inner.max(axis=1)
        gain = min(
            0.75 / max(float(np.percentile(brightest, 95)), 1e-4),
            0.35 / max(float(np.median(brightest)), 1e-4),
        )
        grey = np.maximum(inner.mean(axis=0), 1e-4)
        balance = (grey.mean() / grey) ** (0.5 * self.balance)
        gains = gain * 2.0**light.exposure * balance * np.array(light.balance)
        return np.asarray(gains, dtype=np.float32)

    def _shading(self, camera: Camera) -> Picture:
        width, height = camera.size_wh
        x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
        return (1 - self.vignette * 0.5 * (x**2 + y**2))[..., None].astype(np.float32)
