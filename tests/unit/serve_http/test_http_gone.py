"""What was here once and was erased is not found; what does not hold is another thing."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi")

from pincite.errors import EvidenceError
from pincite.serve.problems import of_error


@pytest.mark.parametrize(("rule", "status"), [("purged", 404), ("damaged", 422), ("", 422)])
def test_erased_evidence_is_not_found(rule: str, status: int) -> None:
    assert of_error(EvidenceError("The bytes are not there.", rule=rule), "/v1/snapshots/REF-1/html").status_code == status
