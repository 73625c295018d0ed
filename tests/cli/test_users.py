"""`workroom users`: people, from the command line, seen afterwards over HTTP."""

from __future__ import annotations

import httpx2

from tests.faults.process import Workroom, one_time_link


def row(workspace: Workroom, login: str) -> str:
    return next(line for line in workspace.command("users", "list").fine().splitlines() if line.startswith(login))


def enters(workspace: Workroom, said: str) -> httpx2.Response:
    token = one_time_link(said).partition("#")[2]
    with httpx2.Client(base_url=workspace.base_url, trust_env=False) as client:
        return client.post("/api/auth/link", json={"token": token})


def test_somebody_is_added_and_the_link_lets_them_in_once(workspace: Workroom) -> None:
    said = workspace.command("users", "add", "ada@example.org", "--name", "Ada Løvelace").fine()
    assert one_time_link(said).startswith(f"{workspace.base_url}/enter#"), "the address of the running server"
    entered = enters(workspace, said)
    assert entered.status_code == 200
    assert entered.json()["user"]["displayName"] == "Ada Løvelace"
    assert entered.json()["instances"], "a member of the only workspace"
    assert enters(workspace, said).status_code == 401
    assert "Member" in row(workspace, "ada@example.org")


def test_adding_the_same_login_twice_is_refused(workspace: Workroom) -> None:
    workspace.command("users", "add", "twice@example.org").fine()
    workspace.command("users", "add", "twice@example.org").refused(2, "already here")


def test_suspended_people_stay_out_until_they_are_activated(workspace: Workroom) -> None:
    workspace.command("users", "add", "sue@example.org", "--admin").fine()
    said = workspace.command("users", "link", "sue@example.org").fine()
    assert workspace.command("users", "suspend", "sue@example.org").fine() == "sue@example.org is suspended.\n"
    assert enters(workspace, said).status_code == 401
    assert "suspended" in row(workspace, "sue@example.org")
    workspace.command("users", "activate", "sue@example.org").fine()
    assert enters(workspace, workspace.command("users", "link", "sue@example.org").fine()).status_code == 200


def test_a_password_is_asked_for_twice(workspace: Workroom) -> None:
    workspace.command("users", "add", "pat@example.org").fine()
    good = "correct horse battery staple"
    different = workspace.command("users", "password", "pat@example.org", given=f"{good}\nother\n")
    assert different.code != 0
    said = workspace.command("users", "password", "pat@example.org", given=f"{good}\n{good}\n")
    assert "The password of pat@example.org is set" in said.fine()
    assert good not in said.out + said.err


def test_a_bad_password_is_refused_with_the_reason(workspace: Workroom) -> None:
    workspace.command("users", "password", "admin", given="short\nshort\n").refused(2, "10 to 256 characters")
    common = "Passw0rd2024!"
    workspace.command("users", "password", "admin", given=f"{common}\n{common}\n").refused(2, "first that are guessed")


def test_removing_asks_first_and_is_for_good(workspace: Workroom) -> None:
    workspace.command("users", "add", "rob@example.org").fine()
    assert workspace.command("users", "remove", "rob@example.org", given="n\n").code == 1
    assert row(workspace, "rob@example.org")
    assert workspace.command("users", "remove", "rob@example.org", "--yes").fine() == "rob@example.org is gone.\n"
    workspace.command("users", "remove", "rob@example.org", "--yes").refused(2, "rob@example.org")
