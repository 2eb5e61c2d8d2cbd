"""Which sources an agent may name."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.integrations import safety

UNSAFE = [
    "http://127.0.0.1/",
    "http://localhost:8080/admin",
    "http://[::1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.5/",
    "http://192.168.1.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://metadata.google.internal/",
    "https://example.org:22/",
    "ftp://example.org/x",
    "gopher://example.org/",
    "javascript:alert(1)",
    "data:text/html,x",
    "file://remote.example.org/etc/passwd",
]


@pytest.mark.parametrize("url", UNSAFE)
@pytest.mark.parametrize("how", ["positional", *sorted(safety.NAMES)])
def test_an_unsafe_address_is_blocked_however_it_is_given(url: str, how: str, tmp_path: Path) -> None:
    args, kwargs = ((url,), {}) if how == "positional" else ((), {how: url})
    with pytest.raises(ValueError, match="Blocked unsafe URL"):
        safety.checked(args, kwargs, roots=(tmp_path.resolve(),), allow_private=())


@pytest.mark.parametrize("path", ["/etc/passwd", "../outside.md", "~/.ssh/id_rsa", "file:///etc/passwd", "a\0b"])
@pytest.mark.parametrize("how", ["positional", "path", "file_path", "directory_path"])
def test_a_path_outside_the_roots_is_blocked(path: str, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    monkeypatch.chdir(inside)
    args, kwargs = ((path,), {}) if how == "positional" else ((), {how: path})
    with pytest.raises(ValueError, match="Blocked unsafe path"):
        safety.checked(args, kwargs, roots=(inside.resolve(),), allow_private=())


def test_a_link_that_leads_out_of_the_root_is_blocked(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(safety.Blocked):
        safety.location(root / "link.md", roots=(root.resolve(),), allow_private=())


def test_a_path_is_resolved_once_and_given_on_as_resolved(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "b.md").symlink_to(tmp_path / "a.md")
    (args, kwargs) = safety.checked((tmp_path / "b.md",), {"path": str(tmp_path / "b.md")}, roots=(tmp_path.resolve(),), allow_private=())
    assert args == (str((tmp_path / "a.md").resolve()),)
    assert kwargs == {"path": str((tmp_path / "a.md").resolve())}


@pytest.mark.parametrize("url", ["https://docs.example.org/en/", "http://example.org:8080/", "https://münchen.example/"])
def test_a_public_address_passes_unchanged(url: str) -> None:
    assert safety.location(url, roots=(), allow_private=()) == url


def test_an_intranet_host_passes_when_the_operator_named_it() -> None:
    assert safety.location("http://127.0.0.1:4000/", roots=(), allow_private=("127.0.0.1:4000",))
    with pytest.raises(safety.Blocked):
        safety.location("http://127.0.0.1:4001/", roots=(), allow_private=("127.0.0.1:4000",))


def test_other_arguments_are_left_alone() -> None:
    args, kwargs = safety.checked((5,), {"data_type": "http://127.0.0.1/", "limit": 3}, roots=(), allow_private=())
    assert (args, kwargs) == ((5,), {"data_type": "http://127.0.0.1/", "limit": 3})


@given(st.text(max_size=40))
def test_whatever_is_named_is_inside_a_root_or_public_or_blocked(text: str) -> None:
    root = Path("/nonexistent-root")
    try:
        given_on = safety.location(text, roots=(root,), allow_private=())
    except safety.Blocked:
        return
    assert given_on.startswith((str(root), "http://", "https://", "raw:", "HTTP", "Http", "RAW:", "Raw:")) or given_on.lower()[:4] in (
        "http",
        "raw:",
    )
