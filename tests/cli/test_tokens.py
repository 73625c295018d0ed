"""`workroom tokens`: made, used, listed without the secret, revoked at once."""

from __future__ import annotations

import httpx2
import pytest

from tests.faults.process import Workroom


def use(workspace: Workroom, secret: str) -> int:
    headers = {"Authorization": f"Bearer {secret}"}
    return httpx2.get(f"{workspace.base_url}/api/users", headers=headers, trust_env=False).status_code


@pytest.mark.requirement("N3")
def test_a_token_works_until_it_is_revoked(workspace: Workroom) -> None:
    secret = workspace.command("tokens", "create", "admin", "--name", "nightly export", "--days", "7").fine().strip()
    assert use(workspace, secret) == 200
    listed = workspace.command("tokens", "list").fine()
    assert "nightly export" in listed
    assert secret not in listed
    shown = next(line for line in listed.splitlines() if "nightly export" in line).split()[0]
    assert secret.startswith(shown.rstrip("…"))
    assert workspace.command("tokens", "revoke", shown).fine() == "nightly export is revoked.\n"
    assert use(workspace, secret) == 401
    workspace.command("tokens", "revoke", shown).refused(2, "0 tokens begin with", "workroom tokens list")


def test_a_token_for_nobody(workspace: Workroom) -> None:
    workspace.command("tokens", "create", "ghost@example.org", "--name", "x").refused(2, "ghost@example.org")
