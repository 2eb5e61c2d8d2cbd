"""The address rule: which URLs and which resolved addresses a capture may reach. No I/O.

In: URL text, DNS answers, the operator's `--allow-private` list. Out: a `Target` rebuilt from its parts, the vetted addresses, or Refused.

A URL is parsed once, here; what is dialled is what was rebuilt, so no second parser can read it differently. Hosts follow the WHATWG
URL standard (percent-decoding, NFKC, numbers as IPv4). Blocks: the IANA special-purpose registries and the clouds' metadata addresses.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import quote, unquote_to_bytes

import idna

from pincite.errors import Refused

PORTS = frozenset({80, 443, 8080, 8443})
"""Where web pages are served; any other port needs `--allow-private HOST:PORT`."""
MAX_URL = 2083
_DEFAULT = {"http": 80, "https": 443}
_SPECIAL_V4 = tuple(
    IPv4Network(net)
    for net in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24"),
        *("192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    )
)
_METADATA_V4 = tuple(IPv4Network(net) for net in ("169.254.0.0/16", "168.63.129.16/32", "100.100.100.200/32", "192.0.0.192/32"))
_METADATA_V6 = tuple(IPv6Network(net) for net in ("fd00:ec2::/32", "fd20:ce::/32", "fe80::/10"))
_METADATA_NAMES = frozenset(
    {"metadata", "metadata.google.internal", "instance-data", "instance-data.ec2.internal", "metadata.azure.internal"}
)
_GLOBAL_V6 = IPv6Network("2000::/3")
_SPECIAL_V6 = tuple(IPv6Network(net) for net in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"))
_NAT64 = IPv6Network("64:ff9b::/96")
_EMBEDDING = tuple(IPv6Network(net) for net in ("::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"))
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})
_UNSEEN = re.compile(r"[\x00-\x20\x7f\\\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")
_URL = re.compile(r"(https?)://([^/?#]*)([^#]*)(?:#.*)?", re.I | re.S)
_AUTHORITY = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::([0-9]{0,5}))?")
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f#/:<>?@\[\\\]^|%\"`{};,&+!$'()*=~]")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?:{_LABEL}\.)*{_LABEL}")
_LOCAL = re.compile(
    r"(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion|cluster\.local|svc)$"
)


@dataclass(frozen=True, slots=True)
class Target:
    """A URL taken apart and rebuilt: what may be dialled. `host` is a canonical name or a literal address without brackets."""

    scheme: str
    host: str
    port: int
    request: str
    """Path and query as they go into the request line, ASCII."""

    @property
    def authority(self) -> str:
        """Return host and port for the Host header; the default port is left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Return scheme, host and port as a URL without path."""
        return f"{self.scheme}://{self.authority}"

    @property
    def url(self) -> str:
        """Return the one URL that this target stands for."""
        return self.origin + self.request


def target(url: str, allow_private: Iterable[str] = ()) -> Target:
    """Take a URL apart. Raises Refused with rule `scheme` or `address`; messages never name a resolved address."""
    if len(url) > MAX_URL or _UNSEEN.search(url):
        raise _refused(url, "is longer than 2,083 characters or holds blanks, backslashes or invisible characters")
    match = _URL.fullmatch(url)
    if match is None:
        raise Refused(f"{_shown(url)} is no http or https URL.", url=url, rule="scheme")
    scheme, authority, request = match[1].lower(), match[2], match[3]
    parts = _AUTHORITY.fullmatch(authority)
    if parts is None or "@" in authority or "%40" in authority:
        raise _refused(url, "has a user name or a malformed host")
    host, port = host_name(parts[1], url), int(parts[2] or _DEFAULT[scheme])
    if not 0 < port < 65536:
        raise _refused(url, "has a port out of range")
    _admit(host, port, url, tuple(allow_private))
    path = request if request.startswith("/") else "/" + request
    return Target(scheme, host, port, quote(path, safe="/%:@!$&'()*+,;=?~-._[]"))


def host_name(text: str, url: str) -> str:
    """Return a host as names are compared: IDNA, lower case, numbers as dotted IPv4. Raises Refused (rule `address`)."""
    if text.startswith("["):
        try:
            return str(IPv6Address(text[1:-1])) if "%" not in text else _zone(url)
        except AddressValueError:
            raise _refused(url, "has a malformed IPv6 host") from None
    try:
        host = unicodedata.normalize("NFKC", unquote_to_bytes(text).decode("utf-8"))
    except UnicodeDecodeError:
        raise _refused(url, "has a host that is not UTF-8") from None
    host = re.sub("[。｡．]", ".", host).lower().removesuffix(".")
    if not host or host.startswith(".") or ".." in host or _FORBIDDEN.search(host) or _UNSEEN.search(host):
        raise _refused(url, "has a malformed host")
    if _NUMBER.fullmatch(host.rpartition(".")[2]):
        return _ipv4(host, url)
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode()
        except idna.IDNAError:
            raise _refused(url, "has a host that is no internationalised name") from None
    if len(host) > 253 or not _NAME.fullmatch(host):
        raise _refused(url, "has a malformed host")
    return host


def _zone(url: str) -> str:
    raise _refused(url, "names an IPv6 zone")


def _ipv4(host: str, url: str) -> str:
    numbers = []
    for part in host.split("."):
        base = 16 if part.startswith("0x") else 8 if len(part) > 1 and part.startswith("0") else 10
        try:
            numbers.append(int(part[2:] or "0", 16) if base == 16 else int(part, base))
        except ValueError:
            raise _refused(url, "has a malformed IPv4 host") from None
    *head, last = numbers
    if len(numbers) > 4 or any(n > 255 for n in head) or last >= 256 ** (5 - len(numbers)):
        raise _refused(url, "has a malformed IPv4 host")
    return str(IPv4Address(sum(n << (8 * (3 - i)) for i, n in enumerate(head)) + last))


def _admit(host: str, port: int, url: str, allow_private: Sequence[str]) -> None:
    """Refuse what no DNS answer could make right: local names, private literals, ports that serve no pages."""
    if host in _METADATA_NAMES:
        raise _refused(url, "names a cloud's metadata service")
    private = is_allowed(host, port, allow_private)
    if is_literal(host):
        vet(host, port, (host,), allow_private, url=url)
    elif not private and ("." not in host or _LOCAL.search(host)):
        raise _refused(url, f"names a local host. If these are your own docs, pass --allow-private {host}:{port}")
    if not private and port not in PORTS:
        raise _refused(
            url, f"uses port {port}, where no web pages are served. If these are your own docs, pass --allow-private {host}:{port}"
        )


def is_allowed(host: str, port: int, allow_private: Iterable[str]) -> bool:
    """Say whether the operator named this host: `HOST` for the usual ports, `HOST:PORT` for that one."""
    for entry in allow_private:
        name, _, number = entry.strip().lower().rpartition(":")
        if (entry.count(":") > 1 and "]" not in entry) or not number.isdigit():
            name, number = entry.strip().lower(), ""
        if name.strip("[]").removesuffix(".") == host and (port == int(number) if number else port in PORTS):
            return True
    return False


def vet(host: str, port: int, answers: Iterable[str], allow_private: Iterable[str], *, url: str = "") -> tuple[str, ...]:
    """Return the answers that may be dialled, in order. One bad answer refuses the name (rule `address`)."""
    private = is_allowed(host, port, allow_private)
    vetted = tuple(dict.fromkeys(answers))
    if not vetted or not all(_reachable(a) if private else is_public(a) for a in vetted):
        hint = "" if private else f" If these are your own docs, pass --allow-private {host}:{port}."
        raise Refused(f"{_shown(url or host)} is refused: {host} does not lead to a public address.{hint}", url=url or None, rule="address")
    return vetted


def is_public(address: str) -> bool:
    """Say whether an address may be dialled on anyone's word: global unicast, no special purpose, no metadata service."""
    ip = _parsed(address)
    if ip is None or _is_metadata(ip):
        return False
    if isinstance(ip, IPv4Address):
        return not any(ip in net for net in _SPECIAL_V4)
    if ip.ipv4_mapped is not None:
        return is_public(str(ip.ipv4_mapped))
    if ip in _NAT64:
        return is_public(str(IPv4Address(int(ip) & 0xFFFFFFFF)))
    return ip in _GLOBAL_V6 and not any(ip in net for net in _SPECIAL_V6) and (int(ip) >> 32) & 0xFFFFFFFF not in _ISATAP


def _reachable(address: str) -> bool:
    """Say whether an address may be dialled when the operator named its host: anything but metadata, multicast and the unspecified."""
    ip = _parsed(address)
    return ip is not None and not _is_metadata(ip) and not ip.is_multicast and not ip.is_unspecified and address != "255.255.255.255"


def _is_metadata(ip: IPv4Address | IPv6Address) -> bool:
    if isinstance(ip, IPv4Address):
        return any(ip in net for net in _METADATA_V4)
    inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
    if inner is None and (any(ip in net for net in _EMBEDDING) or (int(ip) >> 32) & 0xFFFFFFFF in _ISATAP):
        inner = IPv4Address(int(ip) & 0xFFFFFFFF)
    return any(ip in net for net in _METADATA_V6) or (inner is not None and _is_metadata(inner))


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return None if "%" in address else ip_address(address)
    except ValueError:
        return None


def is_literal(host: str) -> bool:
    """Say whether a host is an address and no name."""
    return _parsed(host) is not None


def _shown(url: str) -> str:
    return ascii(url if len(url) < 120 else url[:117] + "...")


def _refused(url: str, why: str) -> Refused:
    return Refused(f"{_shown(url)} is refused: it {why}.", url=url, rule="address")
