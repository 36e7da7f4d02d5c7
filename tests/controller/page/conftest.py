"""What the tests of the page share."""

import pytest

from tests.controller.page.paged_table import paged_table


@pytest.fixture
def table(tmp_path):
    with paged_table(tmp_path) as found:
        yield found
