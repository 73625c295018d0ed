/** The colours keep their distance: text at least 6:1 in light and 7.5:1 in dark, edges of controls 3.4:1. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COLOURS } from '../src/lib/charts/look';

const css = ['tokens.css', 'base.css'].map((name) => readFileSync(join(import.meta.dirname, '../src/styles', name), 'utf8')).join('\n');
const pairs = new Map([...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(([, name, light, dark]) => [name!, [light!, dark!] as const]));

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
function ratio(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}
const between = (a: string, b: string, mode: 0 | 1) => ratio(pairs.get(a)![mode], pairs.get(b)![mode]);

const SURFACES = ['page', 'side', 'raised', 'sunken', 'hover', 'chosen'];
const TEXTS = [
  ...['text', 'muted'].flatMap((text) => SURFACES.map((surface) => [text, surface] as const)),
  ...['page', 'side', 'raised', 'chosen'].map((surface) => ['accent', surface] as const),
  ...['page', 'raised', 'danger-soft'].map((surface) => ['danger', surface] as const),
  ...['text', 'muted'].map((text) => [text, 'danger-soft'] as const),
  ...['accent', 'ok', 'warn', 'danger'].map((text) => [text, 'sunken'] as const), // code
  ['on-accent', 'accent-solid'],
  ['on-accent', 'accent-solid-hover'],
  ['on-danger', 'danger-solid'],
  ['on-danger', 'danger-solid-hover'],
  ['warn', 'warn-soft'],
  ['ok', 'ok-soft'],
] as const;

describe('contrast', () => {
  it.each(TEXTS)('%s on %s can be read', (text, surface) => {
    expect(between(text, surface, 0)).toBeGreaterThanOrEqual(6);
    expect(between(text, surface, 1)).toBeGreaterThanOrEqual(7.5);
  });

  it.each(['page', 'side', 'raised', 'sunken'])('the edge of a control is seen on %s', (surface) => {
    expect(between('edge', surface, 0)).toBeGreaterThanOrEqual(3.4);
    expect(between('edge', surface, 1)).toBeGreaterThanOrEqual(3.4);
  });

  it.each(Array.from({ length: COLOURS }, (_, at) => `chart-${at + 1}`))('%s is seen in a chart', (colour) => {
    for (const surface of ['page', 'raised']) for (const mode of [0, 1] as const) expect(between(colour, surface, mode)).toBeGreaterThanOrEqual(3.4);
  });

  it.each([...css.matchAll(/\.hue\d \{\s*background: light-dark\((#\w{6}), (#\w{6})\);\s*color: light-dark\((#\w{6}), (#\w{6})\);/g)].map((hit) => hit.slice(1)))(
    'initials on %s and %s can be read',
    (lightGround, darkGround, light, dark) => {
      expect(ratio(lightGround!, light!)).toBeGreaterThanOrEqual(6);
      expect(ratio(darkGround!, dark!)).toBeGreaterThanOrEqual(7.5);
    },
  );

  it('knows every colour it speaks of', () => {
    expect(TEXTS.flat().filter((name) => !pairs.has(name))).toEqual([]);
    expect(css.match(/\.hue\d \{/g)).toHaveLength(6);
  });
});
