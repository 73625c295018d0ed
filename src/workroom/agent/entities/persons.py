"""Persons: after a form of address, in a field that names one, or before a mail address. Rather none than a wrong one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from workroom.agent.entities.companies import FORMS, NO_NAME
from workroom.agent.entities.types import Entity, EntityKey

UPPER = r"[A-ZÀ-ÖØ-ÞŠŽČŁŚ]"
NAME = rf"{UPPER}(?:[^\W\d_]|['’-](?=[^\W\d_])){{1,24}}+"
PARTICLE = r"(?:von|van|der|den|zu|de|da|do|dos|das|du|la|le|di|del)"
GAP = r"[ \u00a0]"
FULL = rf"{NAME}(?:{GAP}(?:{UPPER}\.{GAP})?(?:{PARTICLE}{GAP}){{0,2}}{NAME}){{0,3}}"
DEGREE = rf"(?:(?:Dr|Prof|Ing|med|jur|iur|phil)\.{GAP}?){{0,3}}"
ADDRESSED = re.compile(
    r"(?<![\w.])(?P<title>Herrn?|Frau|Monsieur|Madame|Mademoiselle|Mlle|Mme|Mr\.?|Mrs\.?|Ms\.?|Senhora?|Sra?\.|M\.|"
    rf"(?:Prof\.{GAP}?)?Dr\.|Prof\.){GAP}{{1,2}}{DEGREE}(?P<name>{FULL})(?![\w@])"
)
FIELD = re.compile(
    r"(?im)^[ \t]{0,8}(?:full_?name|author|autor|auteur|contact(?:_?person)?|contato|kontakt(?:person)?|ansprechpartner(?:in)?"
    r"|sender|absender|created_?by|bearbeiter(?:in)?|sachbearbeiter(?:in)?|unterzeichner(?:in)?|name|nom|nome|vor- und nachname)"
    rf"[ \t]{{0,3}}:[ \t]{{1,4}}(?-i:(?P<name>{FULL}))[ \t]{{0,8}}(?=$|[,;<(])"
)
MAILBOX = re.compile(rf"(?<![\w@.-])(?P<name>{FULL})[\"']?{GAP}<[\w.+-]{{1,64}}@[\w.-]{{1,100}}>")
CHINESE_FIELD = re.compile(
    r"(?m)(?:姓名|联系人|发件人|负责人|作者)[ ]{0,2}[:：][ ]{0,2}(?P<name>[\u4e00-\u9fff]{2,4})(?=$|[\s，。；,;])"
)
SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶"
    "程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石"
)
CHINESE = re.compile(rf"(?P<name>[{SURNAMES}][\u4e00-\u9fff]{{0,2}})(?P<title>先生|女士|小姐|教授|博士)")
# Words that stand where a name could stand.
NO_PERSONS = """
    doktor professor präsident präsidentin direktor direktorin minister bundesrat bundesrätin kollege kollegin
    president chairman director manager engineer developer analyst consultant designer architect officer software product data
    project sales marketing support team service info office admin administrator newsletter account accounts customer company
    report invoice test user unknown department group bank
    président présidente directeur directrice ministre équipe service presidente diretor diretora ministro equipa equipe
    rechnung bericht abteilung gruppe unbekannt kundendienst projekt
"""
NOBODY = NO_NAME | frozenset(NO_PERSONS.split())


def persons(text: str) -> Iterator[Entity]:
    for match in ADDRESSED.finditer(text):
        if match["title"] == "M." and _follows_a_name(text, match.start()):  # an initial: `Anna M. Muster`
            continue
        if _is_person(text, match):
            yield _person(match["name"], match["title"])
    for pattern in (FIELD, MAILBOX):
        for match in pattern.finditer(text):
            if " " in match["name"].replace("\u00a0", " ") and _is_person(text, match):
                yield _person(match["name"])
    for match in CHINESE.finditer(text):
        yield Entity(EntityKey.PERSON, match.group(), match["name"])
    for match in CHINESE_FIELD.finditer(text):
        yield Entity(EntityKey.PERSON, match["name"], match["name"])


def _person(name: str, title: str = "") -> Entity:
    """A surname alone keeps its form of address; else it would not say who is meant."""
    value = name if " " in name or not title else f"{title} {name}"
    return Entity(EntityKey.PERSON, value, " ".join(unicodedata.normalize("NFKC", name).casefold().split()))


def _is_person(text: str, match: re.Match[str]) -> bool:
    words = [word for word in match["name"].split() if word[0].isupper()]
    if any(word.lower() in NOBODY or word in FORMS for word in words):
        return False
    after = text[match.end("name") : match.end("name") + 12].strip().split(" ")[0]
    return after.rstrip(",;.") not in FORMS and after not in FORMS


def _follows_a_name(text: str, place: int) -> bool:
    before = text[max(0, place - 30) : place].split(" ")
    return len(before) > 1 and not before[-1] and before[-2][:1].isupper() and before[-2][-1:].isalpha()
