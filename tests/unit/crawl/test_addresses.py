"""The address rule: what may be dialled, and what no spelling gets past."""

from __future__ import annotations

import pytest

from pincite.crawl import addresses
from pincite.errors import Refused

REFUSED = {
    "loopback": "http://127.0.0.1/",
    "loopback with a trailing dot": "http://127.0.0.1./",
    "loopback as one number": "http://2130706433/",
    "loopback in hexadecimal": "http://0x7F.1/",
    "loopback in octal": "http://0177.0.0.01/",
    "loopback in full-width digits": "http://１２７.０.０.１/",
    "loopback with ideographic stops": "http://127。0。0。1/",
    "loopback percent-encoded": "http://%31%32%37.0.0.1/",
    "private ten": "http://10.20.30.40/",
    "private 172.16": "http://172.16.0.5/",
    "private 172.31": "http://172.31.255.254/",
    "carrier-grade NAT": "http://100.64.9.9/",
    "metadata": "http://169.254.169.254/latest/",
    "metadata on a public address": "http://168.63.129.16/",
    "multicast": "http://239.1.2.3/",
    "IPv6 loopback": "http://[::1]/",
    "IPv6 loopback in a long spelling": "http://[0:0:0:0:0:0:0:1]/",
    "mapped, hexadecimal": "http://[::ffff:7f00:1]/",
    "mapped, dotted": "http://[::ffff:10.1.1.1]/",
    "6to4 around a private address": "http://[2002:a00:1::5]/",
    "NAT64 around metadata": "http://[64:ff9b::a9fe:a9fe]/",
    "ISATAP around loopback": "http://[2a00:1450::5efe:7f00:1]/",
    "documentation prefix": "http://[3fff:1::2]/",
    "IPv6 with a zone": "http://[fe80::1%25en0]/",
    "local name": "http://localhost/",
    "a name below localhost": "http://x.localhost/",
    "single label": "http://wiki/",
    "cluster name": "http://api.default.svc.cluster.local/",
    "user name": "http://docs.example@10.0.0.1/",
    "encoded at sign": "http://docs.example%40evil.test/",
    "backslash": "http://docs.example\\@127.0.0.1/",
    "blank": "http://docs.example /",
    "zero-width space": "http://docs\u200b.example/",
    "no slashes": "http:docs.example/",
    "no host": "http:///docs.example/",
    "five numbers": "http://1.2.3.4.5/",
    "number out of range": "http://256.1.1.1/",
    "port out of range": "http://docs.example:70000/",
    "port of a mail server": "http://docs.example:25/",
    "file": "file:///etc/hosts",
    "websocket": "ws://docs.example/",
    "data": "data:text/html,x",
    "too long": "http://docs.example/" + "a" * 2100,
}
ALLOWED = {
    "name": ("http://docs.example/", "http://docs.example/"),
    "upper case and fragment": ("HTTP://Docs.EXAMPLE/a?b=c#d", "http://docs.example/a?b=c"),
    "default port": ("https://docs.example:443/", "https://docs.example/"),
    "other web port": ("http://docs.example:8080/x", "http://docs.example:8080/x"),
    "international name": ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    "public literal": ("http://93.184.216.34/", "http://93.184.216.34/"),
    "public IPv6": ("http://[2606:2800:220:1::1]/", "http://[2606:2800:220:1::1]/"),
    "address-like labels": ("http://10.0.0.1.docs.example/", "http://10.0.0.1.docs.example/"),
    "at sign in the path": ("http://docs.example/@name", "http://docs.example/@name"),
    "URL in the query": ("http://docs.example/?u=http://127.0.0.1/", "http://docs.example/?u=http://127.0.0.1/"),
    "letters beyond ASCII in the path": ("http://docs.example/é", "http://docs.example/%C3%A9"),
    "no path": ("http://docs.example?q=1", "http://docs.example/?q=1"),
}


@pytest.mark.parametrize("url", REFUSED.values(), ids=REFUSED)
def test_url_is_refused(url: str) -> None:
    with pytest.raises(Refused) as caught:
        addresses.target(url)
    assert caught.value.rule in ("address", "scheme")


@pytest.mark.parametrize(("url", "rebuilt"), ALLOWED.values(), ids=ALLOWED)
def test_url_is_rebuilt(url: str, rebuilt: str) -> None:
    assert addresses.target(url).url == rebuilt


def test_one_private_answer_refuses_the_name() -> None:
    with pytest.raises(Refused) as caught:
        addresses.vet("docs.example", 443, ["93.184.216.34", "10.9.8.7"], ())
    assert caught.value.rule == "address"


def test_a_refusal_never_names_the_resolved_address() -> None:
    with pytest.raises(Refused) as caught:
        addresses.vet("docs.example", 443, ["10.9.8.7"], (), url="https://docs.example/")
    assert "10.9.8.7" not in caught.value.message
    assert "--allow-private docs.example:443" in caught.value.message


ENTRIES = {
    "host and port": ("127.0.0.1:9000", "http://127.0.0.1:9000/", True),
    "another port": ("127.0.0.1:9000", "http://127.0.0.1:9001/", False),
    "host for a web port": ("wiki.corp", "http://wiki.corp:8080/", True),
    "host for no other port": ("wiki.corp", "http://wiki.corp:9000/", False),
    "another host": ("wiki.corp", "http://git.corp/", False),
    "a name below": ("wiki.corp", "http://x.wiki.corp/", False),
    "single label": ("wiki:80", "http://wiki/", True),
    "IPv6 with a port": ("[::1]:8000", "http://[::1]:8000/", True),
    "IPv6 without a port": ("::1", "http://[::1]/", True),
    "metadata stays refused": ("169.254.169.254", "http://169.254.169.254/", False),
    "metadata in another spelling stays refused": ("169.254.169.254", "http://[::ffff:a9fe:a9fe]/", False),
    "metadata by name stays refused": ("metadata.google.internal", "http://metadata.google.internal/", False),
}


@pytest.mark.parametrize(("entry", "url", "passes"), ENTRIES.values(), ids=ENTRIES)
def test_allow_private_opens_exactly_what_it_names(entry: str, url: str, passes: bool) -> None:
    if passes:
        assert addresses.target(url, (entry,)).url == url
    else:
        with pytest.raises(Refused):
            addresses.target(url, (entry,))


def test_an_allowed_name_that_leads_to_metadata_is_refused() -> None:
    assert addresses.vet("wiki.corp", 80, ["10.0.0.7"], ("wiki.corp",)) == ("10.0.0.7",)
    for answer in ("169.254.169.254", "fd00:ec2::254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "168.63.129.16"):
        with pytest.raises(Refused):
            addresses.vet("wiki.corp", 80, [answer], ("wiki.corp",))
