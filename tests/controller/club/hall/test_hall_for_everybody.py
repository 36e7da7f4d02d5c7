"""Nothing keeps people from using the hall's page: axe-core examines every view."""

from tests.axe import grave_faults
from tests.browser import PHONE, WIDE, chromium, opened
from tests.controller.club.hall.hall_pictures import N_BOARDS, VIEWS, furnish, show_view
from tests.controller.club.hall.halls import hall_with_boards


def test_nothing_keeps_people_from_using_any_view_of_the_hall():
    found = []
    with hall_with_boards(N_BOARDS) as hall, chromium() as browser:
        furnish(hall)
        for view in VIEWS:
            url = hall.url if view == "visitor" else hall.invitation
            for size, scheme in ((PHONE, "dark"), (WIDE, "light")):
                with opened(browser, url, size=size, scheme=scheme) as page:
                    show_view(page, view)
                    found += grave_faults(page, f"{view} {scheme}")
                    page_px = page.evaluate("document.documentElement.scrollWidth")
                    found += [f"{view}: {page_px} px wide"] if page_px > size["width"] else []
    assert not found, "\n".join(found)
