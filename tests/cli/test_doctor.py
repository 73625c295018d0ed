"""`workroom doctor`: everything fine, and each thing that can be wrong."""

from __future__ import annotations

import os
import shutil
import socket
from importlib import resources
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.faults.command import Outcome, run
from tests.faults.process import Workroom, free_port
from tests.files.object_storage import BUCKET, KEY, SECRET, ObjectStorage
from workroom.cli import doctor
from workroom.models.catalogue import Catalogue, shipped
from workroom.settings import Settings


def wrong(outcome: Outcome, code: int, name: str, *words: str) -> None:
    """Exactly this line is marked, and the exit code is its own."""
    marked = [line.strip() for line in outcome.out.splitlines() if line.strip().startswith("WRONG")]
    assert [line.split()[1] for line in marked] == [name.split()[0]], outcome.out + outcome.err
    for word in words:
        assert word in marked[0]
    assert outcome.code == code
    assert "Traceback" not in outcome.err


def test_a_running_workspace_is_fine(workspace: Workroom) -> None:
    said = workspace.command("doctor").fine()
    assert "WRONG" not in said
    assert "Everything is fine." in said
    assert f"running at {workspace.base_url} (process {workspace.pid})" in said
    assert "embedded: reachable, up to date, right login" in said


def test_before_the_first_start_it_is_fine_and_changes_nothing(tmp_path: Path) -> None:
    said = run("doctor", DATA=tmp_path / "new", PORT=free_port()).fine()
    assert "(will be made)" in said
    assert "not running" in said
    assert not (tmp_path / "new").exists()


def test_the_data_folder_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    wrong(run("doctor", DATA=file, PORT=free_port()), 3, "data folder", str(file), "WORKROOM_DATA")


def test_the_data_folder_is_somebody_elses(tmp_path: Path) -> None:
    folder = Path("/usr")
    if os.geteuid() == 0:
        os.chown(tmp_path, 65534, 65534)
        folder = tmp_path
    wrong(run("doctor", DATA=folder, PORT=free_port()), 3, "data folder", str(folder), "WORKROOM_DATA")


def test_others_can_read_the_secrets(tmp_path: Path) -> None:
    secrets = tmp_path / "secrets.json"
    secrets.write_text("{}")
    secrets.chmod(0o644)
    wrong(run("doctor", DATA=tmp_path, PORT=free_port()), 3, "data folder", "chmod 600", str(secrets))


def test_the_port_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", free_port()))
        taken.listen()
        outcome = run("doctor", DATA=tmp_path, PORT=taken.getsockname()[1])
    wrong(outcome, 4, "port", "in use", "WORKROOM_PORT")


def test_others_can_reach_it_without_a_login(tmp_path: Path) -> None:
    wrong(run("doctor", DATA=tmp_path, PORT=free_port(), HOST="0.0.0.0"), 3, "listening", "WORKROOM_LOGIN=password")


def test_the_database_is_not_there(tmp_path: Path) -> None:
    url = f"postgresql://workroom_app:x@127.0.0.1:{free_port()}/workroom"
    wrong(run("doctor", DATA=tmp_path, PORT=free_port(), DATABASE_URL=url), 5, "database", "cannot be reached")


def test_files_on_s3_are_written_read_and_deleted(tmp_path: Path, object_storage: ObjectStorage) -> None:
    said = run("doctor", DATA=tmp_path, PORT=free_port(), **on_s3(object_storage.url)).fine()
    assert f"s3://{BUCKET}/some/prefix at {object_storage.url}: written, read, listed and deleted" in said
    assert object_storage.count("PUT", "some/prefix/") == 1
    assert object_storage.objects == {}


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"BLOBS": "s3://no-such-bucket"}, "NoSuchBucket"),
        ({"BLOBS_KEY": "another"}, "PermissionDenied"),
        ({"BLOBS_ENDPOINT": "http://127.0.0.1:1"}, "send http request"),
    ],
)
def test_files_on_s3_cannot_be_stored(
    tmp_path: Path, object_storage: ObjectStorage, changed: dict[str, str], word: str
) -> None:
    settings = on_s3(object_storage.url) | changed
    outcome = run("doctor", DATA=tmp_path, PORT=free_port(), **settings)
    wrong(outcome, 3, "files", settings["BLOBS"], word, "WORKROOM_BLOBS")
    assert SECRET not in outcome.out


def on_s3(url: str) -> dict[str, str]:
    place = {"BLOBS": f"s3://{BUCKET}/some/prefix", "BLOBS_ENDPOINT": url}
    return place | {"BLOBS_KEY": KEY, "BLOBS_SECRET": SECRET}


def test_the_folder_for_files_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "blobs").touch()
    wrong(run("doctor", DATA=tmp_path, PORT=free_port()), 3, "files", str(tmp_path / "blobs"))


def test_the_folder_of_minilm_has_not_its_files(tmp_path: Path) -> None:
    outcome = run("doctor", DATA=tmp_path / "data", PORT=free_port(), MINILM=tmp_path / "none")
    wrong(outcome, 3, "MiniLM", str(tmp_path / "none"), "model.safetensors", "unset WORKROOM_MINILM")


# The rest cannot be made wrong from outside without breaking the installation the tests run in.


@pytest.fixture
def here(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, port=free_port())


async def test_the_disk_is_full(
    here: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5_000_000))
    code = await doctor._examine(here)
    wrong(Outcome(code, capsys.readouterr().out, ""), 3, "disk space", "at least 1 GB")


async def test_the_pages_are_not_built(
    here: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = resources.files
    monkeypatch.setattr(resources, "files", lambda name: here.data if name == "workroom" else known(name))
    code = await doctor._examine(here)
    wrong(Outcome(code, capsys.readouterr().out, ""), 3, "web pages", "make web")


@pytest.mark.requirement("C2")
async def test_the_catalogue_does_not_agree(
    here: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = {"openai": {"gpt-5": shipped().entries["openai"]["gpt-5"]}}
    monkeypatch.setattr(doctor, "shipped", lambda: Catalogue(entries, {}))
    code = await doctor._examine(here)
    said = "openai/gpt-5 has a price and no strategy"
    wrong(Outcome(code, capsys.readouterr().out, ""), 3, "catalogue", said, "Install the released package again")


async def test_postgres_cannot_be_run(
    here: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = here.data / "postgres"
    program.touch(mode=0o644)
    monkeypatch.setattr(doctor, "binary", lambda _: program)
    code = await doctor._examine(here)
    wrong(Outcome(code, capsys.readouterr().out, ""), 3, "PostgreSQL", "Reinstall Workroom")
