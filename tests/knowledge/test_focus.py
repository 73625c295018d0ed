"""Which sentences of a passage are marked."""

from __future__ import annotations

import pytest

from workroom.knowledge.focus import LONGEST, focus

PASSAGE = (
    "3.2 Notice periods\n\nThe contract may be ended by either side. Notice of termination is three months, to the end of a "
    "month. It is given in writing, e.g. by letter. The rent is due on the first day."
)


@pytest.mark.requirement("H5")
@pytest.mark.parametrize(
    ("text", "words", "quote"),
    [
        (PASSAGE, ["terminat", "notic"], "Notice of termination is three months, to the end of a month."),
        (PASSAGE, ["rent"], "The rent is due on the first day."),
        (PASSAGE, ["letter", "write"], "It is given in writing, e.g. by letter."),
        (PASSAGE, ["contract", "month"], "The contract may be ended by either side. Notice of termination is three months, "
         "to the end of a month."),
        ("合同期限为三年。解除合同须提前三个月通知。租金每月支付。", ["解除", "通知"], "解除合同须提前三个月通知。"),
        ("| Item | Price |\n| Pump | 12 |\n| Valve | 7 |", ["valv"], "| Valve | 7 |"),
        ("Our system was trained on the first\nfour parts, and the top 100 pas-\nsages were used. Others were not.\n", ["pass"],
         "Our system was trained on the first\nfour parts, and the top 100 pas-\nsages were used."),
        ("Goals\nWe want peace and quiet.\n- less noise\n- more trees", ["nois"], "- less noise"),
        ("Die Miete beträgt Fr. 1200. Die Kaution beträgt drei Monatsmieten.", ["kaution"],
         "Die Kaution beträgt drei Monatsmieten."),
        ("Vermietet wird das Büro. Die Kündigung ist schriftlich mitzuteilen.", ["kundig"],
         "Die Kündigung ist schriftlich mitzuteilen."),
        ("Le bail est signé. La résiliation se fait par écrit.", ["resili"], "La résiliation se fait par écrit."),
    ],
)  # fmt: skip
def test_the_sentences_with_most_of_the_words_verbatim(text: str, words: list[str], quote: str) -> None:
    assert focus(text, words) == quote
    assert quote in text


@pytest.mark.parametrize("text", ["", "   \n", "…", "word " * 5_000, "a\n" * 5_000, "😀" * 2_000])
def test_whatever_a_passage_is_the_quote_is_of_it_and_short(text: str) -> None:
    for words in ([], ["word"], ["nothing"]):
        quote = focus(text, words)
        assert quote in text
        assert len(quote) <= LONGEST


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The delivery takes six weeks.\n\n> How long does the delivery take?", "The delivery takes six weeks."),
        ("The delivery takes six weeks.\n\n> He wrote: the delivery takes long.", "The delivery takes six weeks."),
        ("How long does delivery take? It takes six weeks.", "How long does delivery take? It takes six weeks."),
        ("Is it long? Nobody knows.\n\nHow long does the delivery take?", "How long does the delivery take?"),
    ],
)
def test_what_asks_the_same_or_repeats_another_mail_does_not_answer(text: str, quote: str) -> None:
    assert focus(text, ["deliveri", "take", "long"]) == quote


@pytest.mark.parametrize(
    ("words", "quote"),
    [
        (["counti", "item", "hall"], "| Nut | Hall 2 | 7 |"),
        (["item"], "| Item | Hall | Counting |"),
    ],
)
def test_the_head_of_a_table_answers_only_what_no_row_does(words: list[str], quote: str) -> None:
    table = "| Item | Hall | Counting |\n| --- | --- | --- |\n| Screw | Yard | 3 |\n| Nut | Hall 2 | 7 |"
    assert focus(table, words) == quote


def test_the_last_row_of_a_table_does_not_go_with_the_head_of_the_next() -> None:
    rule = "| --- | --- |"
    first = f"| Vehicle | Kilometres |\n{rule}\n| Bicycle | 4120 |"
    second = f"| Person | Days of holiday |\n{rule}\n| Odermatt | 25 |\n| Zwahlen | 19 |"
    assert focus(f"{first}\n\n{second}", ["zwahlen", "holiday", "day"]) == "| Zwahlen | 19 |"
