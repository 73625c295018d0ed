"""`workroom instructions`: what every agent of the platform is told, set by its operator alone."""

from __future__ import annotations

import httpx2
import pytest

from tests.faults.process import Workroom


@pytest.mark.requirement("G6")
def test_the_operator_tells_every_agent_and_what_was_told_is_kept(workspace: Workroom) -> None:
    secret = workspace.command("tokens", "create", "admin", "--name", "looking").fine().strip()

    def told() -> str:
        headers = {"Authorization": f"Bearer {secret}"}
        answer = httpx2.get(f"{workspace.base_url}/api/instructions", headers=headers, trust_env=False)
        text: str = answer.json()["platform"]["text"]
        return text

    assert workspace.command("instructions", "show").fine() == "\n"
    assert "version 1" in workspace.command("instructions", "set", "Be kind.").fine()
    assert "version 1" in workspace.command("instructions", "set", " Be kind. ").fine(), "nothing new is no version"
    assert told() == workspace.command("instructions", "show").fine().strip() == "Be kind."
    assert "version 2" in workspace.command("instructions", "set", "").fine()
    assert told() == ""
    listed = workspace.command("instructions", "versions").fine().splitlines()
    assert [line.split()[0] for line in listed[1:]] == ["2", "1"]
    workspace.command("instructions", "set", "x" * 8_001).refused(2, "8000")
