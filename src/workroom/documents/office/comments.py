"""Comments on slides and cells: `Jane Smith: is this right?`, classic and threaded."""

from __future__ import annotations

from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.errors import DocumentError
from workroom.documents.office.package import Package
from workroom.documents.whitespace import one_line, tidy

_MAX_COMMENTS = 2_000


def slide_comments(package: Package, slide: str) -> list[str]:
    """The classic form refers to authors by number, the threaded one by a long id; the authors are a part of their own."""
    comments: list[str] = []
    for part in package.related(slide, "comments"):
        root = _tree(package, part)
        authors = _slide_authors(package) if root is not None else {}
        for comment in [] if root is None else root.iter("{*}cm", "{*}reply"):
            text = _own_text(comment)
            if text and len(comments) < _MAX_COMMENTS:
                comments.append(f"{authors.get(comment.get('authorId', ''), 'Comment')}: {text}")
    return comments


def sheet_comments(package: Package, sheet: str) -> list[tuple[str, str]]:
    """Cell and remark. Threads are kept twice, the second time as plain notes with a warning: those are left out."""
    threads = [_tree(package, part) for part in package.related(sheet, "threadedComment")]
    people = _people(package) if threads else {}
    comments = [
        (comment.get("ref", ""), _with_author(people.get(comment.get("personId", ""), ""), _text(comment)))
        for root in threads
        if root is not None
        for comment in root.iter("{*}threadedComment")
    ]
    threaded = {cell for cell, _ in comments}
    for part in package.related(sheet, "comments"):
        root = _tree(package, part)
        if root is None:
            continue
        authors = [one_line(author.text or "") for author in root.iter("{*}author")]
        comments.extend(
            (comment.get("ref", ""), _with_author(_author(authors, comment), _text(comment)))
            for comment in root.iter("{*}comment")
            if comment.get("ref", "") not in threaded
        )
    return [(cell, text) for cell, text in comments if text][:_MAX_COMMENTS]


def _author(authors: list[str], comment: Any) -> str:
    number = comment.get("authorId", "")
    if number.isdecimal() and int(number) < len(authors) and not authors[int(number)].startswith("tc="):
        return authors[int(number)]
    return ""


def _with_author(author: str, text: str) -> str:
    return f"{author}: {text}" if author and text and not text.startswith(f"{author}:") else text


def _text(comment: Any) -> str:
    """Phonetic hints are not part of it."""
    parts = [item.text or "" for item in comment.iter("{*}t", "{*}text") if local_name(item.getparent()) != "rPh"]
    return tidy("".join(parts))


def _own_text(comment: Any) -> str:
    """Of a slide comment, without its replies, which come by themselves."""
    plain = comment.find("{*}text")
    if plain is not None:
        return tidy(plain.text or "")
    body = comment.find("{*}txBody")
    return "" if body is None else tidy("".join(item.text or "" for item in body.iter("{*}t")))


def _slide_authors(package: Package) -> dict[str, str]:
    names: dict[str, str] = {}
    for main in package.related("", "officeDocument"):
        for part in [*package.related(main, "commentAuthors"), *package.related(main, "authors")]:
            root = _tree(package, part)
            for author in [] if root is None else root.iter("{*}cmAuthor", "{*}author"):
                names[author.get("id", "")] = one_line(author.get("name", ""), 100)
    return names


def _people(package: Package) -> dict[str, str]:
    names: dict[str, str] = {}
    for main in package.related("", "officeDocument"):
        for part in package.related(main, "person"):
            root = _tree(package, part)
            for person in [] if root is None else root.iter("{*}person"):
                names[person.get("id", "")] = one_line(person.get("displayName", ""), 100)
    return names


def _tree(package: Package, part: str) -> Any:
    try:
        return package.tree(part)
    except DocumentError:
        return None
