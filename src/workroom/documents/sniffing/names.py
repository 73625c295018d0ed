"""What the ending of a name claims. A table of our own: the one of the operating system differs from machine to machine."""

from __future__ import annotations

_OFFICE = "application/vnd.openxmlformats-officedocument"
_ODF = "application/vnd.oasis.opendocument"

_TABLE = f"""
application/pdf                                  pdf
{_OFFICE}.wordprocessingml.document              docx
{_OFFICE}.wordprocessingml.template              dotx
{_OFFICE}.spreadsheetml.sheet                    xlsx
{_OFFICE}.spreadsheetml.template                 xltx
{_OFFICE}.presentationml.presentation            pptx
{_OFFICE}.presentationml.slideshow               ppsx
{_OFFICE}.presentationml.template                potx
application/vnd.ms-word.document.macroenabled.12 docm
application/vnd.ms-word.template.macroenabled.12 dotm
application/vnd.ms-excel.sheet.macroenabled.12   xlsm
application/vnd.ms-excel.template.macroenabled.12 xltm
application/vnd.ms-excel.addin.macroenabled.12   xlam
application/vnd.ms-excel.sheet.binary.macroenabled.12 xlsb
application/vnd.ms-powerpoint.presentation.macroenabled.12 pptm
application/vnd.ms-powerpoint.slideshow.macroenabled.12 ppsm
application/vnd.ms-powerpoint.template.macroenabled.12 potm
application/vnd.ms-visio.drawing                 vsdx
application/msword                               doc dot
application/vnd.ms-excel                         xls xlt xla
application/vnd.ms-powerpoint                    ppt pps pot
application/vnd.ms-outlook                       msg
application/vnd.visio                            vsd
{_ODF}.text                                      odt
{_ODF}.text-template                             ott
{_ODF}.spreadsheet                               ods
{_ODF}.spreadsheet-template                      ots
{_ODF}.presentation                              odp
{_ODF}.presentation-template                     otp
{_ODF}.graphics                                  odg
{_ODF}.formula                                   odf
application/epub+zip                             epub
application/rtf                                  rtf
application/postscript                           ps eps ai
application/zip                                  zip
application/java-archive                         jar war ear
application/vnd.android.package-archive          apk
application/x-tar                                tar
application/gzip                                 gz tgz
application/x-bzip2                              bz2 tbz tbz2
application/x-xz                                 xz txz
application/x-lzma                               lzma
application/zstd                                 zst
application/x-7z-compressed                      7z
application/vnd.rar                              rar
application/vnd.ms-cab-compressed                cab
application/x-iso9660-image                      iso
application/vnd.sqlite3                          sqlite sqlite3 db
application/vnd.apache.parquet                   parquet
application/x-msdownload                         exe dll
application/x-elf                                so elf
application/wasm                                 wasm
image/png                                        png
image/jpeg                                       jpg jpeg jpe jfif
image/gif                                        gif
image/bmp                                        bmp dib
image/tiff                                       tif tiff
image/webp                                       webp
image/svg+xml                                    svg
image/heic                                       heic heif
image/avif                                       avif
image/jp2                                        jp2
image/x-icon                                     ico
image/vnd.adobe.photoshop                        psd
image/emf                                        emf
image/wmf                                        wmf
audio/mpeg                                       mp3
audio/wav                                        wav
audio/flac                                       flac
audio/ogg                                        ogg oga opus
audio/mp4                                        m4a m4b
audio/aac                                        aac
audio/aiff                                       aif aiff
audio/amr                                        amr
audio/midi                                       mid midi
audio/x-ms-wma                                   wma
video/mp4                                        mp4 m4v
video/quicktime                                  mov qt
video/webm                                       webm
video/x-matroska                                 mkv
video/x-msvideo                                  avi
video/ogg                                        ogv
video/3gpp                                       3gp
video/mpeg                                       mpg mpeg
video/mp2t                                       mts m2ts
video/x-flv                                      flv
video/x-ms-wmv                                   wmv
message/rfc822                                   eml mht mhtml
application/mbox                                 mbox
text/plain                                       txt text log asc
text/csv                                         csv
text/tab-separated-values                        tsv tab
text/markdown                                    md markdown mdown mkd
text/html                                        html htm xhtml shtml
application/xml                                  xml xsd xsl xslt rss atom kml gpx xmp plist
application/json                                 json geojson webmanifest ipynb
application/x-ndjson                             jsonl ndjson
application/yaml                                 yaml yml
application/toml                                 toml
text/x-ini                                       ini cfg conf properties env
text/calendar                                    ics
text/vcard                                       vcf
text/vtt                                         vtt
application/x-subrip                             srt
text/x-rst                                       rst
text/x-tex                                       tex bib
text/css                                         css scss less
text/javascript                                  js mjs cjs jsx
text/x-typescript                                ts tsx
text/x-python                                    py pyi
text/x-java                                      java kt scala
text/x-c                                         c h cc cpp hpp cs m
text/x-go                                        go
text/x-rust                                      rs
text/x-ruby                                      rb
text/x-php                                       php
text/x-shellscript                               sh bash zsh bat ps1
text/x-sql                                       sql
text/x-source                                    svelte vue swift lua pl r jl dart ex hs diff patch
"""
BY_ENDING = {ending: row.split()[0] for row in _TABLE.strip().splitlines() for ending in row.split()[1:]}

# One format under several names: saying one and being the other is no lie.
_FAMILIES = {
    "word": "docx dotx docm dotm",
    "excel": "xlsx xltx xlsm xltm xlam xlsb",
    "powerpoint": "pptx ppsx potx pptm ppsm potm",
    "old office": "doc xls ppt msg vsd",
    "mp4": "mp4 m4a mov 3gp",
    "ogg": "ogg ogv",
    "matroska": "webm mkv",
    "windows media": "wma wmv",
    "postscript": "ps pdf",  # Illustrator files are called .ai and are PDFs
    "zip": "zip jar apk",
    "heif": "heic avif",
}
_FAMILY = {BY_ENDING[ending]: name for name, endings in _FAMILIES.items() for ending in endings.split()}
# Texts that are application/… and still texts, so that a guess among them is a matter of taste.
_TEXTUAL = frozenset(
    BY_ENDING[ending] for ending in ("json", "jsonl", "xml", "yaml", "toml", "srt", "svg", "eml", "mbox", "rtf")
)


def claimed(name: str) -> str | None:
    """The media type that the ending of `name` stands for, if it stands for one."""
    _, dot, ending = name.rpartition(".")
    return BY_ENDING.get(ending.strip().lower()) if dot else None


def is_textual(media_type: str) -> bool:
    return media_type.startswith("text/") or media_type in _TEXTUAL


def agree(first: str, second: str) -> bool:
    """Whether two media types are close enough that the name is not reported as wrong."""
    if first == second or (is_textual(first) and is_textual(second)):
        return True
    return first in _FAMILY and _FAMILY[first] == _FAMILY.get(second)
