"""A version filter names one label or a range; labels that are no Python versions have an order too."""

from __future__ import annotations

import pytest

from pincite.errors import UsageError
from pincite.versions import is_range, meets


@pytest.mark.parametrize(
    ("label", "wanted", "holds"),
    [
        ("3.12", ">=3.10,<3.13", True),
        ("3.9", ">=3.10,<3.13", False),
        ("3.13", ">=3.10,<3.13", False),
        ("3.10", ">= 3.10 , < 3.13", True),
        ("v3.12.1", "==3.12.*", True),
        ("3.12rc1", ">=3.11", True),
        ("3.14rc1", "<3.14", False),
        ("2.2", "~=2.1", True),
        ("3.0", "~=2.1", False),
        ("3.12", "!=3.12", False),
        ("3.12", "===3.12", True),
        ("3.12", "3.12", True),
        ("3.12.0", "3.12", False),
        ("", ">=1", False),
        ("1.10-lts", ">=1.9-lts,<2", True),
        ("1.10-lts", "==1.10-*", False),
        ("2024-spring", ">=2023-autumn", True),
        ("2024-autumn", "<2024-spring", True),
        ("r21", ">r9", True),
        ("jammy", ">=bionic,<noble", True),
        ("latest", ">=3.10", False),
        ("latest", "!=3.10", True),
        ("1.10-lts", "~=1.9-x", True),
        ("2.0-lts", "~=1.9-x", False),
    ],
)
def test_labels_meet_what_is_wanted(label, wanted, holds):
    assert meets(label, wanted) is holds


@pytest.mark.parametrize("wanted", [">=", ">=3,,<4", ">=3 <4", "<3.13,latest", "=>3"])
def test_a_range_that_can_not_be_read_is_refused(wanted):
    with pytest.raises(UsageError, match="no part of a version range"):
        meets("3.12", wanted if is_range(wanted) else ">=3," + wanted)


@pytest.mark.parametrize(("wanted", "ranged"), [("3.12", False), ("latest", False), ("=3", False), (" >3", True), ("!=3", True)])
def test_ranges_begin_with_an_operator(wanted, ranged):
    assert is_range(wanted) is ranged
