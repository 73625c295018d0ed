"""Texts as tools answer them, with what is in them, labelled by hand: the measure of the rules. Kinds are c, a, d, p.

Some of it the rules do not find, on purpose: a measure that only has what works measures nothing.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Labelled:
    text: str
    expected: frozenset[str]  # `kind normalised`


def _of(text: str, *expected: str) -> Labelled:
    return Labelled(text, frozenset(expected))


LABELLED = [
    _of(
        "Die Muster AG bestätigt den Auftrag über CHF 1'250.00 vom 12.03.2024. Ansprechpartnerin ist Frau Dr. Anna Muster.",
        "c muster ag", "a CHF 1250.00", "d 2024-03-12", "p anna muster",
    ),
    _of(
        "Rechnung der Müller & Söhne GmbH & Co. KG: 1.250,50 €, zahlbar bis 12. März 2024 an Herrn Peter Keller.",
        "c müller & söhne gmbh & co kg", "a EUR 1250.50", "d 2024-03-12", "p peter keller",
    ),
    _of("Treffen am Fr. 12.04.2024 in 5000 Aarau AG, Eintritt Fr. 20.–", "d 2024-04-12", "a CHF 20.00"),
    _of("Der Umsatz der Novartis International AG: 3,5 Mio. Franken.", "c novartis international ag", "a CHF 3500000.00"),
    _of("Kontakt: Hans von Arx, Tel. 044 123 45 67", "p hans von arx"),
    _of(
        "La société Dupont Frères SA a facturé 1 250,00 EUR à M. Jean-Pierre Martin le 1er mars 2024.",
        "c dupont frères sa", "a EUR 1250.00", "p jean-pierre martin", "d 2024-03-01",
    ),
    _of("Contrat entre Alpha Sàrl et Bêta S.A. du 3 février 2023", "c alpha sarl", "c bêta sa", "d 2023-02-03"),
    _of("Bonjour Madame Claire Fontaine, votre virement de 75 € est arrivé.", "p claire fontaine", "a EUR 75.00"),
    _of(
        "A empresa Silva & Filhos, Lda. pagou R$ 1.250,00 em 12 de março de 2024 ao Sr. João da Silva.",
        "c silva & filhos lda", "a BRL 1250.00", "d 2024-03-12", "p joão da silva",
    ),
    _of("Padaria Central Ltda: fatura de 99,90 € vence em 05/12/2024", "c padaria central ltda", "a EUR 99.90", "d 05/12/2024"),
    _of(
        "Acme, Inc. paid $1,250.00 to Globex Corporation on March 12, 2024; Mr. John Smith signed for Acme.",
        "c acme inc", "c globex corp", "a $ 1250.00", "d 2024-03-12", "p john smith",
    ),
    _of("The contract with Initech LLC is worth USD 2.5 million, starting 1st April 2025.", "c initech llc", "a USD 2500000.00",
        "d 2025-04-01"),
    _of("We hired a Sr. Software Engineer and a Product Manager at £45,000.", "a GBP 45000.00"),
    _of("From: Maria Santos <maria@example.org>\nTo: Support Team <help@example.org>\nDate: 2024-03-12", "p maria santos",
        "d 2024-03-12"),
    _of("author: Lena Meier\nname: Quarterly Report\nsize: 1250", "p lena meier"),
    _of(
        "我们与上海贸易有限公司签订合同，金额为人民币1,250.00元，日期2024年3月12日，联系人：李雷。",
        "c 上海贸易有限公司", "a CNY 1250.00", "d 2024-03-12", "p 李雷",
    ),
    _of("王小明先生代表北京科技股份有限公司支付500万元。", "p 王小明", "c 北京科技股份有限公司", "a CNY 5000000.00"),
    _of("Version 12.3.1 of the library, chapter 3.4, page 1,250, phone +41 44 123 45 67, IP 10.0.0.1"),
    _of("Der Rat der Stadt sagt: Am Ende zählt das Ergebnis. Die Rechnung liegt bei."),
    _of("He said Dr. No is a film; the Limited Edition sold out.", "p no"),  # a surname is a surname
    _of("Swiss Re Ltd and Zurich Insurance Company Ltd met on 24/12/2023.", "c swiss re ltd", "c zurich insurance company ltd",
        "d 2023-12-24"),
    _of("Bitte an Anna Keller (Buchhaltung) weiterleiten.", "p anna keller"),  # nothing says that this is a person
    _of("Siemens lieferte im Mai 2023.", "c siemens"),  # no legal form
]  # fmt: skip
