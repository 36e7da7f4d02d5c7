"""Lamps and how they blink."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.light_port import Blink, LampAges, PlaceLight

RED = (255, 0, 0)


@pytest.mark.parametrize(
    ("blink", "lit_at_ms", "dark_at_ms"),
    [
        (Blink.STEADY, [0, 1, 250, 99_999], []),
        (Blink.SLOW, [0, 599, 1200, 1799], [600, 1199, 1800]),
        (Blink.FAST, [0, 249, 500, 749], [250, 499, 750]),
        (Blink.ONCE, [0, 799], [800, 1600, 99_999]),
    ],
)
def test_each_blink_has_its_own_rhythm(blink, lit_at_ms, dark_at_ms):
    assert all(blink.is_lit(t_ms) for t_ms in lit_at_ms)
    assert not any(blink.is_lit(t_ms) for t_ms in dark_at_ms)


@given(st.sampled_from(Blink), st.integers(0, 10_000))
def test_nothing_changes_before_the_next_change_and_then_it_does(blink, age_ms):
    wait_ms = blink.next_change_ms(age_ms)
    horizon_ms = 5000 if wait_ms is None else wait_ms
    assert {blink.is_lit(age_ms + ms) for ms in range(horizon_ms)} == {blink.is_lit(age_ms)}
    if wait_ms is not None:
        assert blink.is_lit(age_ms + wait_ms) != blink.is_lit(age_ms)


def test_no_two_blinks_look_alike():
    assert len({blink.value for blink in Blink}) == len(Blink)


def test_a_lamp_asked_for_again_keeps_its_age_and_one_that_came_back_is_new():
    once = PlaceLight(place=1, rgb=RED, blink=Blink.ONCE)
    ages = LampAges().asked([once], 0).asked([once], 700)
    assert ages.lit(799) == (once,)
    assert ages.lit(800) == ()
    assert ages.asked([], 900).asked([once], 1000).lit(1500) == (once,)


def test_the_next_change_is_that_of_the_first_lamp_to_change():
    lamps = [PlaceLight(place=1, rgb=RED, blink=Blink.SLOW), PlaceLight(place=2, rgb=RED, blink=Blink.FAST)]
    assert LampAges().asked(lamps, 0).next_change_ms(100) == 150
    assert LampAges().asked([PlaceLight(place=1, rgb=RED)], 0).next_change_ms(100) is None


@pytest.mark.parametrize(
    "wrong", [{"place": 28}, {"place": -1}, {"rgb": (256, 0, 0)}, {"brightness": 1.1}, {"brightness": -0.1}]
)
def test_a_lamp_that_cannot_be_is_refused(wrong):
    with pytest.raises(ValueError):
        PlaceLight(**{"place": 0, "rgb": RED, **wrong})
