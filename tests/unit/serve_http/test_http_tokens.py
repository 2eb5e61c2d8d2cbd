"""Tokens, scopes and the rule of who may bind where."""

from __future__ import annotations

import base64
import json
import stat
from datetime import UTC, datetime, timedelta

import jwt
import pytest

from pincite.errors import Refused, UsageError
from pincite.serve import auth
from pincite.settings import Settings

SECRET = b"k" * 16 + bytes(range(48, 64)) + b"0123456789abcdef0123456789abcdef"


def now() -> datetime:
    return datetime.now(UTC)


def tokens(audience: str = "pincite", secret: bytes = SECRET) -> auth.Tokens:
    return auth.Tokens(secret, audience=audience, clock=now)


def forged(claims: dict[str, object], *, algorithm: str = "HS256", secret: bytes = SECRET) -> str:
    full = {"sub": "eve", "scope": "admin", "aud": "pincite", "iat": int(now().timestamp()), "exp": int(now().timestamp()) + 60} | claims
    return jwt.encode({k: v for k, v in full.items() if v is not None}, secret, algorithm=algorithm)


def unsigned() -> str:
    parts = ({"alg": "none", "typ": "JWT"}, {"sub": "eve", "scope": "admin", "aud": "pincite", "iat": 1, "exp": 9999999999})
    return ".".join(base64.urlsafe_b64encode(json.dumps(p).encode()).decode().rstrip("=") for p in parts) + "."


@pytest.mark.parametrize("scope", auth.SCOPES)
def test_a_token_says_whom_it_is_for_and_what_it_grants(scope: auth.Scope) -> None:
    principal = tokens().check(tokens().mint("ann", scope, timedelta(hours=1)))
    assert (principal.subject, principal.scope, principal.local) == ("ann", scope, False)
    assert [principal.may(other) for other in auth.SCOPES] == [auth.SCOPES.index(scope) >= i for i in range(3)]


@pytest.mark.parametrize(
    "token",
    [
        pytest.param("", id="empty"),
        pytest.param("a.b.c", id="garbage"),
        pytest.param(unsigned(), id="algorithm none"),
        pytest.param(forged({}, algorithm="HS384"), id="another algorithm"),
        pytest.param(forged({}, secret=b"x" * 40), id="another secret"),
        pytest.param(forged({"aud": "another"}), id="another audience"),
        pytest.param(forged({"aud": None}), id="no audience"),
        pytest.param(forged({"exp": None}), id="no expiry"),
        pytest.param(forged({"iat": None}), id="no issue time"),
        pytest.param(forged({"sub": None}), id="no subject"),
        pytest.param(forged({"scope": "root"}), id="unknown scope"),
        pytest.param(forged({"exp": int(now().timestamp()) - 1}), id="expired"),
        pytest.param(forged({"iat": int(now().timestamp()) + 3600}), id="issued in the future"),
    ],
)
def test_a_token_that_is_not_ours_is_refused(token: str) -> None:
    with pytest.raises(Refused) as caught:
        tokens().check(token)
    assert caught.value.rule == "token"


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(Refused, match="at least 32"):
        tokens(secret=b"x" * 31)


@pytest.mark.parametrize("lifetime", [timedelta(0), timedelta(seconds=-1), timedelta(days=400)], ids=["none", "negative", "too long"])
def test_a_lifetime_out_of_range_is_a_usage_error(lifetime: timedelta) -> None:
    with pytest.raises(UsageError):
        tokens().mint("ann", "read", lifetime)


@pytest.mark.parametrize(
    ("host", "jwt_enabled", "secret", "outcome"),
    [
        pytest.param("127.0.0.1", None, "", "open", id="loopback asks for none"),
        pytest.param("localhost", None, "", "open", id="localhost asks for none"),
        pytest.param("::1", False, "", "open", id="loopback of IPv6"),
        pytest.param("127.0.0.1", True, SECRET.decode(), "tokens", id="loopback with tokens"),
        pytest.param("127.0.0.1", True, "", "permission", id="tokens without a secret"),
        pytest.param("0.0.0.0", None, "", "permission", id="wide without a secret"),
        pytest.param("0.0.0.0", False, SECRET.decode(), "permission", id="wide with tokens off"),
        pytest.param("::", None, "", "permission", id="wide by IPv6"),
        pytest.param("192.0.2.7", None, SECRET.decode(), "tokens", id="wide with a secret"),
        pytest.param("0.0.0.0", None, "short", "secret", id="wide with a short secret"),
    ],
)
def test_a_wide_address_needs_a_credential(tmp_path, host: str, jwt_enabled: bool | None, secret: str, outcome: str) -> None:  # type: ignore[no-untyped-def]
    settings = Settings(store=str(tmp_path / "library.db"), security_jwt_enabled=jwt_enabled, security_secret=secret)
    if outcome in ("permission", "secret"):
        with pytest.raises(Refused) as caught:
            auth.gatekeeper(settings, host, now)
        assert caught.value.rule == outcome
    else:
        assert (auth.gatekeeper(settings, host, now) is None) == (outcome == "open")


def test_the_secret_file_is_made_once_and_for_its_owner_alone(tmp_path) -> None:  # type: ignore[no-untyped-def]
    settings = Settings(store=str(tmp_path / "deep" / "library.db"))
    assert auth.secret(settings) == b""
    made = auth.new_secret(settings)
    assert len(made) >= auth.SECRET_BYTES
    assert auth.new_secret(settings) == auth.secret(settings) == made
    assert stat.S_IMODE(auth.secret_place(settings).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("GET", "/health", None),
        ("GET", "/ask", "read"),
        ("POST", "/v1/answers", "read"),
        ("POST", "/v1/sources", "write"),
        ("DELETE", "/v1/sources/docs", "write"),
        ("GET", "/metrics", "read"),
        ("GET", "/nobody/listed/this", "read"),
        ("PUT", "/nobody/listed/this", "write"),
        ("POST", "/mcp", "read"),
        ("POST", "/mcp/messages/", "read"),
    ],
)
def test_every_route_needs_a_scope_but_the_public_ones(method: str, path: str, scope: str | None) -> None:
    assert auth.needed(method, path) == scope


def test_the_secret_is_in_no_printed_settings() -> None:
    assert "hidden-words" not in repr(Settings(security_secret="hidden-words", security_hook_secret="hidden-words"))
