"""How many typing mistakes lie between two words (Damerau and Levenshtein, each pair of letters swapped at most once)."""

from __future__ import annotations


def edit_distance(first: str, second: str, limit: int) -> int:
    """Letters left out, inserted, changed, or swapped with the next one; `limit + 1` for every distance above `limit`.

    Only cells near the diagonal are computed: the others are above the limit."""
    too_many = limit + 1
    before_last: list[int] = []
    last = [min(column, too_many) for column in range(len(second) + 1)]
    for row, letter in enumerate(first, 1):
        current = [too_many] * (len(second) + 1)
        current[0] = min(row, too_many)
        for column in range(max(1, row - limit), min(len(second), row + limit) + 1):
            other = second[column - 1]
            least = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == second[column - 2] and first[row - 2] == other:
                least = min(least, before_last[column - 2] + 1)
            current[column] = min(least, too_many)
        if min(current) > limit:
            return too_many
        before_last, last = last, current
    return last[-1]
