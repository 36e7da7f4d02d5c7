"""Nothing keeps people from using the page, whatever they use it with: axe-core examines every view."""

from itertools import cycle, product

from tests.axe import grave_faults
from tests.browser import PHONE, WIDE, opened
from tests.controller.page.screenshots import SETUP_VIEWS, VIEWS, play_some, show_view

LOOKS = ((PHONE, "dark"), (WIDE, "light"))


def faults_of(browser, table, views):
    """The serious and critical faults of views, each with its look."""
    found = []
    for view, (size, scheme) in views:
        with opened(browser, table.invitation, size=size, scheme=scheme) as page:
            show_view(page, table, view)
            found += grave_faults(page, f"{view} {scheme}")
    return found


def test_nothing_keeps_people_from_using_any_view(browser, table):
    play_some(table)
    assert faults_of(browser, table, product(VIEWS, LOOKS)) == []


def test_nothing_keeps_people_from_setting_the_board_up(browser, table):
    table.type("31: 8/5 6/5")
    with table.being_set_up():
        assert faults_of(browser, table, zip(SETUP_VIEWS, cycle(LOOKS), strict=False)) == []
