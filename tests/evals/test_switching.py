"""The command tells models apart, whichever provider they are of, and says in a sentence what it cannot do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from evals.model_choice import at, of, opened
from evals.switching.__main__ import main
from evals.switching.measuring import measure
from evals.switching.results import PLAIN, Result

from tests.evaluations.behaviours import CASES, case_of, inert, obedient, stubborn
from workroom.core.errors import ConfigurationError
from workroom.core.money import FREE
from workroom.evaluations.cases import LANGUAGES, cases, read
from workroom.evaluations.evaluation_questions import request
from workroom.evaluations.judgement import Judged
from workroom.evaluations.rates import ALL, SuccessRate, with_all
from workroom.models.catalogue import shipped
from workroom.models.offers import Offer
from workroom.models.ports import ModelFailed, ModelInfo
from workroom.models.testing import ReceivedRequest, Reply, ScriptedAnswer, ScriptedProvider, Status
from workroom.models.testing.provider import Behaviour
from workroom.settings import Settings

# By how much of the past they see: all of it, a transcript, the end of it; and one nobody has described.
MODELS = {
    "openai/gpt-4o": "gpt-advanced",
    "google/gemini-2.5-pro": "google-advanced",
    "anthropic/claude-sonnet-5-5": "claude-advanced",
    "google/gemma-3-27b-it": "google-legacy",
    "local/anything": "gpt-standard",
}


@asynccontextmanager
async def served(behaviour: Behaviour, ref: str = "local/anything") -> AsyncIterator[tuple[Offer, ScriptedProvider]]:
    async with ScriptedProvider(behaviour=behaviour) as provider:
        if ref.startswith("local/"):
            yield at(provider.base_url, ref.partition("/")[2]), provider
            return
        settings = Settings(
            openai_api_key="k" * 40,
            anthropic_api_key="k" * 40,
            google_api_key="k" * 40,
            openai_url=provider.base_url,
            anthropic_url=provider.root_url,
            google_url=provider.root_url,
        )
        yield of(settings, ref), provider


async def results(behaviour: Behaviour, ref: str = "local/anything", *, repeat: int = 1) -> list[Result]:
    async with served(behaviour, ref) as (offer, _), opened(offer) as model:
        return [Result.of(judged, offer.info) async for judged in measure(cases(), model, repeat)]


def rates(found: list[Result]) -> dict[tuple[str, str], SuccessRate]:
    """By strategy and language, and all languages together."""
    by_reset = with_all(
        {(language, reset): _rate(found, language, reset) for language in LANGUAGES for reset in (False, True)}
    )
    told = next(result.strategy for result in found if result.strategy != PLAIN)
    return {(told if reset else PLAIN, language): rate for (language, reset), rate in by_reset.items()}


def _rate(found: list[Result], language: str, reset: bool) -> SuccessRate:
    of_both = [one for one in found if (one.language, one.strategy != PLAIN) == (language, reset)]
    return SuccessRate.of([Judged(o.case, o.language, reset, o.number, o.kept, o.missing, o.left) for o in of_both])


def shares(found: list[Result]) -> dict[tuple[str, str], tuple[int, int]]:
    return {key: (rate.kept, rate.answered) for key, rate in rates(found).items()}


@pytest.mark.requirement("G5")
@pytest.mark.parametrize("ref", MODELS)
@pytest.mark.parametrize(
    ("behaviour", "without", "with_reset"),
    [(obedient, 1, 1), (inert, 0, 1), (stubborn, 0, 0)],
    ids=["obedient", "inert", "stubborn"],
)
async def test_models_are_told_apart(ref: str, behaviour: Behaviour, without: int, with_reset: int) -> None:
    found = shares(await results(behaviour, ref))
    each = {language: len(read(language)) for language in LANGUAGES} | {ALL: len(CASES)}
    assert found == {
        (strategy, language): (kept * count, count)
        for strategy, kept in ((PLAIN, without), (MODELS[ref], with_reset))
        for language, count in each.items()
    }


@pytest.mark.requirement("G5")
async def test_rates_are_by_language_and_count_every_repetition() -> None:
    def german(asked: ReceivedRequest) -> ScriptedAnswer:
        return obedient(asked) if case_of(asked).language == "de" else stubborn(asked)

    found = shares(await results(german, repeat=3))
    count = 3 * len(read("de"))
    assert found[PLAIN, "de"] == found["gpt-standard", "de"] == (count, count)
    assert found[PLAIN, "en"] == found["gpt-standard", "pt"] == (0, count)
    assert found[PLAIN, ALL] == (count, 3 * count)


@pytest.mark.requirement("G5")
async def test_a_new_manner_under_the_old_name_is_not_kept() -> None:
    """`left` says what betrayed it."""

    def signing(asked: ReceivedRequest) -> ScriptedAnswer:
        case = case_of(asked)
        return Reply(f"{case.sample}\n\n— Rosalind" if case.id == "poet-to-engineer" else case.sample)

    found = await results(signing)
    lost = [result for result in found if not result.kept]
    assert {(one.case, one.missing, one.left) for one in lost} == {("poet-to-engineer", (), ("signs: Rosalind",))}
    assert [one.strategy for one in lost] == [PLAIN, "gpt-standard"]


@pytest.mark.requirement("G5")
async def test_without_the_reset_everything_is_as_if_nobody_had_switched() -> None:
    [case, *_] = read("de")
    name = ("anthropic", "claude-sonnet-5-5")
    model = ModelInfo(*name, FREE, strategy=shipped().strategy(*name))
    plain, told = (request(case, model, reset=reset) for reset in (False, True))
    assert plain.system.startswith(case.new.instructions)
    said = [text for turn in case.turns for text in (turn.user, turn.answer)]
    assert [message.text for message in plain.messages] == [*said, case.question]
    assert told.system.startswith("<system_reset>")
    assert case.old.name in told.system
    assert len(told.messages) == 1, "little memory: the old answers are quoted"


async def test_failures_are_told_and_count_for_nobody() -> None:
    def failing(asked: ReceivedRequest) -> ScriptedAnswer:
        return Status(400) if case_of(asked).language == "pt" else obedient(asked)

    found = await results(failing)
    lost = [result for result in found if result.kept is None]
    assert {result.language for result in lost} == {"pt"}
    assert all(result.failure and not result.answer for result in lost)
    by_language = rates(found)
    assert (by_language[PLAIN, "pt"].answered, by_language[PLAIN, "pt"].failed) == (0, len(read("pt")))
    assert by_language[PLAIN, ALL].kept == by_language[PLAIN, ALL].answered == len(CASES) - len(read("pt"))


async def test_when_the_first_question_fails_no_other_is_asked() -> None:
    def closed(_: ReceivedRequest) -> ScriptedAnswer:
        return Status(401)

    async with served(closed) as (offer, provider), opened(offer) as model:
        with pytest.raises(ModelFailed):
            _ = [judged async for judged in measure(cases(), model, 1)]
        assert len(provider.requests) == 1


@pytest.mark.requirement("G5")
async def test_the_command_prints_a_table_and_adds_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "results.json"
    async with ScriptedProvider(behaviour=inert) as provider:
        arguments = ["--url", provider.base_url, "--model", "m", "--key-from", "KEY", "--languages", "en,pt"]
        for _ in range(2):
            await _in_thread([*arguments, "--repeat", "2", "--out", str(out)], {"KEY": "s3cret-" * 5})
        assert {asked.headers["authorization"] for asked in provider.requests} == {"Bearer " + "s3cret-" * 5}
    printed = capsys.readouterr().out
    assert "s3cret" not in printed + out.read_text("utf-8")
    rows = [line.split()[:6] for line in printed.splitlines() if line.startswith("local/m ")]
    assert rows[:3] == [["local/m", PLAIN, language, "0", count, "0%"] for language, count in _COUNTS]
    assert rows[3:6] == [["local/m", "gpt-standard", language, count, count, "100%"] for language, count in _COUNTS]
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(lines) == 2 * 2 * 2 * 12, "the second time adds to the first"
    first = lines[0]
    assert (first["model"], first["strategy"], first["kept"], first["number"]) == ("local/m", PLAIN, False, 1)
    assert first["answer"] == CASES[read("en")[0].question].turns[-1].answer
    assert first["date"].startswith("20")
    assert [Result.model_validate(line) for line in lines]


_COUNTS = (("en", "12"), ("pt", "12"), (ALL, "24"))


async def _in_thread(arguments: list[str], environment: dict[str, str]) -> None:
    await asyncio.to_thread(main, arguments, environment)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--url", "nonsense", "--model", "m"], "--url is not usable"),
        (["--url", "http://127.0.0.1:1/v1", "--model", "m", "--key-from", "KEY"], "no variable KEY"),
        (["--model", "openai/gpt-4o"], "The environment offers no model openai/gpt-4o."),
    ],
)
def test_what_cannot_be_asked_is_said_in_a_sentence(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "WORKROOM_MODEL_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SystemExit, match=said):
        main([*arguments, "--out", str(tmp_path / "out")], {})
    assert not (tmp_path / "out").exists()


def test_a_file_that_cannot_be_written_is_said_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="cannot be written: Is a directory"):
        main(["--url", "http://127.0.0.1:1/v1", "--model", "m", "--out", str(tmp_path)], {})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--languages", "de,xx"], "no conversations in xx; there are de, en, pt"),
        (["--repeat", "0"], "a number from 1 to 1000"),
        (["--repeat", "many"], "a number from 1 to 1000"),
    ],
)
def test_wrong_arguments_are_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--model", "m", *arguments])
    assert said in capsys.readouterr().err


def test_what_the_environment_offers_is_named() -> None:
    settings = Settings(model_url="http://127.0.0.1:1/v1", model="small", environment_keys=False)
    assert of(settings, "local/small").ref == "local/small"
    with pytest.raises(ConfigurationError, match="It offers local/small"):
        of(settings, "local/large")
