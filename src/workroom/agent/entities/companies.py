"""Companies, by their legal form: the words before it, as far as they look like a name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from workroom.agent.entities.types import Entity, EntityKey

FORMS = {
    "GmbH & Co. KG": "gmbh & co kg", "GmbH": "gmbh", "AG": "ag", "KGaA": "kgaa", "KG": "kg", "OHG": "ohg", "UG": "ug",
    "SE": "se", "e.V.": "ev", "S.A.R.L.": "sarl", "SARL": "sarl", "SàRL": "sarl", "Sàrl": "sarl", "S.à r.l.": "sarl",
    "S.A.S.": "sas", "SAS": "sas", "S.A.": "sa", "SA": "sa", "Unipessoal, Lda.": "lda", "Unipessoal Lda": "lda",
    "Ltda.": "ltda", "Ltda": "ltda", "LTDA": "ltda", "Lda.": "lda", "Lda": "lda", "LDA": "lda", "SGPS": "sgps",
    "Co., Ltd.": "co ltd", "Co. Ltd.": "co ltd", "Pty Ltd": "pty ltd", "Ltd.": "ltd", "Ltd": "ltd", "Limited": "ltd",
    "LLC": "llc", "L.L.C.": "llc", "LLP": "llp", "Inc.": "inc", "Inc": "inc", "Incorporated": "inc", "Corp.": "corp",
    "Corp": "corp", "Corporation": "corp", "PLC": "plc", "plc": "plc", "B.V.": "bv", "N.V.": "nv", "S.p.A.": "spa",
}  # fmt: skip
FORM = re.compile(
    rf"(?<=[\w.&,)][ \u00a0])(?:{'|'.join(re.escape(form) for form in sorted(FORMS, key=len, reverse=True))})(?![\w&])"
)
CHINESE = re.compile(r"(?:股份有限公司|有限责任公司|有限公司)")
BEFORE = 100  # characters
LONGEST = 6  # words
WORD = re.compile(r"[^\W_][\w.&'’+-]{0,40}|[&+]")
JOINING = frozenset({"&", "+", "und", "and", "et", "e", "de", "du", "do", "da", "of"})
# What stands before a company in a sentence and begins with a capital letter: no part of its name.
BEFORE_NAMES = """
    der die das den dem des ein eine einer einem bei beim von vom für mit an am im in zur zum aus durch gegen und oder auch
    firma unternehmen kunde kundin lieferant rechnung offerte vertrag gemäss laut sehr geehrte unsere ihre seine wir
    the a an by from for with to at on and or our your their its client customer supplier vendor invoice contract company dear
    between
    le la les un une des du de par pour avec chez à et ou notre votre société entreprise facture contrat client fournisseur
    entre selon
    o os as um uma do da dos das no na nos nas em com por para e ou nossa empresa cliente fornecedor fatura contrato segundo
"""
NO_NAME = frozenset(BEFORE_NAMES.split())
# A name begins after one of these; 和 only joins two companies.
CHINESE_BREAK = re.compile(
    r"[与由给向是为在从于及的了至同跟]|[，。、；：！？“”‘’《》()（）\s]|(?<=司)和|[甲乙丙]方|先生|女士|代表|公司名称|客户|供应商|我们"
)
POSTCODE = re.compile(r"\d{4,5}")


def companies(text: str) -> Iterator[Entity]:
    for form in FORM.finditer(text):
        if name := _name(text, form):
            value = f"{name} {form.group()}"
            yield Entity(EntityKey.COMPANY, value, f"{_plain(name)} {FORMS[form.group()]}")
    for form in CHINESE.finditer(text):
        before = text[max(0, form.start() - 30) : form.start()]
        name = CHINESE_BREAK.split(before)[-1]
        if 2 <= len(name) <= 24 and all(_is_han(c) or c.isalnum() for c in name):
            yield Entity(EntityKey.COMPANY, name + form.group(), unicodedata.normalize("NFKC", name + form.group()))


def _name(text: str, form: re.Match[str]) -> str:
    """Backwards from the legal form, word by word, within the line."""
    before = text[max(0, form.start() - BEFORE) : form.start()].rsplit("\n", 1)[-1]
    words: list[str] = []
    for place, word in enumerate(reversed(before.split())):
        bare = word.rstrip(",") if place == 0 else word  # `Acme, Inc.`
        if len(words) >= LONGEST or not WORD.fullmatch(bare) or bare in FORMS:
            break
        if not (bare[0].isupper() or bare[0].isdigit() or bare in JOINING):
            break
        if words and bare.endswith(".") and len(bare) > 4:  # the end of a sentence
            break
        words.append(bare)
    words.reverse()
    while words and (words[0].lower() in NO_NAME or words[0] in JOINING):
        words.pop(0)
    if not words or POSTCODE.fullmatch(words[0]):  # `5000 Aarau AG` is a town in its canton
        return ""
    named = any(len(word) > 1 and word[0].isupper() for word in words) or bool(re.fullmatch(r"\d[A-Z]\w*", words[0]))
    return " ".join(words) if named else ""


def _plain(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().replace(".", "").replace(",", "").split())


def _is_han(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"
