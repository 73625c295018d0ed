/** Where the names of signs stand, so that none lies on another or on a sign: below its own or above it, as near as there is room,
 * else beside it. Where there is none it is left out, until the map is zoomed in. Pure. */

/** Its tip, in pixels from the top left, and how wide its name is written. */
export interface Sign {
  x: number;
  y: number;
  width: number;
}

/** From the tip to the middle of the line, and which end of it stands there. */
export interface Place {
  x: number;
  y: number;
  align: 'center' | 'left' | 'right';
}

const LINE = 18;
const PIN = { width: 22, height: 34 };

const STEP = LINE / 3;
const below = (further: number): Place => ({ x: 0, y: 13 + further, align: 'center' });
const above = (further: number): Place => ({ x: 0, y: -PIN.height - LINE - further, align: 'center' });

/** The best first. Beside its sign a long name may reach over the edge of the map. */
const PLACES: readonly Place[] = [
  ...Array.from({ length: 10 }, (_, step) => [below(step * STEP), above(step * STEP)]).flat(),
  { x: 16, y: -20, align: 'left' },
  { x: -16, y: -20, align: 'right' },
];

type Box = readonly [left: number, top: number, right: number, bottom: number];

/** For each sign in turn. The last was put up last: its name has the first choice. */
export function placesOf(signs: readonly Sign[]): (Place | null)[] {
  const pins = signs.map(({ x, y }): Box => [x - PIN.width / 2, y - PIN.height, x + PIN.width / 2, y]);
  const taken: Box[] = [];
  const chosen = signs.toReversed().map((sign, back) => {
    const others = [...pins.toSpliced(signs.length - 1 - back, 1), ...taken];
    const place = PLACES.find((one) => !others.some((other) => overlap(boxAt(sign, one), other)));
    if (place) taken.push(boxAt(sign, place));
    return place ?? null;
  });
  return chosen.toReversed();
}

export function boxAt(sign: Sign, { x, y, align }: Place): Box {
  const left = sign.x + x - { left: 0, center: sign.width / 2, right: sign.width }[align];
  const middle = sign.y + y;
  return [left, middle - LINE / 2, left + sign.width, middle + LINE / 2];
}

export function overlap(one: Box, other: Box): boolean {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}
