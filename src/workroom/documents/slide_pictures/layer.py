"""The shapes of one part, stacked as the file says: forms, texts, pictures, tables, groups. What cannot be drawn (charts,
recordings, old pictures) is a box with its name."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from workroom.core.errors import NotFound
from workroom.core.untrusted_xml import local_name
from workroom.documents.errors import DocumentError
from workroom.documents.office.charts import chart_title
from workroom.documents.office.frames import chart_of
from workroom.documents.office.package import Package
from workroom.documents.office.shapes import MAX_SHAPES
from workroom.documents.office.slides import relation_id
from workroom.documents.slide_pictures.canvas import Canvas, Full, attributes, transform
from workroom.documents.slide_pictures.colours import Colour
from workroom.documents.slide_pictures.lineage import Lineage, is_hidden, placeholder
from workroom.documents.slide_pictures.outlines import outline
from workroom.documents.slide_pictures.paint import Paints, fill_in
from workroom.documents.slide_pictures.pictures import Pictures
from workroom.documents.slide_pictures.places import ShapePlace, Space
from workroom.documents.slide_pictures.table_styles import TableStyle
from workroom.documents.slide_pictures.tables import SlideTables
from workroom.documents.slide_pictures.text_layout import SlideParagraph, SlideRun, TextFrame, lettering
from workroom.documents.slide_pictures.texts import SlideTexts

_MAX_DEPTH = 20
_GREY = Colour(0.3, 0.33, 0.38)
_TURNS = {"vert": 90, "eaVert": 90, "vert270": -90, "wordArtVert": 90, "mongolianVert": 90}


class Tools:
    """What everybody needs who draws on one slide. `scale` is how many pixels a point of it will be shown in."""

    def __init__(self, canvas: Canvas, lineage: Lineage, number: int, scale: float) -> None:
        self.canvas, self.lineage, self.package = canvas, lineage, lineage.package
        self.paints = Paints(canvas, lineage)
        self.texts = SlideTexts(lineage, number)
        self.pictures = Pictures(canvas, lineage.package, scale)
        self.left = MAX_SHAPES  # shapes that may still be drawn


class SlideLayer:
    """The shapes of one part: of the master, the layout or the slide."""

    def __init__(self, tools: Tools, part: str, *, is_slide: bool) -> None:
        self._tools, self._part, self._is_slide = tools, part, is_slide
        self._canvas, self._lineage = tools.canvas, tools.lineage
        self._paints, self._texts = tools.paints, tools.texts

    def shapes(self, parent: Any, space: Space, group_fill: Any, depth: int) -> None:
        for child in parent:
            name = local_name(child)
            if name == "AlternateContent":
                choice = child.find("{*}Choice")
                holder = choice if choice is not None and len(choice) else child.find("{*}Fallback")
                if holder is not None and depth < _MAX_DEPTH:
                    self.shapes(holder, space, group_fill, depth + 1)
                continue
            if name not in ("sp", "cxnSp", "pic", "graphicFrame", "grpSp") or is_hidden(child):
                continue
            if not self._is_slide and placeholder(child) is not None:
                continue  # only slides fill them
            self._tools.left -= 1
            if self._tools.left < 0:
                raise Full
            if name == "grpSp":
                self._group(child, space, group_fill, depth)
            elif (place := self._place(child, space)) is not None:
                self._one(name, child, place, space, group_fill)

    def _group(self, group: Any, space: Space, group_fill: Any, depth: int) -> None:
        about = group.find("{*}grpSpPr")
        if depth < _MAX_DEPTH and about is not None:
            fill = fill_in(about)
            inside = group_fill if fill is None or local_name(fill) == "grpFill" else fill
            self.shapes(group, space.inside(about.find("{*}xfrm")), inside, depth + 1)

    def _one(self, name: str, shape: Any, place: ShapePlace, space: Space, group_fill: Any) -> None:
        if name == "graphicFrame":
            self._frame(shape, place, space)
        elif name == "pic":
            self._picture(shape, place, space)
        else:
            self._shape(shape, place, space, group_fill)

    def _place(self, shape: Any, space: Space) -> ShapePlace | None:
        own = [shape.find("{*}spPr/{*}xfrm"), shape.find("{*}xfrm")]
        inherited = [each.find("{*}spPr/{*}xfrm") for each in self._lineage.ancestors(shape)]
        return next((place for frame in (*own, *inherited) if (place := space.place(frame)) is not None), None)

    def _shape(self, shape: Any, place: ShapePlace, space: Space, group_fill: Any) -> None:
        about = [shape.find("{*}spPr"), *(each.find("{*}spPr") for each in self._lineage.ancestors(shape))]
        formed = next((each for each in about if each is not None and _has_form(each)), about[0])
        path, has_inside = outline(formed, place)
        fill = next((found for each in about if (found := fill_in(each)) is not None), None)
        if fill is not None and local_name(fill) == "grpFill":
            fill = group_fill
        steps = transform([*space.steps, *place.turning(), *place.mirroring()])
        line = self._paints.line(
            [each.find("{*}ln") for each in about if each is not None], shape.find("{*}style/{*}lnRef")
        )
        if fill is not None and local_name(fill) == "blipFill":
            self._clipped(fill, place, path, steps)
            fill_said = ' fill="none"'
        elif fill is None:
            fill_said = self._paints.reference(shape.find("{*}style/{*}fillRef")) or ' fill="none"'
        else:
            fill_said = self._paints.fill(fill)
        fill_said = fill_said if has_inside else ' fill="none"'
        if line or fill_said != ' fill="none"':
            self._canvas.add(f'<path d="{path}"{fill_said}{line}{steps}/>')
        self._text(shape, place, space)

    def _clipped(self, fill: Any, place: ShapePlace, path: str, steps: str) -> bool:
        clip = self._canvas.define(f'<clipPath id="{{id}}"><path d="{path}"/></clipPath>')
        drawn = self._tools.pictures.element(self._part, fill, place, f' clip-path="url(#{clip})"{steps}')
        if drawn is not None:
            self._canvas.add(drawn)
        return drawn is not None

    def _text(self, shape: Any, place: ShapePlace, space: Space) -> None:
        body = shape.find("{*}txBody")
        if body is None or not any((part.text or "").strip() for part in body.iter("{*}t")):
            return
        frame, insets, direction = self._texts.frame(shape, body)
        steps = [*space.steps, *place.turning()]
        if place.upside_down:
            x, y = place.middle
            steps.append(f"rotate(180 {x:.2f} {y:.2f})")
        if direction in _TURNS:
            x, y = place.middle
            steps.append(f"rotate({_TURNS[direction]} {x:.2f} {y:.2f})")
            place = place.standing()
        box = place.smaller(*insets)
        lines = "".join(lettering(self._texts.paragraphs(shape, body), box, frame))
        if lines:
            self._canvas.add(f"<g{transform(steps)}>{lines}</g>" if steps else lines)

    def _picture(self, shape: Any, place: ShapePlace, space: Space) -> None:
        about = shape.find("{*}spPr")
        path, _ = outline(about, place)
        steps = transform([*space.steps, *place.turning(), *place.mirroring()])
        fill = shape.find("{*}blipFill")
        if not self._clipped(fill, place, path, steps):
            self._named(shape, place, space)
        line = self._paints.line([] if about is None else [about.find("{*}ln")], shape.find("{*}style/{*}lnRef"))
        if line:
            self._canvas.add(f'<path d="{path}" fill="none"{line}{steps}/>')

    def _frame(self, frame: Any, place: ShapePlace, space: Space) -> None:
        table = frame.find(".//{*}tbl")
        if table is not None:
            tables = SlideTables(self._paints, self._texts)
            style = TableStyle(self._lineage, self._paints, table, self._sheet())
            for element in tables.draw(frame, table, place, style):
                self._canvas.add(f"<g{transform(space.steps)}>{element}</g>" if space.steps else element)
            return
        if (picture := frame.find(".//{*}pic")) is not None:
            self._picture(picture, place, space)
        elif not self._diagram(frame, place, space):
            self._named(frame, place, space)

    def _sheet(self) -> Any:
        with suppress(DocumentError):
            return self._tools.package.tree("ppt/tableStyles.xml")
        return None

    def _diagram(self, frame: Any, place: ShapePlace, space: Space) -> bool:
        """SmartArt: PowerPoint keeps what it drew last beside what it means."""
        reference = frame.find(".//{*}relIds")
        package = self._tools.package
        with suppress(DocumentError, NotFound):
            part = None if reference is None else _drawn_as(package, self._part, reference)
            tree = None if part is None else package.tree(part).find("{*}spTree")
            if part is not None and tree is not None:
                layer = SlideLayer(self._tools, part, is_slide=True)
                layer.shapes(tree, space.moved(place.x - space.x, place.y - space.y), None, 0)
                return True
        return False

    def _named(self, shape: Any, place: ShapePlace, space: Space) -> None:
        """A box that says what is there."""
        drawn = named_box(self._name(shape), place)
        self._canvas.add(f"<g{transform([*space.steps, *place.turning()])}>{drawn}</g>")

    def _name(self, shape: Any) -> str:
        about = shape.find("./*/{*}cNvPr")
        with suppress(DocumentError):
            chart = chart_of(self._tools.package, self._part, shape)
            if chart is not None and (title := chart_title(chart)):
                return title[:200]
        if about is None:
            return ""
        return str(about.get("descr") or about.get("title") or about.get("name") or "")[:200]


def named_box(name: str, place: ShapePlace) -> str:
    where = attributes(x=place.x, y=place.y, width=place.width, height=place.height)
    look = ' fill="#f3f4f6" stroke="#9ca3af" stroke-width="1" stroke-dasharray="4 3"'
    size = max(6.0, min(16.0, place.height / 4))
    title = SlideParagraph([SlideRun(name, size=size, colour=_GREY)], align="ctr")
    label = "".join(lettering([title], place.smaller(4, 2, 4, 2), TextFrame(anchor="ctr", shrinks=True)))
    return f"<rect{where}{look}/>{label}"


def _has_form(properties: Any) -> bool:
    return properties.find("{*}prstGeom") is not None or properties.find("{*}custGeom") is not None


def _drawn_as(package: Package, part: str, reference: Any) -> str | None:
    """The drawing of a diagram is named by its data, which the slide refers to."""
    relations = package.relations(part)
    data = relations.get(relation_id(reference, "dm"))
    root = None if data is None or data.external else package.tree(data.target)
    for extension in [] if root is None else root.iter("{*}dataModelExt"):
        drawing = relations.get(extension.get("relId", ""))
        if drawing is not None and not drawing.external and drawing.target in package:
            return drawing.target
    return None
