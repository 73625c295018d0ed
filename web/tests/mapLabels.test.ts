import { describe, expect, it } from 'vitest';
import { boxAt, overlap, placesOf, type Sign } from '../src/lib/map/labels';
import { putsOnMap } from '../src/lib/map/putsOnMap';
import { blank, type Item, type RunView } from '../src/lib/run/reduce';

const BELOW = { x: 0, y: 13, align: 'center' };

describe('names of signs', () => {
  it('stand below where there is room', () => {
    const far: Sign[] = [{ x: 0, y: 0, width: 100 }, { x: 300, y: 0, width: 100 }];
    expect(placesOf(far)).toEqual([BELOW, BELOW]);
  });

  it.each([
    ['at the same place', [0, 0, 0]],
    ['a parcel apart', [0, 7, 14]],
    ['a house apart', [0, 28, 56]],
  ])('do not lie on each other %s', (_, at) => {
    const signs = at.map((x): Sign => ({ x, y: -x / 2, width: 180 }));
    const places = placesOf(signs);
    const boxes = places.map((place, index) => boxAt(signs[index]!, place!));
    expect(boxes.flatMap((one, index) => boxes.slice(index + 1).filter((other) => overlap(one, other)))).toEqual([]);
  });

  it('are near for the newest first', () => {
    const [older, newest] = placesOf([{ x: 0, y: 0, width: 180 }, { x: 0, y: 0, width: 180 }]);
    expect(newest).toEqual(BELOW);
    expect(older).toEqual({ x: 0, y: -52, align: 'center' });
  });

  it('are left out where there is no room at all', () => {
    const crowd = Array.from({ length: 60 }, (): Sign => ({ x: 0, y: 0, width: 180 }));
    const places = placesOf(crowd);
    expect(places.filter(Boolean).length).toBeGreaterThan(3);
    expect(places).toContain(null);
  });
});

describe('a run', () => {
  const requested = (...types: string[]): RunView => ({
    ...blank('r'),
    actions: types.map((type, seq) => ({ seq, messageId: 'm', action: { type, payload: { id: 'a', coord: [2_600_000, 1_200_000], label: 'A' } } }) as RunView['actions'][number]),
  });
  const asks = (actions: unknown[]): RunView => {
    const options = [{ id: '1', label: 'A', description: '', confidence: null, data: {}, actions }];
    const item = { kind: 'pause', id: 'c?', callId: 'c', tool: 't', state: 'waiting', pause: { kind: 'choice', options }, answer: null };
    return { ...blank('r'), state: 'paused', items: [item as unknown as Item] };
  };

  it('puts something on the map, or asks about what lies on it', () => {
    expect(putsOnMap(requested('addMarker'))).toBe(true);
    expect(putsOnMap(asks([{ type: 'addMarker', payload: { id: 'm', coord: [2_600_000, 1_200_000], label: 'M' } }]))).toBe(true);
  });

  it('does not when it only takes away, or has nothing to do with it', () => {
    expect(putsOnMap(requested('removeLayer', 'clearMap', 'openFile'))).toBe(false);
    expect(putsOnMap(asks([]))).toBe(false);
    expect(putsOnMap(blank('r'))).toBe(false);
  });
});
