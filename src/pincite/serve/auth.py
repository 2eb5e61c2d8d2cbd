"""Who may do what: signed tokens with scopes, and the one table of what each route asks for.

In: a secret, claims, a method and a path. Out: tokens, a `Principal`, the scope that a route needs. RFC 7519 and RFC 8725: one algorithm,
fixed; `exp`, `iat`, `aud` and `sub` required.
"""

from __future__ import annotations

import ipaddress
import os
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pincite.errors import Refused, UsageError

if TYPE_CHECKING:
    from pincite.protocols import Clock
    from pincite.settings import Settings

Scope = Literal["read", "write", "admin"]
SCOPES: tuple[Scope, ...] = ("read", "write", "admin")
"""Each holds those before it."""
ALGORITHM = "HS256"
SECRET_BYTES = 32
"""RFC 7518 §3.2: a key of at least the hash's size."""
LONGEST = timedelta(days=366)

PUBLIC = frozenset({"/health", "/ready", "/openapi.json", "/v1/hooks/capture"})
"""Routes without a token. The hook has a signature of its own."""
READING_POSTS = ("/v1/answers", "/v1/chat/completions", "/token", "/mcp")
"""What is posted but changes nothing; a tool of `/mcp` that writes checks the scope itself."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Who a request speaks for, what it may do, and until when."""

    subject: str
    scope: Scope
    expires_at: datetime | None = None
    local: bool = False
    """True for whoever calls a loopback server that asks for no token."""

    def may(self, scope: Scope) -> bool:
        """Say whether this scope covers the other."""
        return SCOPES.index(self.scope) >= SCOPES.index(scope)


LOCAL = Principal("local", "admin", local=True)


def needed(method: str, path: str) -> Scope | None:
    """Return the scope that a call needs, or None where it is public. Whatever is not listed here needs a token too."""
    if path in PUBLIC:
        return None
    reading = path in READING_POSTS or path.startswith("/mcp/")
    return "read" if reading or method in ("GET", "HEAD", "OPTIONS") else "write"


class Tokens:
    """Mints and checks tokens of one secret. Raises Refused for a secret that is too short."""

    def __init__(self, secret: bytes, *, audience: str, clock: Clock) -> None:
        if len(secret) < SECRET_BYTES:
            raise Refused(
                f"The signing secret has {len(secret)} bytes; it must have at least {SECRET_BYTES}, at random. `pincite token` makes one.",
                rule="secret",
            )
        self._secret, self._audience, self._clock = secret, audience, clock

    def mint(self, subject: str, scope: Scope, lifetime: timedelta) -> str:
        """Return a signed token. Raises UsageError for an empty subject or a lifetime that is not positive or over a year."""
        import jwt

        if not subject.strip():
            raise UsageError("A token needs a name of whom it is for.")
        if not timedelta(0) < lifetime <= LONGEST:
            raise UsageError(f"A token lives more than 0 seconds and at most {LONGEST.days} days.")
        now = self._clock()
        issued, expires = int(now.timestamp()), int((now + lifetime).timestamp())
        claims = {"sub": subject, "scope": scope, "aud": self._audience, "iat": issued, "exp": expires}
        return jwt.encode(claims, self._secret, algorithm=ALGORITHM)

    def check(self, token: str) -> Principal:
        """Return whom a token speaks for. Raises Refused, `rule` token, whatever is wrong with it."""
        import jwt

        try:
            claims = jwt.decode(
                token, self._secret, algorithms=[ALGORITHM], audience=self._audience, options={"require": ["exp", "iat", "aud", "sub"]}
            )
        except jwt.ExpiredSignatureError as error:
            raise Refused("The token has expired.", rule="token") from error
        except jwt.InvalidTokenError as error:
            raise Refused("The token is not valid here.", rule="token") from error
        granted = str(claims.get("scope", "")).split()
        scope = next((name for name in reversed(SCOPES) if name in granted), None)
        if scope is None:
            raise Refused("The token grants no scope of this server.", rule="token")
        return Principal(str(claims["sub"]), scope, datetime.fromtimestamp(int(claims["exp"]), UTC))


def secret_place(settings: Settings) -> Path:
    """Return the path of the file that holds the signing secret."""
    if settings.security_secret_file:
        return Path(settings.security_secret_file)
    place = settings.place()
    return Path(place).with_suffix(".secret") if "://" not in place else Path("pincite.secret")


def secret(settings: Settings) -> bytes:
    """Return the signing secret, or nothing where there is none yet. Raises UsageError for a file that can't be read."""
    if settings.security_secret:
        return settings.security_secret.encode()
    place = secret_place(settings)
    try:
        return place.read_bytes().strip()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise UsageError(f"Can't read the signing secret {place}: {error.strerror or error}.") from error


def new_secret(settings: Settings) -> bytes:
    """Make the secret's file, readable by its owner alone, and return what it holds. An existing file is kept."""
    place = secret_place(settings)
    place.parent.mkdir(parents=True, exist_ok=True)
    made = secrets.token_urlsafe(48).encode()
    try:
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return secret(settings)
    with os.fdopen(handle, "wb") as file:
        file.write(made + b"\n")
    return made


def is_loopback(host: str) -> bool:
    """Say whether a server bound to this host can be reached from this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def gatekeeper(settings: Settings, host: str, clock: Clock) -> Tokens | None:
    """Return what checks tokens, or None for a loopback server without. Raises Refused for a wide address without a credential."""
    loopback = is_loopback(host)
    asked = settings.security_jwt_enabled
    if asked is False and not loopback:
        raise Refused(
            f"{host} can be reached by others, and tokens are switched off. Bind 127.0.0.1, or set `security.jwt_enabled` to true.",
            rule="permission",
        )
    if loopback and not asked:
        return None
    held = secret(settings)
    if not held:
        raise Refused(
            f"{host} needs a signing secret: `pincite token` makes {secret_place(settings)}, or set PINCITE_SECURITY_SECRET.",
            rule="permission",
        )
    return Tokens(held, audience=settings.security_audience, clock=clock)
