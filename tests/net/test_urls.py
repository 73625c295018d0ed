"""From text to a URL that is understood in exactly one way."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import httpx2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workroom.net.addresses import is_global
from workroom.net.errors import AddressRefused, OutgoingRefused, UrlRefused
from workroom.net.urls import MAX_URL_LENGTH, Origin, check_url, parse_url

HOSTS = st.one_of(
    st.ip_addresses().map(lambda ip: f"[{ip}]" if ip.version == 6 else str(ip)),
    st.integers(0, 2**33).map(str),
    st.integers(0, 2**33).map(hex),
    st.lists(st.integers(0, 300).map(lambda n: f"0{n:o}"), min_size=1, max_size=5).map(".".join),
    st.text(alphabet="abc019.-_xn%[]:@０１。ßéİ\u200d", min_size=1, max_size=20),
    st.text(max_size=10),
)
URLS = st.one_of(
    st.text(max_size=60),
    st.builds(
        "{}{}{}{}{}".format,
        st.sampled_from(["http://", "https://", "HTTP://", "http:/", "//", "ftp://", "http:\\\\"]),
        HOSTS,
        st.sampled_from(["", ".", ":", ":80", ":443", ":0", ":65536", ":8_0", ":٣"]),
        st.text(max_size=20).map("/".__add__) | st.just(""),
        st.text(max_size=20).map("?".__add__) | st.just(""),
    ),
)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("http://example.org", "http://example.org/"),
        ("HTTPS://EXAMPLE.org./a?b=c#d", "https://example.org/a?b=c"),
        ("http://example.org:80/", "http://example.org/"),
        ("http://example.org:/", "http://example.org/"),
        ("https://example.org:80/", "https://example.org:80/"),
        ("https://example.org:0443/", "https://example.org/"),
        ("http://example.org?q", "http://example.org/?q"),
        ("http://example.org/?", "http://example.org/?"),
        ("http://bücher.example/straße?ü=ß", "http://xn--bcher-kva.example/stra%C3%9Fe?%C3%BC=%C3%9F"),
        ("http://example。org/", "http://example.org/"),
        ("http://a_b.example/", "http://a_b.example/"),
        ("http://example.org/%2e%2E/%zz", "http://example.org/%2e%2E/%25zz"),
        ("http://example.org/a@b:c", "http://example.org/a@b:c"),
        ("http://1572395042/", "http://93.184.216.34/"),
        ("http://0x5db8d822/", "http://93.184.216.34/"),
        ("http://0135.0270.0330.042/", "http://93.184.216.34/"),
        ("http://93.12113954/", "http://93.184.216.34/"),
        ("http://９３.184.216.34/", "http://93.184.216.34/"),
        ("http://[2606:2800:0220:0001:0248:1893:25C8:1946]:8080/", "http://[2606:2800:220:1:248:1893:25c8:1946]:8080/"),
    ],
)
def test_the_canonical_form(text: str, canonical: str) -> None:
    assert str(check_url(text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example.org",
        "//example.org/",
        "/path",
        "http:example.org",
        "http:/example.org",
        "http:///example.org",
        "http://",
        "http://:80/",
        "http://./",
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://example.org/",
        "unix:///var/run/docker.sock",
        "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
        "javascript:alert(1)",
        "ws://example.org/",
        "http://user@example.org/",
        "http://user:password@example.org/",
        "http://@example.org/",
        "http://example.org\\@127.0.0.1/",
        "http:\\\\example.org/",
        "http://example.org/\\x",
        " http://example.org/",
        "http://example.org/ ",
        "http://example.org/a b",
        "http://exa\tmple.org/",
        "http://example.org/\r\nX: y",
        "http://example.org/\x00",
        "http://example.org/\x7f",
        "http://example.org/\u00a0",
        "http://example.org/\u2028",
        "http://example.org/\u200b",
        "http://example.org/\ud800",
        "http://exam%70le.org/",
        "http://127%2e0.0.1/",
        "http://example..org/",
        "http://-example.org/",
        "http://exa mple.org/",
        "http://exa<mple.org/",
        "http://" + "a" * 64 + ".org/",
        "http://" + "a." * 127 + "org/",
        "http://" + "é" * 300 + ".org/",
        "http://example.org:0/",
        "http://example.org:65536/",
        "http://example.org:99999999999/",
        "http://example.org:-1/",
        "http://example.org:+80/",
        "http://example.org:8_0/",
        "http://example.org:٨٠/",
        "http://example.org:80:80/",
        "http://example.org:http/",
        "http://[::1/",
        "http://::1/",
        "http://[::1]x/",
        "http://[example.org]/",
        "http://[v1.x]/",
        "http://[fe80::1%25eth0]/",
        "http://[fe80::1%eth0]/",
        "http://1.2.3.4.5/",
        "http://256.1.1.1/",
        "http://1.2.3.256/",
        "http://4294967296/",
        "http://08.1.1.1/",
        "http://example.123/",
        "http://example.org/" + "a" * MAX_URL_LENGTH,
        "http://example.org/" + "é" * (MAX_URL_LENGTH // 2),
    ],
)
def test_what_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(UrlRefused) as caught:
        check_url(text)
    assert (caught.value.code, caught.value.status) == ("outgoingRefused", 502)
    assert caught.value.message.endswith(".")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("http://user:pw@example.org/", "user name or password"),
        ("http://exam%70le.org/", "percent-encoded"),
        ("http://[fe80::1%25eth0]/", "zone"),
        ("ftp://example.org/", "begin with http:// or https://"),
        ("http://example.org/a b", "a space or an invisible character"),
        ("http://example.org:0/", "between 1 and 65535"),
        ("http:///x", "names no host"),
    ],
)
def test_a_refusal_says_what_is_wrong(text: str, sentence: str) -> None:
    with pytest.raises(UrlRefused, match=sentence):
        check_url(text)


def test_a_refusal_does_not_repeat_a_password() -> None:
    for text in ("http://user:hunter2@example.org/", "http://127.0.0.1/?key=hunter2", "http://example.org/hunter2 x"):
        with pytest.raises(OutgoingRefused) as caught:
            check_url(text)
        assert "hunter2" not in f"{caught.value.message} {caught.value.details}"


def test_an_allowed_origin_is_exactly_that_origin() -> None:
    allowed = frozenset({Origin.parse("http://127.0.0.1:11434")})
    assert str(check_url("http://127.1:11434/api", allowed_private=allowed)) == "http://127.0.0.1:11434/api"
    for other in (
        "http://127.0.0.1/",
        "http://127.0.0.1:11435/",
        "https://127.0.0.1:11434/",
        "http://127.0.0.2:11434/",
    ):
        with pytest.raises(AddressRefused):
            check_url(other, allowed_private=allowed)


def test_metadata_is_not_to_be_allowed_either() -> None:
    origin = Origin.parse("http://169.254.169.254")
    with pytest.raises(AddressRefused):
        check_url("http://169.254.169.254/", allowed_private=frozenset({origin}))


@pytest.mark.parametrize(
    "text", ["http://localhost:11434/v1", "http://localhost/?x", "localhost:11434", "http://u@localhost"]
)
def test_an_origin_is_no_more_than_scheme_host_and_port(text: str) -> None:
    with pytest.raises(UrlRefused):
        Origin.parse(text)


def test_an_origin_reads_as_it_is_written() -> None:
    assert str(Origin.parse("http://LOCALHOST.:11434/")) == "http://localhost:11434"
    assert str(Origin.parse("https://[::1]:443")) == "https://[::1]"


@given(URLS)
@example("http://0x/")
@example("http://00000000000/")
@example("http://１２７。０。０。１/")
@example("http://xn--0ca/")
def test_what_is_accepted_means_one_thing_and_is_global(text: str) -> None:
    try:
        url = check_url(text)
    except OutgoingRefused:
        return
    assert check_url(str(url)) == url
    assert str(url).isascii()
    if isinstance(url.origin.host, IPv4Address | IPv6Address):
        assert is_global(url.origin.host)
    theirs = httpx2.URL(str(url))
    assert theirs.scheme == url.origin.scheme
    assert str(url.origin.host) in (theirs.host, theirs.raw_host.decode("ascii"))  # its `host` undoes IDNA
    assert theirs.port in (None, url.origin.port)
    assert not theirs.userinfo
    assert check_url(str(theirs)).origin == url.origin


@given(URLS)
def test_parsing_refuses_in_one_way_only(text: str) -> None:
    try:
        parse_url(text)
    except OutgoingRefused:
        return
    assert text.lower().startswith(("http://", "https://"))
