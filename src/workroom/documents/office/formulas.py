"""Formulas of office files as LaTeX: what people read when a fraction or a sum is written in a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workroom.core.untrusted_xml import local_name

_DEPTH = 60
_LONGEST = 5_000
_SYMBOLS = {
    "∑": r"\sum", "∏": r"\prod", "∐": r"\coprod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint", "∮": r"\oint",
    "⋃": r"\bigcup", "⋂": r"\bigcap", "⋁": r"\bigvee", "⋀": r"\bigwedge", "√": r"\sqrt", "∞": r"\infty", "±": r"\pm",
    "×": r"\times", "÷": r"\div", "⋅": r"\cdot", "≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "≈": r"\approx", "→": r"\to",
    "∈": r"\in", "∉": r"\notin", "∪": r"\cup", "∩": r"\cap", "∂": r"\partial", "∇": r"\nabla", "…": r"\dots",
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\epsilon", "θ": r"\theta", "λ": r"\lambda",
    "μ": r"\mu", "π": r"\pi", "ρ": r"\rho", "σ": r"\sigma", "τ": r"\tau", "φ": r"\phi", "ω": r"\omega", "Δ": r"\Delta",
    "Σ": r"\Sigma", "Ω": r"\Omega", "Π": r"\Pi",
}  # fmt: skip
_FUNCTIONS = frozenset(
    {"sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "log", "ln", "exp"}
    | {"lim", "max", "min", "sup", "inf", "det", "gcd", "dim", "ker"}
)
_ACCENTS = {"\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0305": "bar", "\u0307": "dot", "\u0308": "ddot"} | {
    "\u20d7": "vec",
    "\u030c": "check",
}


def latex(formula: Any) -> str:
    """Of an `oMath` element, without dollar signs."""
    return " ".join(_inside(formula, 0)[:_LONGEST].split())


def _inside(element: Any, depth: int) -> str:
    if depth > _DEPTH:
        return ""
    return "".join(_element_latex(child, depth + 1) for child in element)


def _element_latex(element: Any, depth: int) -> str:
    name = local_name(element)
    if name in ("t", "delText"):
        return _symbols(element.text or "") if name == "t" else ""
    if name.endswith("Pr") or name == "del":
        return ""
    make = _MAKERS.get(name)
    return make(element, depth) if make else _inside(element, depth)


def _symbols(text: str) -> str:
    return "".join(f" {_SYMBOLS[char]} " if char in _SYMBOLS else char for char in text)


def _part(element: Any, name: str, depth: int) -> str:
    child = element.find(f"{{*}}{name}")
    return "" if child is None else _inside(child, depth).strip()


def _property(element: Any, name: str) -> str | None:
    """What its properties say; None when they do not say it, which is not the same as an empty value."""
    for holder in element:
        if local_name(holder).endswith("Pr"):
            for child in holder:
                if local_name(child) == name:
                    return next((value for key, value in child.attrib.items() if key.rpartition("}")[2] == "val"), "")
    return None


def _fraction(element: Any, depth: int) -> str:
    above, below = _part(element, "num", depth), _part(element, "den", depth)
    kind = _property(element, "type")
    if kind == "lin":
        return f"{above}/{below}"
    return f"\\binom{{{above}}}{{{below}}}" if kind == "noBar" else f"\\frac{{{above}}}{{{below}}}"


def _base(element: Any, depth: int) -> str:
    base = _part(element, "e", depth)
    return f"{{{base}}}" if base.startswith("\\frac") else base


def _above(element: Any, depth: int) -> str:
    return f"{_base(element, depth)}^{{{_part(element, 'sup', depth)}}}"


def _below(element: Any, depth: int) -> str:
    return f"{_base(element, depth)}_{{{_part(element, 'sub', depth)}}}"


def _both(element: Any, depth: int) -> str:
    return f"{_below(element, depth)}^{{{_part(element, 'sup', depth)}}}"


def _before(element: Any, depth: int) -> str:
    return f"{{}}_{{{_part(element, 'sub', depth)}}}^{{{_part(element, 'sup', depth)}}}{_part(element, 'e', depth)}"


def _root(element: Any, depth: int) -> str:
    degree = _part(element, "deg", depth)
    return f"\\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'e', depth)}}}"


def _large(element: Any, depth: int) -> str:
    sign = _property(element, "chr") or "∫"
    low, high = _part(element, "sub", depth), _part(element, "sup", depth)
    limits = (f"_{{{low}}}" if low else "") + (f"^{{{high}}}" if high else "")
    return f"{_SYMBOLS.get(sign, sign)}{limits} {_part(element, 'e', depth)}"


def _brackets(element: Any, depth: int) -> str:
    opening, closing = _property(element, "begChr"), _property(element, "endChr")
    between = _property(element, "sepChr") or "|"
    parts = [_inside(child, depth).strip() for child in element if local_name(child) == "e"]
    left, right = "(" if opening is None else opening or ".", ")" if closing is None else closing or "."
    escaped = {"{": r"\{", "}": r"\}"}
    return f"\\left{escaped.get(left, left)} {between.join(parts)} \\right{escaped.get(right, right)} "


def _function(element: Any, depth: int) -> str:
    name = _part(element, "fName", depth)
    plain = name.replace(" ", "")
    return f"\\{plain} {_part(element, 'e', depth)}" if plain in _FUNCTIONS else f"{name} {_part(element, 'e', depth)}"


def _limit(element: Any, depth: int) -> str:
    name = _part(element, "e", depth)
    mark = "_" if local_name(element) == "limLow" else "^"
    shown = f"\\{name}" if name in _FUNCTIONS else name
    return f"{shown}{mark}{{{_part(element, 'lim', depth)}}}"


def _accent(element: Any, depth: int) -> str:
    name = _ACCENTS.get(_property(element, "chr") or "\u0302", "hat")
    return f"\\{name}{{{_part(element, 'e', depth)}}}"


def _bar(element: Any, depth: int) -> str:
    name = "overline" if _property(element, "pos") == "top" else "underline"
    return f"\\{name}{{{_part(element, 'e', depth)}}}"


def _matrix(element: Any, depth: int) -> str:
    rows = [
        " & ".join(_inside(cell, depth).strip() for cell in row if local_name(cell) == "e")
        for row in element
        if local_name(row) == "mr"
    ]
    return r"\begin{matrix} " + r" \\ ".join(rows) + r" \end{matrix}"


def _lines(element: Any, depth: int) -> str:
    rows = [_inside(row, depth).strip() for row in element if local_name(row) == "e"]
    return r"\begin{aligned} " + r" \\ ".join(rows) + r" \end{aligned}"


_MAKERS: dict[str, Callable[[Any, int], str]] = {
    "f": _fraction,
    "sSup": _above,
    "sSub": _below,
    "sSubSup": _both,
    "sPre": _before,
    "rad": _root,
    "nary": _large,
    "d": _brackets,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
    "acc": _accent,
    "bar": _bar,
    "m": _matrix,
    "eqArr": _lines,
}
