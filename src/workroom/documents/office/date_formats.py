"""Date formats of spreadsheets: `dd.mm.yyyy` makes 01.05.2024 of a moment. Names of months and days are in the language
the format asks for, as far as it is known here, else in English."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from workroom.documents.office.format_tokens import FormatToken

Moment = datetime.datetime | datetime.date | datetime.time | datetime.timedelta
ShowMoment = Callable[[Moment], str]

_START = datetime.datetime(1899, 12, 30)  # noqa: DTZ001 - cells know no zone
_ENGLISH = (
    "January February March April May June July August September October November December",
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
)
_LANGUAGES = {  # by the last two digits of Microsoft's number for a language
    "07": (
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    ),
    "0c": (
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
    ),
    "10": (
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    ),
    "16": (
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
    ),
    "0a": (
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "lunes martes miércoles jueves viernes sábado domingo",
    ),
}


def date_format(tokens: list[FormatToken]) -> ShowMoment:
    """Of the first section of a format, the only one that matters to dates."""
    locale = next((token.text.lower() for token in tokens if token.kind == "locale"), "")
    months, days = (names.split() for names in _LANGUAGES.get(locale[-2:], _ENGLISH))
    halves = any(token.kind == "half" for token in tokens)
    parts = _with_minutes(tokens)

    def show(value: Moment) -> str:
        moment, seconds = _moment(value)
        parts_text = [_part(token, moment, seconds, halves, months, days) for token in parts]
        return " ".join("".join(parts_text).split())

    return show


def _with_minutes(tokens: list[FormatToken]) -> list[FormatToken]:
    """An m is a minute after hours and before seconds, else a month."""
    timed = [token for token in tokens if token.kind in ("date", "elapsed")]
    minutes: set[int] = set()
    for index, token in enumerate(timed):
        if token.kind == "date" and token.text[0] in "mM" and len(token.text) <= 2:
            before = timed[index - 1].text[0] if index else ""
            after = timed[index + 1].text[0] if index + 1 < len(timed) else ""
            if before in ("h", "H") or after in ("s", "S"):
                minutes.add(id(token))
    return [FormatToken("date", "n" * len(token.text)) if id(token) in minutes else token for token in tokens]


def _moment(value: Moment) -> tuple[datetime.datetime, float]:
    """As a point in time, and as seconds since midnight of the first day that spreadsheets know."""
    if isinstance(value, datetime.timedelta):
        return _START + value, value.total_seconds()
    if isinstance(value, datetime.time):
        value = datetime.datetime.combine(_START, value)
    elif not isinstance(value, datetime.datetime):
        value = datetime.datetime.combine(value, datetime.time())
    return value, (value - _START).total_seconds()


def _part(
    token: FormatToken, moment: datetime.datetime, seconds: float, halves: bool, months: list[str], days: list[str]
) -> str:
    if token.kind == "literal" or token.kind == "mark":
        return token.text
    if token.kind == "half":
        morning, _, evening = token.text.partition("/")
        return morning if moment.hour < 12 else evening
    if token.kind == "elapsed":
        unit = {"h": 3600, "m": 60, "s": 1}[token.text[0]]
        return str(int(seconds // unit)).rjust(len(token.text), "0")
    if token.kind != "date":
        return token.text if token.kind == "digit" else ""
    letter, length = token.text[0].lower(), len(token.text)
    if letter == "s":
        return _seconds(token.text, moment)
    hour = (moment.hour % 12 or 12) if halves else moment.hour
    numbers = {"y": moment.year, "m": moment.month, "d": moment.day, "h": hour, "n": moment.minute}
    if letter == "y":
        return str(moment.year) if length > 2 else f"{moment.year % 100:02}"
    if letter == "m" and length > 2:
        name = months[moment.month - 1]
        return name[:3] if length == 3 else name[:1] if length == 5 else name
    if letter == "d" and length > 2:
        name = days[moment.weekday()]
        return name if length > 3 else name[:3]
    return str(numbers[letter]).rjust(min(length, 2), "0")


def _seconds(text: str, moment: datetime.datetime) -> str:
    whole, _, places = text.partition(".")
    shown = str(moment.second).rjust(min(len(whole), 2), "0")
    return f"{shown}.{moment.microsecond:06}"[: len(shown) + 1 + min(len(places), 6)] if places else shown
