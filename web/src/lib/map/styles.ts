/** How things on the map look, in light and dark. Canvas knows no custom properties, so the colours stand here. */
import Feature, { type FeatureLike } from 'ol/Feature';
import Point from 'ol/geom/Point';
import CircleStyle from 'ol/style/Circle';
import Fill from 'ol/style/Fill';
import Icon from 'ol/style/Icon';
import Stroke from 'ol/style/Stroke';
import Style from 'ol/style/Style';
import Text from 'ol/style/Text';
import type { Coord } from './actions';
import { placesOf, type Place } from './labels';

export interface Palette {
  around: string;
  land: string;
  border: string;
  water: string;
  grid: string;
  text: string;
  quiet: string;
  halo: string;
  pin: string;
  onPin: string;
  offer: string;
  onOffer: string;
}

export const LIGHT: Palette = {
  around: '#eef0f3',
  land: '#fbfaf7',
  border: '#a9afbb',
  water: '#cfe2f1',
  grid: '#dfe2e8',
  text: '#17181d',
  quiet: '#505563',
  halo: '#ffffff',
  pin: '#4050d0',
  onPin: '#ffffff',
  offer: '#744700',
  onOffer: '#ffffff',
};

export const DARK: Palette = {
  around: '#111216',
  land: '#1c1e25',
  border: '#5b6070',
  water: '#1d3347',
  grid: '#2b2e38',
  text: '#edeef2',
  quiet: '#bec2cd',
  halo: '#141519',
  pin: '#aab3ff',
  onPin: '#12153a',
  offer: '#f2c06b',
  onOffer: '#2e2411',
};

const FONT = 'Inter, system-ui, sans-serif';
const NAME_FONT = `560 13px ${FONT}`;
const LONGEST_LABEL = 48;
/** Sharp on any screen. */
const FINE = 3;

export function feature(coord: Coord, facts: Record<string, unknown>): Feature<Point> {
  return new Feature({ ...facts, geometry: new Point(coord) });
}

/** `all`: whatever stands there now, oldest first. Their names are put so that all can be read, anew for every scale. */
export function pinStyle(palette: Palette, all: () => readonly Feature<Point>[]): (one: FeatureLike, resolution: number) => Style {
  const image = new Icon({ img: pin(palette), anchor: [0.5, 1], scale: 1 / FINE });
  let [at, places] = [0, new Map<FeatureLike, Place | null>()];
  return (one, resolution) => {
    if (resolution !== at || !places.has(one)) {
      const signs = all();
      const found = placesOf(signs.map((sign) => ({ ...pixelsOf(sign, resolution), width: widthOf(nameOf(sign)) })));
      [at, places] = [resolution, new Map(signs.map((sign, index) => [sign, found[index] ?? null]))];
    }
    const place = places.get(one);
    return place ? new Style({ image, text: label(nameOf(one), palette, place) }) : new Style({ image });
  };
}

/** What one can choose: a number; the one that is looked at stands out, with its name. */
export function offerStyle(palette: Palette, looked: () => string | null): (one: FeatureLike) => Style[] {
  return (one) => {
    const chosen = one.get('option') === looked();
    const image = new CircleStyle({
      radius: chosen ? 15 : 11,
      fill: new Fill({ color: chosen ? palette.offer : palette.halo }),
      stroke: new Stroke({ color: chosen ? palette.halo : palette.offer, width: 2 }),
    });
    const number = new Text({ text: String(one.get('number')), font: `600 12px ${FONT}`, fill: new Fill({ color: chosen ? palette.onOffer : palette.offer }) });
    const shown = new Style({ image, text: number, zIndex: chosen ? 1 : 0 });
    return chosen ? [shown, new Style({ text: label(nameOf(one), palette, { x: 0, y: 24, align: 'center' }), zIndex: 1 })] : [shown];
  };
}

/** Where the reader has clicked. */
export function crossStyle(palette: Palette): Style {
  return new Style({ image: new CircleStyle({ radius: 5, stroke: new Stroke({ color: palette.text, width: 2 }), fill: new Fill({ color: palette.halo }) }) });
}

export function townStyle(palette: Palette): (one: FeatureLike, resolution: number) => Style | undefined {
  const image = new CircleStyle({ radius: 2.5, fill: new Fill({ color: palette.quiet }) });
  return (one, resolution) => {
    if (resolution > Number(one.get('from')) || resolution < 2) return undefined;
    const text = new Text({ text: String(one.get('label')), font: `500 12px ${FONT}`, offsetY: -11, fill: new Fill({ color: palette.quiet }), stroke: new Stroke({ color: palette.halo, width: 3 }) });
    return new Style({ image, text });
  };
}

export function areaStyle(fill: string, edge?: string, width = 1): Style {
  return new Style({ fill: new Fill({ color: fill }), ...(edge ? { stroke: new Stroke({ color: edge, width }) } : {}) });
}

export function lineStyle(color: string): Style {
  return new Style({ stroke: new Stroke({ color, width: 1 }) });
}

/** Features of a layer that brings its own data. */
export function dataStyle(palette: Palette): Style {
  const stroke = new Stroke({ color: palette.pin, width: 2 });
  const fill = new Fill({ color: `${palette.pin}33` });
  return new Style({ stroke, fill, image: new CircleStyle({ radius: 5, fill, stroke }) });
}

function nameOf(one: FeatureLike): string {
  const words = String(one.get('label') ?? '');
  return words.length > LONGEST_LABEL ? `${words.slice(0, LONGEST_LABEL - 1)}…` : words;
}

function label(text: string, palette: Palette, { x, y, align }: Place): Text {
  const colours = { fill: new Fill({ color: palette.text }), stroke: new Stroke({ color: palette.halo, width: 4 }) };
  return new Text({ text, font: NAME_FONT, offsetX: x, offsetY: y, textAlign: align, ...colours });
}

function pixelsOf(one: Feature<Point>, resolution: number): { x: number; y: number } {
  const [x = 0, y = 0] = one.getGeometry()!.getCoordinates();
  return { x: x / resolution, y: -y / resolution };
}

function widthOf(text: string): number {
  const context = document.createElement('canvas').getContext('2d')!;
  context.font = NAME_FONT;
  return context.measureText(text).width;
}

function pin(palette: Palette): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [28 * FINE, 36 * FINE];
  const context = canvas.getContext('2d')!;
  context.scale(FINE, FINE);
  context.fillStyle = palette.pin;
  context.strokeStyle = palette.halo;
  context.lineWidth = 2;
  const drop = new Path2D('M14 34.5C10 28.5 3 21.5 3 13.5a11 11 0 0 1 22 0c0 8-7 15-11 21z');
  context.fill(drop);
  context.stroke(drop);
  context.fillStyle = palette.onPin;
  context.fill(new Path2D('M14 9a4.5 4.5 0 1 0 0.01 0z'));
  return canvas;
}
