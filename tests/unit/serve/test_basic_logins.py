"""Logins from the environment and the keyring; what fails never tells a secret."""

from __future__ import annotations

import base64
import sys
from types import ModuleType

import pytest

from pincite.errors import UsageError
from pincite.serve import logins

URL = "https://docs.example/manual/"


def made(where: str, environ: dict[str, str] | None = None) -> str:
    name, _, value = logins.header(where, URL, environ or {}).partition(": Basic ")
    assert name == "Authorization"
    return base64.b64decode(value).decode()


def keyring(monkeypatch: pytest.MonkeyPatch, held: dict[tuple[str, str], str]) -> None:
    """Put a keyring with these passwords in place of the system's."""
    module, errors = ModuleType("keyring"), ModuleType("keyring.errors")
    errors.KeyringError = type("KeyringError", (Exception,), {})  # type: ignore[attr-defined]

    def get_password(service: str, user: str) -> str | None:
        if service == "broken.example":
            raise errors.KeyringError("locked: s3cret")
        return held.get((service, user))

    module.get_password = get_password  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", module)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)


def test_a_login_comes_from_the_named_variable() -> None:
    assert made("env:DOCS_LOGIN", {"DOCS_LOGIN": "ann:s3cret:ünd"}) == "ann:s3cret:ünd"


def test_a_login_comes_from_the_keyring_by_the_location_s_host(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring(monkeypatch, {("docs.example", "ann"): "s3cret"})
    assert made("keyring:ann") == "ann:s3cret"


@pytest.mark.parametrize(
    ("where", "environ"),
    [("env:DOCS_LOGIN", {}), ("env:DOCS_LOGIN", {"DOCS_LOGIN": "s3cret"}), ("env:", {}), ("ann:s3cret", {}), ("keyring:bob", {}), ("", {})],
    ids=["no variable", "no user in it", "no name", "the login itself", "unknown user", "nothing"],
)
def test_what_is_no_login_is_refused_without_telling_it(monkeypatch: pytest.MonkeyPatch, where: str, environ: dict[str, str]) -> None:
    keyring(monkeypatch, {("docs.example", "ann"): "s3cret"})
    with pytest.raises(UsageError) as caught:
        logins.header(where, URL, environ)
    assert "s3cret" not in str(caught.value)


def test_a_keyring_that_is_locked_or_missing_is_told_without_its_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring(monkeypatch, {})
    with pytest.raises(UsageError, match="KeyringError") as caught:
        logins.header("keyring:ann", "https://broken.example/", {})
    assert "s3cret" not in str(caught.value)
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(UsageError, match=r"pincite\[keyring\]"):
        logins.header("keyring:ann", URL, {})
