"""A small ray model of the light that the tray's phototransistors get from a die on the pane.

Rays run backwards from each phototransistor through its view hole, the air and the pane to the die's lower
face. The well's LEDs light that face, which reflects light evenly in all directions, the body more, a pip
less. Lengths are in millimetres from the middle of the well, light is in milliwatts. Figures without a source
are marked as guesses.
"""

from dataclasses import dataclass
from math import cos, pi, radians, sin, sqrt

import numpy as np
import numpy.typing as npt

from hardware.tray.measures import (
    ACRYLIC,
    CHIP_MM,
    LEDS_MM,
    TRAY,
    Die,
    Tray,
    sensor_places_mm,
    view_holes_mm,
)
from hardware.tray.netlist import FEEDBACK_OHM, LED_MA, REFERENCE_V, SUPPLY_V

Floats = npt.NDArray[np.float64]

LED_MW_PER_SR = 10.0 * LED_MA / 100
"""Radiant intensity of an LED on its axis, in proportion to the current: typically 10 mW/sr at 100 mA
(VSMY1850, Vishay 83397)."""
SENSOR_MA = 0.45
"""Current of a phototransistor at 1 mW/cm2: the middle of 0.225 to 0.675 (TEMT7100X01, Vishay 81770)."""
CHIP_HALF_MM = 0.15
"""Half the width of the phototransistor's chip, and of the LED's: a guess."""
RISE_US = 15.0
"""Time constant of a phototransistor at some 40 uA into a constant voltage: a guess on the slow side."""
SETTLE_US = 60.0
"""Time that the firmware waits between lighting and measuring (SETTLE_US in firmware/avr/main.c)."""
PANE_LETS_THROUGH = 0.92
"""Share of the light that crosses the pane: 4 % is lost at each surface."""
PANE_MIRRORS = 0.04
"""Share of the light that a surface of the pane reflects."""
STRAY = 0.03
"""Light from dust and black walls, as a share of the light that a die without pips reflects: a guess."""
FULL_SCALE = 1023
FACE_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""The places of the pips of each face, in pip distances from its middle."""


@dataclass(frozen=True, kw_only=True)
class Paint:
    """The look of a die in infra-red.

    body: share of the light that its body reflects. pip: share that a pip reflects, relative to the body.
    blur_mm: how far light spreads in the material, which blurs the edges of pips. All three are guesses.
    """

    body: float = 0.8
    pip: float = 0.12
    blur_mm: float = 0.3


@dataclass(frozen=True, kw_only=True)
class Lie:
    """The position of a die: its upper face, quarter turns, its shift from the middle and its turn from
    straight."""

    up: int
    quarters: int = 0
    shift_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0


@dataclass(frozen=True)
class Rays:
    """The rays of one sensor. spots_mm: (n, 2) on the plane of the face. weights: (n,) light at the sensor
    per radiance of a spot. mirrors_led: light of the LEDs that the pane reflects to the sensor, in mW/cm2."""

    spots_mm: Floats
    weights: Floats
    mirrors_led: float


def _slope_in_pane(slope: Floats) -> Floats:
    """The tangent of a ray's angle within the pane, from its tangent in air (Snell's law)."""
    sine = slope / np.sqrt(1 + slope**2) / ACRYLIC
    return np.asarray(sine / np.sqrt(1 - sine**2))


class Well:
    """A well of the tray with its light. led_strengths: a factor for each LED, 1 by default."""

    def __init__(self, tray: Tray = TRAY, led_strengths: Floats | None = None) -> None:
        strengths = np.ones(len(LEDS_MM)) if led_strengths is None else led_strengths
        self._tray = tray
        self._leds = list(zip(LEDS_MM, strengths, strict=True))
        self._rays = [self._look(i) for i in range(len(sensor_places_mm(tray)))]
        self._lit = [rays.weights * self._lighting(rays.spots_mm) for rays in self._rays]

    def _look(self, sensor: int) -> Rays:
        """The rays of a sensor, from nine places on its chip through every part of its hole."""
        tray = self._tray
        (place_x, place_y), (hole_x, hole_y) = sensor_places_mm(tray)[sensor], view_holes_mm(tray)[sensor]
        radius, rise = tray.view_hole_mm / 2, tray.block_mm - CHIP_MM
        side = np.linspace(-radius, radius, 23)
        across = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
        across = across[np.hypot(*across.T) <= radius]
        part_mm2 = pi * radius**2 / len(across)
        chip = np.linspace(-CHIP_HALF_MM, CHIP_HALF_MM, 3)
        starts = np.stack(np.meshgrid(chip, chip), axis=-1).reshape(-1, 2) + np.array((place_x, place_y))
        start = np.repeat(starts, len(across), axis=0)
        through = np.tile(across + np.array((hole_x, hole_y)), (len(starts), 1))
        slope = (through - start) / rise
        entry = start + slope * (tray.pocket_mm - CHIP_MM)
        seen = np.hypot(*(entry - (hole_x, hole_y)).T) <= radius + 0.02
        steep = np.hypot(*slope.T)
        cosine = 1 / np.sqrt(1 + steep**2)
        weights = seen * part_mm2 * cosine**4 / rise**2 / len(starts) * PANE_LETS_THROUGH
        inside = (_slope_in_pane(steep) / np.maximum(steep, 1e-12))[:, None] * slope * tray.pane_mm
        at_pane = through + slope * tray.gap_mm
        spots = at_pane + inside
        back = slope * (tray.pane_bottom_mm - CHIP_MM)
        mirrored = sum(
            float(np.sum(weights * self._on_led(landing)))
            for landing in (at_pane + back, spots + inside + back)
        )
        return Rays(spots, weights, mirrored * PANE_MIRRORS * 100)

    def _on_led(self, landing_mm: Floats) -> Floats:
        """The radiance of an LED's chip where a reflected ray lands on it, else 0."""
        area = (2 * CHIP_HALF_MM) ** 2
        found = np.zeros(len(landing_mm))
        for place, strength in self._leds:
            on_chip = (np.abs(landing_mm - place) <= CHIP_HALF_MM).all(axis=1)
            found += on_chip * LED_MW_PER_SR * strength / area
        return found

    def _lighting(self, spots_mm: Floats) -> Floats:
        """The irradiance of each spot of the face by the LEDs, in mW/mm2."""
        tray = self._tray
        air, rise = tray.pane_bottom_mm - CHIP_MM, tray.block_mm - CHIP_MM
        total = np.zeros(len(spots_mm))
        for place, strength in self._leds:
            away = np.hypot(*(spots_mm - place).T)
            low, high = np.zeros_like(away), np.full_like(away, 20.0)
            for _ in range(40):
                middle = (low + high) / 2
                short = middle * air + _slope_in_pane(middle) * tray.pane_mm < away
                low, high = np.where(short, middle, low), np.where(short, high, middle)
            cosine2 = 1 / (1 + low**2)
            past_cone = low * rise <= tray.cone_mm / 2
            apart2 = (air + tray.pane_mm / ACRYLIC) ** 2 + away**2
            total += past_cone * strength * LED_MW_PER_SR * cosine2 / apart2 * PANE_LETS_THROUGH
        return total

    def over_die(self, lie: Lie, *, die: Die = TRAY.die, paint: Paint | None = None) -> Floats:
        """The counts of the ten sensors, lit less dark, as the firmware measures them."""
        paint = paint or Paint()
        return (
            np.array(
                [
                    self._counts(
                        float(np.sum(lit * _sent_back(rays.spots_mm, lie, die, paint))) / pi * 100
                        + rays.mirrors_led
                    )
                    for rays, lit in zip(self._rays, self._lit, strict=True)
                ]
            )
            + STRAY * self.over_body()
        )

    def over_body(self) -> Floats:
        """The counts of the ten sensors for a die without pips."""
        return np.array([self._counts(float(np.sum(lit)) * Paint().body / pi * 100) for lit in self._lit])

    def over_nothing(self) -> Floats:
        """The counts of the ten sensors for an empty well."""
        mirrored = np.array([self._counts(rays.mirrors_led) for rays in self._rays])
        return mirrored + STRAY * self.over_body()

    def _counts(self, mw_per_cm2: float) -> float:
        settled = 1 - np.exp(-SETTLE_US / RISE_US)
        volts = mw_per_cm2 * SENSOR_MA / 1000 * FEEDBACK_OHM * settled
        return float(volts / SUPPLY_V * FULL_SCALE)

    def from_room(self, lux: float) -> float:
        """The counts that room light of this strength adds in an open well, both dark and lit.

        The light comes evenly from above, with no roof or die in the way: the worst case. A glowing lamp of
        2856 K emits the most infra-red of all usual lights.
        """
        radiance = lux * infra_red_mw_per_cm2_per_lux(2856) / pi
        return max(self._counts(float(np.sum(rays.weights)) * radiance) for rays in self._rays)


def dark_counts() -> float:
    """The counts of the amplifier's output without any light."""
    return REFERENCE_V / SUPPLY_V * FULL_SCALE


def infra_red_mw_per_cm2_per_lux(kelvin: float) -> float:
    """The light of a glowing lamp between 750 and 1010 nm, to which the sensors respond, per lux of its
    visible light."""
    um = np.linspace(0.36, 1.3, 2000)
    planck = um**-5 / (np.exp(14388 / (um * kelvin)) - 1)
    eye = 1.019 * np.exp(-285.4 * (um - 0.559) ** 2)
    band = (um >= 0.75) & (um <= 1.01)
    watts_per_lumen = float(np.sum(planck[band]) / (683 * np.sum(planck * eye)))
    return watts_per_lumen * 0.1


def _sent_back(spots_mm: Floats, lie: Lie, die: Die, paint: Paint) -> Floats:
    """The share of light that the lower face reflects at each spot."""
    angle = radians(lie.turn_deg + 90 * lie.quarters)
    turned = (spots_mm - lie.shift_mm) @ np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
    share = np.full(len(spots_mm), paint.body)
    for x, y in FACE_PIPS[7 - lie.up]:
        away = np.hypot(turned[:, 0] - x * die.pip_pitch_mm, turned[:, 1] - y * die.pip_pitch_mm)
        within = 1 / (1 + np.exp((away - die.pip_mm / 2) / (0.6 * paint.blur_mm)))
        share -= paint.body * (1 - paint.pip) * within
    beyond = (np.abs(turned) > die.edge_mm / 2).any(axis=1)
    return np.where(beyond, 0.0, share)


def most_turn_deg() -> float:
    """The largest turn from straight of a die in the well: its corners then touch the walls."""
    ratio = TRAY.well_mm / (TRAY.die.edge_mm * sqrt(2))
    return 45.0 - float(np.degrees(np.arccos(min(1.0, ratio))))


def most_shift_mm(turn_deg: float) -> float:
    """The largest shift from the middle, along each side of the well, of a die with this turn."""
    angle = radians(abs(turn_deg))
    return max(0.0, (TRAY.well_mm - TRAY.die.edge_mm * (cos(angle) + sin(angle))) / 2)


def paper_rise_v(well: Well) -> float:
    """The rise in volts of a multimeter at LEVEL1 or LEVEL2 when white paper is laid on the pane.

    The LEDs of a well are lit for a quarter of the time, and the meter shows the mean.
    """
    lit_share = 0.25
    counts = float(np.mean(well.over_body() + STRAY * well.over_body() - well.over_nothing()))
    return counts * lit_share / FULL_SCALE * SUPPLY_V
