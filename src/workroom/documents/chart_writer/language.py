"""Numbers and dates in charts, written as on the page: German and French as in Switzerland, English as in Britain, Portuguese as
in Brazil."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal

from workroom.core.charts import Category, Chart, moment_of
from workroom.core.languages import Language

_MARKS: dict[Language, tuple[str, str]] = {  # between thousands, before decimals
    "de": ("’", "."),
    "en": (",", "."),
    "fr": ("\u202f", ","),
    "pt": (".", ","),
    "zh": (",", "."),
}
_MONTHS: dict[Language, str] = {
    "de": "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "fr": "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
    "pt": "jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.",
    "zh": "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
}
_BEFORE = re.compile(r"[A-Z]{3}|[€$£¥]|Fr\.|R\$")
_TINY = 1e-6
_FIRST_YEAR, _LAST_YEAR = 1000, 2999
ShowDate = Callable[[datetime], str]


def number(value: float, language: Language) -> str:
    """Up to twelve digits, as the page shows them."""
    if 0 < abs(value) < _TINY:
        return f"{value:.3g}".replace(".", _MARKS[language][1]).replace("-", "−")
    exact = Decimal(f"{value:.12g}")
    written = f"{exact:,f}"
    if "." in written:
        written = written.rstrip("0").rstrip(".")
    groups, mark = _MARKS[language]
    return written.replace(",", "\0").replace(".", mark).replace("\0", groups).replace("-", "−")


def with_unit(written: str, unit: str) -> str:
    """Currencies stand before the amount, everything else behind it."""
    if not unit:
        return written
    return f"{unit}\u00a0{written}" if _BEFORE.fullmatch(unit) else f"{written}\u202f{unit}"


def share(part: float, language: Language) -> str:
    return f"{number(round(part * 100, 1), language)}\u202f%"


def month(moment: datetime, language: Language) -> str:
    name = _MONTHS[language].split()[moment.month - 1]
    return f"{moment.year}年{name}" if language == "zh" else f"{name} {moment.year}"


def day(moment: datetime, language: Language) -> str:
    name = _MONTHS[language].split()[moment.month - 1]
    match language:
        case "zh":
            return f"{moment.year}年{name}{moment.day}日"
        case "de":
            return f"{moment.day}. {name} {moment.year}"
        case _:
            return f"{moment.day} {name} {moment.year}"


def minute(moment: datetime, language: Language) -> str:
    return f"{day(moment, language)}, {moment:%H:%M}"


def categories(chart: Chart, language: Language) -> list[str]:
    """As they are read along the axis."""
    if chart.axis != "date":
        years = are_years(chart.categories)
        plain = chart.axis == "text" or years
        return [
            one if isinstance(one, str) else _plain(one) if plain else number(one, language) for one in chart.categories
        ]
    moments = [moment for one in chart.categories if (moment := moment_of(str(one)))]
    longest = max(len(str(one)) for one in chart.categories)
    show = month if longest <= len("YYYY-MM") else day if longest <= len("YYYY-MM-DD") else minute
    return [show(moment, language) for moment in moments]


def are_years(numbers: Sequence[Category]) -> bool:
    """Years are not grouped by thousands."""
    return all(not isinstance(one, str) and one == int(one) and _FIRST_YEAR <= one <= _LAST_YEAR for one in numbers)


def _plain(value: float) -> str:
    return f"{value:.12g}"
