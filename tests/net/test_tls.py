"""TLS: the name is asked for and checked, the address is the one that was checked before."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from workroom.net import GuardedClient
from workroom.net.errors import RedirectRefused, TlsFailed
from workroom.net.testing import ScriptedInternet, ScriptedResponse, ScriptedSite
from workroom.net.tls import system_tls

ADDRESS = "93.184.216.34"
URL = "https://example.org/"


@dataclass(frozen=True)
class Certificate:
    """Signed by itself, for example.org."""

    folder: Path

    def server(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "cert.pem", self.folder / "key.pem")
        return context

    def trusted(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.folder / "cert.pem")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs the openssl command to make a certificate")
    folder = tmp_path_factory.mktemp("tls")
    command = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out cert.pem -days 2"
    subject = ["-subj", "/CN=example.org", "-addext", "subjectAltName=DNS:example.org"]
    subprocess.run([openssl, *command.split(), *subject], cwd=folder, check=True, capture_output=True)
    return Certificate(folder)


@pytest.fixture
async def site(internet: ScriptedInternet, certificate: Certificate) -> ScriptedSite:
    site = await internet.site("example.org", ADDRESS, port=443, tls=certificate.server())
    site.answers["/"] = ScriptedResponse(204)
    return site


async def test_the_name_is_asked_for_and_the_address_is_pinned(
    internet: ScriptedInternet, site: ScriptedSite, certificate: Certificate
) -> None:
    client = internet.client(tls=certificate.trusted())
    assert (await client.request("GET", URL)).status == 204
    assert (await client.http_client().get(URL, extensions={"sni_hostname": "other.example"})).status_code == 204
    await (
        internet.client(tls=certificate.trusted())
        .http_client()
        .get("https://EXAMPLE.org./", extensions={"sni_hostname": "other.example"})
    )
    assert site.sni == ["example.org", "example.org"]
    assert internet.connector.opened == [ADDRESS, ADDRESS]


async def test_a_certificate_nobody_vouches_for(internet: ScriptedInternet, site: ScriptedSite) -> None:
    client = internet.client()
    with pytest.raises(TlsFailed, match=r"certificate of https://example\.org is not valid: self-signed"):
        await client.request("GET", URL)
    with pytest.raises(httpx2.ConnectError):
        await client.http_client().get(URL)
    assert site.received == []


async def test_a_certificate_for_another_name(
    internet: ScriptedInternet, site: ScriptedSite, certificate: Certificate
) -> None:
    internet.resolver.answer("other.example", [ADDRESS])
    with pytest.raises(TlsFailed, match=r"other\.example"):
        await internet.client(tls=certificate.trusted()).request("GET", "https://other.example/")
    with pytest.raises(TlsFailed):
        await internet.client(tls=certificate.trusted()).request("GET", f"https://{ADDRESS}/")
    assert site.received == []


async def test_environment_variables_do_not_add_authorities(
    internet: ScriptedInternet, site: ScriptedSite, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.folder / "cert.pem"))
    system_tls.cache_clear()
    with pytest.raises(TlsFailed):
        await internet.client().request("GET", URL)
    system_tls.cache_clear()


@pytest.mark.parametrize("follow", [True, False])
async def test_encryption_is_not_given_up_on_the_way(
    internet: ScriptedInternet, site: ScriptedSite, certificate: Certificate, follow: bool
) -> None:
    plain = await internet.site("example.org", ADDRESS, port=80)
    site.answers["/"] = ScriptedResponse.redirect("http://example.org/")
    client = internet.client(tls=certificate.trusted())
    if follow:
        with pytest.raises(RedirectRefused):
            await client.request("GET", URL, follow_redirects=True)
        with pytest.raises(RedirectRefused):
            await client.http_client().get(URL, follow_redirects=True)
    else:
        assert (await client.request("GET", URL)).status == 302
    assert plain.received == []


def test_a_context_that_does_not_verify_is_not_accepted() -> None:
    careless = ssl.create_default_context()
    careless.check_hostname = False
    with pytest.raises(ValueError, match="must check"):
        GuardedClient(tls=careless)
    careless.verify_mode = ssl.CERT_NONE
    with pytest.raises(ValueError, match="must check"):
        GuardedClient(tls=careless)
