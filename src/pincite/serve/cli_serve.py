"""`pincite serve` and `pincite token`.

In: options. Out: a running server; a token on stdout.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Literal

import click

from pincite.errors import UsageError
from pincite.serve import auth
from pincite.serve.session import Session, everywhere
from pincite.types import timestamp
from pincite.wiring import now

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Lifetime(click.ParamType[timedelta]):
    """A span of time, such as 30d, 12h, 15m or 90s."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:
        """Return the span, or fail as a usage error."""
        if isinstance(value, timedelta):
            return value
        text = str(value).strip().lower()
        if not text[:-1].isdecimal() or text[-1:] not in UNITS:
            self.fail(f"{text!r} is no span of time, such as 30d, 12h, 15m or 90s.", param, ctx)
        return timedelta(seconds=int(text[:-1]) * UNITS[text[-1]])


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on. Another than loopback needs tokens.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port to listen on.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="Processes that serve the same library.")
@click.option("--jwt/--no-jwt", default=None, help="Ask for tokens. Default: not on loopback.")
@click.option("--allow-root", multiple=True, metavar="DIR", help="A folder that sources may be added from over HTTP; repeatable.")
@everywhere
@click.pass_obj
def serve(session: Session, /, host: str, port: int, workers: int, jwt: bool | None, allow_root: tuple[str, ...]) -> None:
    """Serve the library over HTTP."""
    from pincite.serve import serving

    settings = session.settings()
    if jwt is not None:
        settings = replace(settings, security_jwt_enabled=jwt)
    if allow_root:
        settings = replace(settings, security_local_roots=allow_root)
    serving.serve(settings, host=host, port=port, workers=workers)


@click.command()
@click.option("--subject", "--for", "subject", default="me", show_default=True, help="Whom the token is for; shown in logs.")
@click.option("--scope", type=click.Choice(auth.SCOPES), default="read", show_default=True, help="What it may do.")
@click.option("--expires", "lifetime", type=Lifetime(), default="30d", show_default=True, help="How long it is valid: 30d, 12h, 15m.")
@everywhere
@click.pass_obj
def token(session: Session, /, subject: str, scope: Literal["read", "write", "admin"], lifetime: timedelta) -> None:
    """Print a token for the server; makes the signing secret first, where there is none."""
    settings = session.settings()
    held = auth.secret(settings)
    if not held:
        held = auth.new_secret(settings)
        session.tell(f"Made the signing secret {auth.secret_place(settings)}. Whoever reads it can make tokens.")
    try:
        made = auth.Tokens(held, audience=settings.security_audience, clock=now).mint(subject, scope, lifetime)
    except ImportError as error:
        raise UsageError("Tokens need more packages: pip install 'pincite[serve]'.") from error
    shape = {"access_token": made, "token_type": "bearer", "scope": scope, "subject": subject, "expires_at": timestamp(now() + lifetime)}
    session.emit(lambda: shape, lambda: made)
