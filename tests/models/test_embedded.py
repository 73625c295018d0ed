"""The default without a language model: five languages, commands, suggestions that wait for a yes, never a failure."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import workroom.models.embedded
from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.registry import discover
from workroom.agents.types import Team
from workroom.bootstrap.tools import TOOL_PACKAGES
from workroom.core.actions import OpenFile
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, MaterialPart, Message, OpaquePart, Part, ResultPart, Role, TextPart
from workroom.core.money import ZERO
from workroom.core.pauses import Chosen
from workroom.core.places import file_place, numbered_place
from workroom.core.results import ResultStatus, ToolResult
from workroom.core.run_events import RunState
from workroom.core.sources import Source
from workroom.core.tokens import Usage
from workroom.core.tool_texts import ToolTexts, phrases_by_language
from workroom.documents.errors import (
    ContainerLimitError,
    DamagedDocument,
    DocumentError,
    DocumentTooLarge,
    EncryptedDocument,
    OcrUnavailable,
    UnsupportedDocument,
)
from workroom.models.embedded import EmbeddedModel, commands
from workroom.models.embedded.language import CODES, LANGUAGES, language_of
from workroom.models.embedded.model import pieces
from workroom.models.embedded.model_notes import NAMED_IN_NOTES
from workroom.models.embedded.outline_words import UNITS
from workroom.models.embedded.quotation import LONGEST_OF_MANY, MOST_QUOTED, quoted
from workroom.models.embedded.rendering import rendered
from workroom.models.embedded.reply import reply_to
from workroom.models.ports import Answer, Forcing, ModelRequest, TextDelta, ToolSchema

TOOLS = [tool.schema for tool in discover(*TOOL_PACKAGES)]
SCHEMAS = {tool.name: tool for tool in TOOLS}
PHRASES = phrases_by_language(tool.texts for tool in TOOLS)
EN = LANGUAGES["en"]
KEYWORDS = st.sampled_from(["properties", "required", "anyOf", "$ref", "$defs", "type", "enum", "format", "items"])
SCHEMA_LIKE = st.recursive(
    st.none() | st.integers() | st.sampled_from(["string", "array", "null", "#/$defs/type", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS, inner, max_size=3),
    max_leaves=8,
)
JSON_LIKE = st.recursive(st.none() | st.text() | st.integers(), lambda x: st.dictionaries(st.text(), x), max_leaves=5)
HOME = Path(workroom.models.embedded.__file__).parent
REFUSALS = [
    DocumentError,
    UnsupportedDocument,
    EncryptedDocument,
    DamagedDocument,
    DocumentTooLarge,
    ContainerLimitError,
    OcrUnavailable,
]


def label(tool: str, code: str) -> str:
    return SCHEMAS[tool].texts[code].label


def said(text: str) -> Message:
    return Message(id=new_id(), role=Role.USER, parts=[TextPart(text=text)])


def with_passage(text: str) -> Message:
    """A question for which a passage was found in the files."""
    opens = OpenFile(file_id=new_id(), page=4, quote="The pump is old.")
    passage = MaterialPart(
        kind="text",
        place=numbered_place("page", [4], "a.pdf"),
        text="The pump is old.",
        read_for=new_id(),
        opens=opens,
        found=True,
    )
    return Message(id=new_id(), role=Role.USER, parts=[TextPart(text=text), passage])


def answered(parts: Sequence[Part]) -> Message:
    return Message(id=new_id(), role=Role.ASSISTANT, parts=list(parts))


def result(tool: str, value: ToolResult) -> Message:
    return Message(id=new_id(), role=Role.TOOL, parts=[ResultPart(call_id=new_id(), tool=tool, result=value)])


async def answer(
    *messages: Message,
    tools: Sequence[ToolSchema] = TOOLS,
    forcing: Forcing = Forcing.AUTO,
    language: str = "en",
    team: str = "",
) -> list[Part]:
    """What it says, having checked that the pieces make up the whole."""
    request = ModelRequest("", messages, tools, forcing, language=language, team=team)
    reply_to(request)  # would raise here; the model itself only says that it cannot answer
    streamed, whole = "", None
    async for piece in EmbeddedModel().stream(request):
        if isinstance(piece, TextDelta):
            assert whole is None
            streamed += piece.text
        else:
            whole = piece
    assert isinstance(whole, Answer)
    assert streamed == "".join(part.text for part in whole.parts if isinstance(part, TextPart))
    assert whole.usage == Usage()
    return list(whole.parts)


async def text_of(*messages: Message, **more: Any) -> str:
    parts = await answer(*messages, **more)
    assert len(parts) == 1
    assert isinstance(parts[0], TextPart)
    return parts[0].text


async def call_of(text: str, **more: Any) -> tuple[str, dict[str, Any]]:
    parts = await answer(said(text), **more)
    assert len(parts) == 1, parts
    assert isinstance(parts[0], CallPart)
    return parts[0].tool, parts[0].arguments


def test_it_says_what_it_is() -> None:
    info = EmbeddedModel().info
    assert (info.provider, info.id, info.embedded, info.tools) == ("embedded", "default", True, True)
    assert info.price.input == info.price.output == ZERO


def test_it_needs_nothing_but_values() -> None:
    """Imports only core and the port it implements: it works when nothing else does."""
    imported = set()
    for path in HOME.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("workroom"):
                imported.add(node.module or "")
    ours = ("workroom.core.", "workroom.models.embedded")
    assert {name for name in imported if not name.startswith(ours)} == {"workroom.models.ports"}


class TestTexts:
    @pytest.mark.parametrize("code", CODES)
    def test_every_language_says_everything(self, code: str) -> None:
        def holes(text: str) -> list[str]:
            return sorted(re.findall(r"\{\w+\}", text))

        language = LANGUAGES[code]
        assert {key: holes(text) for key, text in language.texts.items()} == {k: holes(t) for k, t in EN.texts.items()}
        assert all(text.strip() for text in language.texts.values())
        assert "ß" not in "".join(language.texts.values()), "Swiss spelling"

    @pytest.mark.parametrize("code", CODES)
    def test_every_text_is_used(self, code: str) -> None:
        source = "".join(path.read_text() for path in HOME.glob("*.py"))
        kinds = {"integer", "number", "boolean", "array", "object", *(f"unit.{unit}" for unit in UNITS.split("|"))}
        kinds |= {f"place.{kind}" for kind in ("page", "pages", "slide", "slides")}
        kinds |= {f"error.{error.code}" for error in REFUSALS}
        kinds |= {key for key in LANGUAGES["en"].texts if key.startswith(("field.", "value."))}
        kinds |= {f"team.{team}.{part}" for team in Team for part in ("needs", "example")}
        assert {key for key in LANGUAGES[code].texts if f'"{key}"' not in source and f"'{key}'" not in source} <= kinds

    @pytest.mark.parametrize("code", CODES)
    def test_the_label_is_one_line(self, code: str) -> None:
        assert "\n" not in LANGUAGES[code].say("label")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Could you show me the notes of yesterday?", "en"),
        ("Zeig mir bitte die Notizen von gestern", "de"),
        ("Montre-moi les notes d'hier", "fr"),
        ("Mostre as minhas notas de ontem, por favor", "pt"),
        ("请给我看昨天的笔记", "zh"),
        ("帮我看 README.md and notes", "zh"),
        ("Grüezi", "de"),
        ("Notiere: Milch", "de"),
        ("Hilfe", "de"),
        ("Gehe zur Langendorfstrasse 19b in Solothurn", "de"),
        ("42", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_text(text: str, code: str) -> None:
    assert language_of([text], phrases=PHRASES).code == code


def test_when_the_last_text_does_not_tell_an_earlier_one_does() -> None:
    assert language_of(["/listNotes", "Was ist das?", "what is this?"]).code == "de"
    assert language_of(["/listNotes"], "pt", PHRASES).code == "pt"


@pytest.mark.requirement("C5")
@pytest.mark.parametrize(
    ("greeting", "code"),
    [
        ("Hello!", "en"), ("What can you do?", "en"), ("Hallo", "de"), ("Was kannst du denn?", "de"), ("Bonjour", "fr"),
        ("Que peux-tu faire ?", "fr"), ("Olá", "pt"), ("O que você pode fazer?", "pt"), ("你好！", "zh"), ("你能做什么？", "zh"),
    ],
)  # fmt: skip
async def test_a_greeting_explains_what_works_and_how_to_get_a_model(greeting: str, code: str) -> None:
    text = await text_of(said(greeting))
    language = LANGUAGES[code]
    assert text.startswith(language.say("explain"))
    assert text.endswith(language.say("label"))
    assert all(word in text for word in ("Ollama", "OpenAI", "`/calculate expression=…`", label("writeNote", code)))


@pytest.mark.requirement("C5")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Hallo", "de"), ("Please do a SWOT of our company", "en"), ("Montre-moi comment faire un briefing", "fr"),
        ("Olá", "pt"), ("请帮我们做一份简报", "zh"),
    ],
)  # fmt: skip
async def test_an_agent_of_a_team_says_that_it_needs_a_model_and_shows_an_example(text: str, code: str) -> None:
    """Also where a tool resembles the wish, and whatever was found in files; commands are carried out all the same."""
    language = LANGUAGES[code]
    told = await text_of(said(text), team="specialists")
    parts = [language.say(key) for key in ("team.specialists.needs", "setup", "team.specialists.example")]
    assert told == "\n\n".join(parts)
    assert "Ollama" in told
    assert await call_of("/calculate 1 + 1", team="specialists") == ("calculate", {"expression": "1 + 1"})
    assert parts[0] not in str(await answer(said(text))), "others answer as ever"


class TestCommands:
    @pytest.mark.parametrize(
        ("text", "tool", "arguments"),
        [
            ("/listNotes", "listNotes", {}),
            ("/LISTNOTES milk and bread", "listNotes", {"query": "milk and bread"}),
            ("/listNotes query=milk limit=5", "listNotes", {"query": "milk", "limit": 5}),
            ("/writeNote title=Buy milk text=two litres, fresh", "writeNote", {"title": "Buy milk", "text": "two litres, fresh"}),
            ('/writeNote title="Milk" two litres', "writeNote", {"title": "Milk", "text": "two litres"}),
            ('/writeNote title="a text=b \\" c" text=d', "writeNote", {"title": 'a text=b " c', "text": "d"}),
            ('/writeNote {"title": "Milk", "text": "a=b"}', "writeNote", {"title": "Milk", "text": "a=b"}),
            ("/writeNote title=Milk\ntext=one\ntwo", "writeNote", {"title": "Milk", "text": "one\ntwo"}),
            ("  /calculate (1 + 2) * 3", "calculate", {"expression": "(1 + 2) * 3"}),
            ("/addTodos milk, bread; eggs", "addTodos", {"titles": ["milk", "bread", "eggs"]}),
            ('/addTodos titles=["milk, fresh", "bread"] due=2030-01-31', "addTodos",
             {"titles": ["milk, fresh", "bread"], "due": "2030-01-31"}),
            ("/listTodos done=true", "listTodos", {"done": True}),
            ("/listTodos nein", "listTodos", {"done": False}),
            ("/listTodos done=是", "listTodos", {"done": True}),
            ("/currentTime Europe/Zurich", "currentTime", {"timezone": "Europe/Zurich"}),
        ],
    )  # fmt: skip
    async def test_calls_exactly_that_tool(self, text: str, tool: str, arguments: dict[str, Any]) -> None:
        assert await call_of(text) == (tool, arguments)

    @pytest.mark.parametrize(
        ("text", "parts"),
        [
            ("/writeNotes x", ["There is no command `/writeNotes`.", "`/writeNote`"]),
            ("/xyzzy", ["There is no command `/xyzzy`.", "**Commands**"]),
            ("/writeNote Milk", ["needs more: `text`", "`/writeNote title=… text=…`"]),
            ("/calculate", ["needs more: `expression`"]),
            ("/listNotes limit=many", ["`limit` does not fit: a whole number"]),
            ("/listTodos perhaps", ["`done` does not fit: true or false"]),
            ("/currentTime zone=UTC", ["does not know `zone`. It takes: `timezone`"]),
            ('/writeNote {"title": ', ["is not valid JSON"]),
            ('/writeNote {"title": "x", "text": "y", "z": 1}', ["does not know `z`"]),
            ("/help", ["**Commands**", "`/addTodos titles=… [due=…]`"]),
            ("/help calculate", [SCHEMAS["calculate"].description]),
        ],
    )
    async def test_what_is_wrong_is_said(self, text: str, parts: list[str]) -> None:
        reply = await text_of(said(text))
        assert [part for part in parts if part not in reply] == []
        assert reply.endswith(EN.say("label"))

    async def test_help_is_given_in_the_language_it_is_asked_for(self) -> None:
        assert "**Befehle**" in await text_of(said("/hilfe"))

    @pytest.mark.parametrize("code", CODES)
    @pytest.mark.parametrize("command", ["/help", "/help calculate", "/xyzzy", "/calculate"])
    async def test_a_command_says_nothing_of_the_language_of_whoever_types_it(self, command: str, code: str) -> None:
        reply = await text_of(said(command), language=code)
        assert reply.endswith(LANGUAGES[code].say("label"))
        assert code == "en" or not any(tool.description.strip() in reply for tool in TOOLS)

    async def test_what_a_tool_of_others_does_is_told_in_its_own_words(self) -> None:
        theirs = ToolSchema("rollDice", "Roll one die.\nOr two.", {"properties": {}})
        assert "Roll one die.\nOr two." in await text_of(said("/help rollDice"), language="de", tools=[theirs])

    async def test_a_tool_of_others_with_texts_is_described_and_recognised_by_them(self) -> None:
        texts = {
            "en": ToolTexts(label="rolls a die", phrases=("roll dice",)),
            "de": ToolTexts(label="würfelt", phrases=("würfle",)),
        }
        theirs = ToolSchema("rollDice", "Roll one die.\nOr two.", {"properties": {}}, texts)
        german = await text_of(said("/help rollDice"), language="de", tools=[theirs])
        assert "würfelt" in german
        assert "Roll one die." not in german
        french = await text_of(said("/help rollDice"), language="fr", tools=[theirs])
        assert "rolls a die" in french, "a language it has no texts in is English"
        assert "Roll one die.\nOr two." in french
        _, mark, _ = await answer(said("Würfle"), tools=[*TOOLS, theirs])
        assert isinstance(mark, OpaquePart)
        assert mark.data == {"tool": "rollDice", "arguments": {}}

    @pytest.mark.parametrize("code", CODES)
    async def test_problems_are_said_in_the_language_of_the_conversation(self, code: str) -> None:
        greeting = {"en": "hello there", "de": "hallo du", "fr": "bonjour vous", "pt": "olá você", "zh": "你好"}[code]
        reply = await text_of(said(greeting), answered([TextPart(text="…")]), said("/xyzzy"))
        assert reply.startswith(LANGUAGES[code].say("unknown", name="xyzzy"))

    async def test_without_tools_nothing_is_called(self) -> None:
        for more in ({"tools": ()}, {"forcing": Forcing.NONE}):
            assert EN.say("noTools") in await text_of(said("/listNotes"), **more)

    def test_any_schema_can_be_typed(self) -> None:
        schema = {
            "properties": {
                "mode": {"$ref": "#/$defs/Mode"}, "at": {"anyOf": [{"type": "number"}, {"type": "null"}]},
                "more": {"type": "object"}, "odd": {}, "odder": 7,
            },
            "required": ["mode"],
            "$defs": {"Mode": {"enum": ["fast", "slow"]}},
        }  # fmt: skip
        tool = ToolSchema("go", "Go.", schema)
        given = commands.read(tool, 'mode=FAST at=1.5 more={"a": [1]} odd=2 odder=x', EN)
        assert given.arguments == {"mode": "fast", "at": 1.5, "more": {"a": [1]}, "odd": 2, "odder": "x"}
        assert "`fast`, `slow`" in commands.read(tool, "mode=sideways", EN).problem

    @settings(max_examples=60, deadline=None)
    @given(st.dictionaries(st.sampled_from(["title", "text"]), st.text(), min_size=2))
    def test_a_written_command_reads_as_what_it_says(self, arguments: dict[str, str]) -> None:
        command = commands.typed_command(commands.written("writeNote", arguments))
        assert command is not None
        # What is typed is trimmed; what a tool stores is, too.
        trimmed = {name: value.strip() for name, value in arguments.items()}
        assert commands.read(SCHEMAS["writeNote"], command.rest, EN).arguments == trimmed


WISHES = [
    ("note that the key is under the mat", "writeNote"),
    ("Please show me all my notes", "listNotes"),
    ("I have to buy milk, bread", "addTodos"),
    ("what time is it?", "currentTime"),
    ("how much is 12 * 1.081?", "calculate"),
    ("Notiere: der Schlüssel ist unter der Matte", "writeNote"),
    ("Zeig mir bitte alle meine Notizen", "listNotes"),
    ("Ich muss noch Milch kaufen", "addTodos"),
    ("Wie spät ist es?", "currentTime"),
    ("Was ist (3 + 4) * 2?", "calculate"),
    ("Note que la clé est sous le paillasson", "writeNote"),
    ("Montre-moi toutes mes notes", "listNotes"),
    ("Je dois acheter du lait", "addTodos"),
    ("Quelle heure est-il ?", "currentTime"),
    ("Combien font 12 / 5 ?", "calculate"),
    ("Anote que a chave está debaixo do tapete", "writeNote"),
    ("Mostre todas as minhas notas", "listNotes"),
    ("Preciso comprar leite", "addTodos"),
    ("Que horas são?", "currentTime"),
    ("Quanto é 12 * 5?", "calculate"),
    ("记下钥匙在垫子下面", "writeNote"),
    ("显示我的笔记", "listNotes"),
    ("提醒我买牛奶，面包", "addTodos"),
    ("现在几点了？", "currentTime"),
    ("12 * 5 等于多少？", "calculate"),
]


class TestWishes:
    @pytest.mark.requirement("C5")
    @pytest.mark.parametrize(("wish", "tool"), WISHES)
    async def test_a_wish_is_suggested_and_never_carried_out(self, wish: str, tool: str) -> None:
        text, mark, asked = await answer(said(wish))
        assert isinstance(text, TextPart)
        assert isinstance(mark, OpaquePart)
        assert isinstance(asked, CallPart)
        language = language_of([wish], phrases=PHRASES)
        assert text.text.endswith(language.say("label"))
        assert (asked.tool, asked.arguments["question"]) == ("askUser", language.say("shallI"))
        wanted, refusal = asked.arguments["options"]
        assert refusal == language.say("no")
        assert mark.data["tool"] == tool
        # What stands on the button is what a yes runs, in words.
        does, given = label(tool, language.code), mark.data["arguments"]
        values = [one for value in given.values() for one in (value if isinstance(value, list) else [value])]
        does = f"{does[:1].upper()}{does[1:]}"
        what = ", ".join(dict.fromkeys(map(str, values)))
        assert wanted == (language.say("pair", label=does, text=what) if values else does)
        assert tool not in wanted

    @pytest.mark.parametrize(
        ("wish", "tool"),
        [
            ("Notiere: der Schlüssel liegt beim Hauswart", "writeNote"), ("Bitte notiere, dass es regnet", "writeNote"),
            ("Zeige meine Notizen", "listNotes"), ("Erinnere mich: Mietvertrag verlängern", "addTodos"),
            ("12 * 5", "calculate"), ("Remind me to call Ada", "addTodos"), ("记下：钥匙在门垫下", "writeNote"),
        ],
    )  # fmt: skip
    async def test_an_order_is_not_answered_with_what_files_say(self, wish: str, tool: str) -> None:
        _, mark, _ = await answer(with_passage(wish))
        assert isinstance(mark, OpaquePart)
        assert mark.data["tool"] == tool

    @pytest.mark.parametrize(
        "question",
        [
            "Was ist die neue Aufgabe der Kommission?", "Ich muss wissen, wie hoch die Kaution ist", "Was ist zu tun bei Brand?",
            "Fasse report.pdf zusammen: worum geht es", "Was steht in den Notizen zur Miete?", "What is 5 percent of the rent?",
            "Wie hoch ist die Miete 2023-2024?",
        ],
    )  # fmt: skip
    async def test_a_question_is_answered_with_what_files_say_though_it_resembles_a_command(
        self, question: str
    ) -> None:
        assert "> The pump is old." in await text_of(with_passage(question))

    async def test_what_is_in_the_wish_becomes_the_argument(self) -> None:
        _, mark, _ = await answer(said("Ich muss Milch kaufen, Brot backen"))
        assert isinstance(mark, OpaquePart)
        assert mark.data == {"tool": "addTodos", "arguments": {"titles": ["Milch kaufen", "Brot backen"]}}

    @pytest.mark.parametrize("wish", ["Fasse report.v2.pdf bitte zusammen", "please summarise report.v2.pdf for me"])
    async def test_a_file_is_known_by_its_name(self, wish: str) -> None:
        _, mark, _ = await answer(said(wish))
        assert isinstance(mark, OpaquePart)
        assert mark.data == {"tool": "summarizeContent", "arguments": {"fileId": "report.v2.pdf"}}

    async def test_a_whole_sentence_is_no_file(self) -> None:
        (text,) = await answer(said("Fasse die Rechnung zusammen"))
        assert isinstance(text, TextPart)
        german = LANGUAGES["de"]
        assert german.say("incomplete", does=label("summarizeContent", "de")) in text.text
        assert "summarizeContent" not in text.text.split("\n\n")[0], "before the command there are words"

    async def test_a_yes_runs_it_and_everything_else_does_not(self) -> None:
        wish = said("note that the key is under the mat")
        asked = answered(await answer(wish))
        yes = result("askUser", ToolResult(message="The user chose: …", data={"choiceId": "1"}))
        (call,) = await answer(wish, asked, yes)
        assert isinstance(call, CallPart)
        assert (call.tool, call.arguments["text"]) == ("writeNote", "the key is under the mat")
        for other in (
            ToolResult(data={"choiceId": "2"}),
            ToolResult(message="yes, 1"),
            ToolResult.error("The user does not want this.", declined=True),
        ):
            assert EN.say("declined") in await text_of(wish, asked, result("askUser", other))

    async def test_a_yes_to_another_models_question_runs_nothing(self) -> None:
        """What somebody else offered as a choice is no order of ours, however it is spelled."""
        note = {"noteId": "01920000-0000-7000-8000-000000000000"}
        options = [commands.written("deleteNote", note), "No"]
        call = CallPart(call_id=new_id(), tool="askUser", arguments={"question": "?", "options": options})
        mark = OpaquePart(provider="openai", model="default", data={"tool": "deleteNote", "arguments": note})
        yes = result("askUser", ToolResult(message="The user chose it.", data={"choiceId": "1"}))
        several: list[list[Part]] = [[call], [mark, call]]
        for parts in several:
            assert "The user chose it." in await text_of(said("hello"), answered(parts), yes)

    async def test_a_tool_that_was_taken_away_meanwhile_is_not_called(self) -> None:
        wish = said("note that the key is under the mat")
        asked = answered(await answer(wish))
        yes = result("askUser", ToolResult(data={"choiceId": "1"}))
        assert EN.say("noTools") in await text_of(wish, asked, yes, tools=[SCHEMAS["askUser"]])

    async def test_what_cannot_be_filled_in_is_explained(self) -> None:
        assert "`/deleteNote noteId=…`" in await text_of(said("please delete the note"))
        _, mark, _ = await answer(said("please delete the note 01920000-0000-7000-8000-000000000000"))
        assert isinstance(mark, OpaquePart)
        assert mark.data["arguments"] == {"noteId": "01920000-0000-7000-8000-000000000000"}

    async def test_without_a_way_to_ask_it_says_what_to_type(self) -> None:
        text = await text_of(said("show my notes"), tools=[SCHEMAS["listNotes"]])
        assert "```\n/listNotes\n```" in text

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("Why is the sky blue?", "en"), ("Warum ist der Himmel blau?", "de"), ("Pourquoi le ciel est-il bleu ?", "fr"),
            ("Por que o céu é azul?", "pt"), ("天空为什么是蓝色的？", "zh"), ("/etc/passwd and the shadow", "en"),
        ],
    )  # fmt: skip
    async def test_what_resembles_nothing_gets_an_honest_no(self, text: str, code: str) -> None:
        reply = await text_of(said(text))
        assert reply.startswith(LANGUAGES[code].say("noMatch"))
        assert reply.endswith(LANGUAGES[code].say("label"))

    async def test_tools_of_plugins_are_recognised_by_their_words(self) -> None:
        weather = ToolSchema(
            "weatherForecast", "Tells tomorrow's weather.", {"properties": {"place": {"type": "string"}}}
        )
        _, mark, _ = await answer(said("weather forecast please"), tools=[*TOOLS, weather])
        assert isinstance(mark, OpaquePart)
        assert mark.data["tool"] == "weatherForecast"


class TestResults:
    async def test_fields_are_called_by_their_words_and_what_says_nothing_is_left_out(self) -> None:
        at = "2030-01-31T08:15:30Z"
        row = {"id": "i1", "title": "Miete", "done": False, "position": 0, "createdAt": at, "updatedAt": at}
        text = await text_of(said("zeige meine aufgaben"), answered([]), result("listTodos", ToolResult(items=[row])))
        assert text.splitlines()[:3] == [
            "| Titel | Erledigt | Erstellt | Kennung |", "|---|---|---|---|", "| Miete | nein | 2030-01-31 08:15 | i1 |",
        ]  # fmt: skip
        sum_ = ToolResult(data={"expression": "2 * 3", "result": "6", "exact": True})
        assert (await text_of(said("rechne 2 * 3"), answered([]), result("calculate", sum_))).startswith(
            "- **Rechnung**: 2 * 3\n- **Ergebnis**: 6\n\n"
        )

    async def test_alike_items_are_a_table_with_the_id_last(self) -> None:
        rows = [
            {"id": "i1", "title": "a|b", "text": "x\ny", "ownerId": "o", "createdAt": "2030-01-31T08:15:30.123456Z", "due": None},
            {"id": "i2", "title": "c", "text": "z" * 200, "ownerId": "o", "createdAt": "2030-01-31T08:16:00Z", "due": None},
        ]  # fmt: skip
        text = await text_of(said("/listNotes"), answered([]), result("listNotes", ToolResult(items=rows)))
        assert text.splitlines()[:3] == [
            "| Title | Text | Created | ID |",
            "|---|---|---|---|",
            "| a\\|b | x y | 2030-01-31 08:15 | i1 |",
        ]
        assert "z" * 100 + " …" in text
        assert text.endswith(EN.say("label"))

    def test_a_todo_is_told_in_the_words_of_the_reader(self) -> None:
        made = "2030-01-31T08:15:30Z"
        todo = {
            "id": "i",
            "title": "Payer",
            "done": False,
            "position": 0,
            "due": None,
            "createdAt": made,
            "updatedAt": made,
        }
        head, _, row = rendered(ToolResult(items=[todo]), LANGUAGES["fr"]).splitlines()
        assert (head, row) == ("| Titre | Faite | Création | Identifiant |", "| Payer | non | 2030-01-31 08:15 | i |")

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (ToolResult(items=["a", 2, {"b": 1}]), '- a\n- 2\n- {"b": 1}'),
            (ToolResult(data={"time": "2030-01-31T08:15:30+01:00", "none": None}), "- **Time**: 2030-01-31 08:15"),
            (ToolResult(data={"title": "T", "text": "one\ntwo"}), "- **Title**: T\n\n**Text**\n\none\ntwo"),
            (ToolResult(message="The todo is removed."), "The todo is removed."),
            (ToolResult(), "Done; there is nothing to show."),
            (ToolResult.error("No such note.", code="notFound"), "That did not work: No such note."),
            (ToolResult.error("The user does not want this.", declined=True), "All right, nothing was done."),
            (ToolResult(status=ResultStatus.NEEDS_CLARIFICATION, message="Which one?"), "Which one?"),
        ],
    )
    def test_as_markdown(self, value: ToolResult, expected: str) -> None:
        assert rendered(value, EN) == expected
        assert rendered(ToolResult.model_validate_json(value.model_dump_json()), EN) == expected, "stored or not"

    def test_long_lists_are_cut_and_counted(self) -> None:
        text = rendered(ToolResult(items=list(range(60))), LANGUAGES["de"])
        assert text.endswith("- 49\n\n… und 10 weitere.")

    @pytest.mark.parametrize("code", CODES)
    def test_errors_are_said_in_every_language(self, code: str) -> None:
        assert rendered(ToolResult.error("X."), LANGUAGES[code]) == LANGUAGES[code].say("failed", message="X.")

    @pytest.mark.parametrize("code", CODES)
    @pytest.mark.parametrize("error", REFUSALS)
    def test_what_is_wrong_with_a_document_is_said_in_every_language(
        self, code: str, error: type[DocumentError]
    ) -> None:
        text = rendered(ToolResult.error("It is locked.", code=error.code), LANGUAGES[code])
        assert ("It is locked." in text) is (code == "en")
        assert code == "en" or LANGUAGES[code].say(f"error.{error.code}") in text


class TestWhateverComesIn:
    """Any text in, an answer out: labelled, or a call of a tool that exists."""

    @settings(max_examples=60, deadline=None)
    @given(st.text() | st.text("/abcdefghijklmnopqrstuvwxyzN =\"'{}[],:1+*", max_size=60))
    async def test_any_text(self, text: str) -> None:
        await self._is_an_answer(await answer(said(text)))

    @settings(max_examples=60, deadline=None)
    @given(st.sampled_from(sorted(SCHEMAS)), st.text(max_size=60) | st.from_regex(r"\A(\w+=\S* ){0,3}\Z"))
    async def test_any_command(self, name: str, rest: str) -> None:
        await self._is_an_answer(await answer(said(f"/{name} {rest}")))

    @settings(max_examples=60, deadline=None)
    @given(
        st.builds(
            ToolResult,
            message=st.text(),
            items=st.lists(JSON_LIKE, max_size=5),
            data=st.dictionaries(st.text(), st.text() | st.none() | st.lists(st.integers())),
            status=st.sampled_from(ResultStatus),
        )
    )
    async def test_any_result(self, value: ToolResult) -> None:
        await self._is_an_answer(await answer(said("/x"), answered([]), result("x", value)))

    @settings(max_examples=60, deadline=None)
    @given(st.dictionaries(KEYWORDS, SCHEMA_LIKE, max_size=4))
    async def test_any_schema(self, schema: dict[str, Any]) -> None:
        """Plugins and other servers describe their tools as they like."""
        tools = [ToolSchema("odd", "", schema), ToolSchema("odder", "", {"properties": schema, "required": ["type"]})]
        for text in ("/odd x", "/odder y=1", "/help", "odd thing"):
            parts = await answer(said(text), tools=tools)
            assert parts

    async def test_nothing_at_all(self) -> None:
        assert (await text_of()).startswith(EN.say("explain"))
        await self._is_an_answer(await answer(answered([TextPart(text="hi")])))
        await self._is_an_answer(await answer(Message(id=new_id(), role=Role.TOOL, parts=[])))

    async def test_even_a_mistake_of_ours_is_an_answer(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr("workroom.models.embedded.model.reply_to", lambda request: 1 / 0)
        assert await text_of(said("hello")) == EN.say("label")
        assert "could not make sense" in caplog.text

    async def test_the_same_request_gets_the_same_answer(self) -> None:
        for text in ("hello", "show my notes", "/help"):
            first, second = [await answer(said(text)) for _ in range(2)]
            assert [part.model_dump(exclude={"call_id"}) for part in first] == [
                part.model_dump(exclude={"call_id"}) for part in second
            ]

    @settings(max_examples=60, deadline=None)
    @given(st.text())
    def test_pieces_make_up_the_whole(self, text: str) -> None:
        assert "".join(pieces(text)) == text
        assert all(pieces(text))

    async def _is_an_answer(self, parts: list[Part]) -> None:
        text = "".join(part.text for part in parts if isinstance(part, TextPart))
        calls = [part for part in parts if isinstance(part, CallPart)]
        assert all(call.tool in SCHEMAS for call in calls)
        assert calls or any(text.endswith(language.say("label")) for language in LANGUAGES.values())


@pytest.mark.requirement("C5")
async def test_a_wish_becomes_a_note_in_a_real_run(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("Notiere: der Schlüssel ist unter der Matte")
    async with bench.worker(EmbeddedModel()) as runner:
        await runner.advance(bench.key(accepted))
        assert (await bench.runs.get(bench.principal, accepted.run_id)).state is RunState.PAUSED
        assert await bench.titles() == []
        asked = next(e.event for e in await bench.events(accepted.run_id) if e.event.type == "choice")
        await bench.runs.answer(bench.principal, accepted.run_id, asked.call_id, Chosen(choice_id="1"))
        await runner.advance(bench.key(accepted))
    assert (await bench.runs.get(bench.principal, accepted.run_id)).state is RunState.COMPLETED
    assert await bench.titles() == ["der Schlüssel ist unter der Matte"]
    stored = await world.services.conversations.messages(bench.principal, bench.lab, accepted.conversation_id)
    said_once = [LANGUAGES["de"].say("label") in one.message.text for one in stored if one.message.text]
    assert said_once.count(True) == 1  # with the question, and not once more with what came of it
    assert "- **Titel**: der Schlüssel ist unter der Matte" in stored[-1].message.text


@pytest.mark.requirement("C5")
def test_what_was_found_is_shown_around_the_sentence_that_answers_and_can_be_cited() -> None:
    quote = "The pump is old."
    text = f"{'Before it. ' * 60}{quote}{' After it.' * 60}"
    opens = OpenFile(file_id=new_id(), page=4, quote=quote)
    part = MaterialPart(
        kind="text",
        place=numbered_place("page", [4], "a.pdf"),
        text=text,
        read_for=new_id(),
        opens=opens,
        found=True,
        mark="k7qda",
    )
    shown = quoted([part], "", LANGUAGES["en"])
    assert shown.startswith("**page 4 of a.pdf** [[k7qda]]\n\n> … ")
    assert quote in shown
    assert shown.endswith(" …")
    assert len(shown) < 600


@pytest.mark.requirement("C5")
def test_what_answers_is_shown_and_an_outline_only_to_who_asks_for_it() -> None:
    outline = MaterialPart(kind="outline", place=file_place("a.pdf"), text="a.pdf: 18 pages\ns1 One", read_for=new_id())
    passage = MaterialPart(
        kind="text", place=numbered_place("page", [4], "a.pdf"), text="The pump is old.", read_for=new_id(), found=True
    )

    def shown(*materials: MaterialPart) -> str:
        question = Message(id=new_id(), role=Role.USER, parts=[TextPart(text="How old is the pump?"), *materials])
        return reply_to(ModelRequest("", (question,))).text

    found = shown(passage, outline)
    assert found.startswith(f"{EN.say('found')}\n\n**page 4 of a.pdf**\n\n> The pump is old.")
    assert "18 pages" not in found
    assert shown(outline, passage).index("18 pages") < shown(outline, passage).index("The pump"), "it was asked for"
    nothing = EN.say("nothingIn", names="**a.pdf**")
    assert shown(outline).startswith(nothing), "what it is made of is no answer"
    structural = Message(id=new_id(), role=Role.USER, parts=[TextPart(text="How many pages are there?"), outline])
    counted = reply_to(ModelRequest("", (structural,))).text
    assert counted.startswith(EN.say("madeOf"))
    assert "18 pages" in counted
    named = passage.model_copy(update={"found": False})
    assert "18 pages" in shown(named, outline), "both were named"


def test_an_outline_that_was_found_keeps_its_lines() -> None:
    part = MaterialPart(
        kind="outline", place=file_place("a.pdf"), text="a.pdf: 18 pages\ns1 One", read_for=new_id(), found=True
    )
    assert quoted([part], "", LANGUAGES["en"]) == "**a.pdf**\n\n> a.pdf: 18 pages\\\n> s1 One"


@pytest.mark.requirement("C5")
def test_what_was_counted_is_said_in_the_language_of_the_question() -> None:
    part = MaterialPart(
        kind="outline", place=file_place("a.pdf"), text="18 pages, 3 images", read_for=new_id(), found=True
    )
    assert quoted([part], "", LANGUAGES["de"]) == "**a.pdf**\n\n> 18 Seiten, 3 Bilder"


def test_what_is_quoted_has_no_words_for_models_and_does_not_go_on_for_ever() -> None:
    only = "[Only its outline; readContentObjects and readFile read what is in it.]"
    text = f"[page 47 of report.pdf] [[k7qda]]\nThe pump is old.\n{only}"
    place = numbered_place("page", [47], "report.pdf")
    source = Source(mark="k7qda", place=place, opens=OpenFile(file_id=new_id(), page=47))
    part = MaterialPart(kind="text", place=place, text=text, read_for=new_id(), sources=[source])
    assert quoted([part], "", LANGUAGES["en"]) == "**page 47 of report.pdf** [[k7qda]]\n\n> The pump is old."
    long = part.model_copy(update={"text": "word " * 5_000})
    assert len(quoted([long] * 20, "", LANGUAGES["en"])) < (LONGEST_OF_MANY + 200) * MOST_QUOTED


def test_notes_for_models_name_tools_that_exist() -> None:
    assert set(NAMED_IN_NOTES) <= SCHEMAS.keys()
