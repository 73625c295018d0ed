/** The parts of a project beside its content: the radar's geometry, and what forms send. */
import { describe, expect, it } from 'vitest';
import { outline, radarOf, type Label } from '../src/lib/studio/evaluations/radar';
import { scoresLike, type Result } from '../src/lib/studio/evaluations/scores';
import { contentOf as personaOf, draftOf as personaDraft, wrongIn } from '../src/lib/studio/personas/draft';
import { contentOf, draftOf, withNew, wrongRows } from '../src/lib/studio/phases/draft';
import type { Phase, Project } from '../src/lib/studio/types';

const LONG = ['Übereinstimmung mit der Absicht und dem Publikum', 'Glaubwürdigkeit', 'Donaudampfschifffahrtsgesellschaftskapitän', '与目标受众的契合程度以及表达的清晰度', 'Voice', 'Effect on the audience', 'MMMMMMMM WWWWWWWW', 'Fidelidade à intenção', 'Clarity', 'Conformité à l’intention'];
const WIDTHS = [280, 326, 419, 420, 500, 900];
const COUNTS = [3, 4, 5, 6, 7, 8, 9, 10];
const CASES = WIDTHS.flatMap((width) => COUNTS.map((count): [number, number] => [width, count]));

const apart = ({ box: a }: Label, { box: b }: Label) => a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;

describe('a radar', () => {
  it.each(CASES)('in %d pixels with %d dimensions has its names side by side and inside', (width, count) => {
    const radar = radarOf(LONG.slice(0, count), width);
    expect(radar.radius).toBeGreaterThan(90);
    radar.labels.forEach((label, index) => {
      expect(radar.labels.slice(index + 1).filter((other) => !apart(label, other))).toEqual([]);
      expect(label.box.x).toBeGreaterThanOrEqual(0);
      expect(label.box.x + label.box.width).toBeLessThanOrEqual(radar.width + 0.001);
      expect(label.box.y + label.box.height).toBeLessThanOrEqual(radar.height);
    });
  });

  it('begins upwards and goes on clockwise, further out for better scores', () => {
    const radar = radarOf(['a', 'b', 'c', 'd'], 500);
    const centre = radar.at(0, 0);
    expect(radar.at(0, 10)).toEqual({ x: centre.x, y: centre.y - radar.radius });
    expect(radar.at(1, 5).x).toBeCloseTo(centre.x + radar.radius / 2);
    expect(radar.at(2, 10).y).toBeCloseTo(centre.y + radar.radius);
    expect(radar.at(3, 12)).toEqual(radar.at(3, 10));
  });

  it('cuts what is too long for three lines, and numbers the axes where there is no room', () => {
    expect(radarOf([LONG[0]!, LONG[2]!, 'b'], 440).labels.map(({ lines }) => lines)).toEqual([['Übereinstimmung', 'mit der Absicht', 'und dem…'], [expect.stringMatching(/^Donau.*…$/)], ['b']]);
    expect(radarOf(['a', 'b', 'c'], 300).labels.map(({ lines }) => lines)).toEqual([['1'], ['2'], ['3']]);
  });

  it('draws an outline only of what is complete', () => {
    const radar = radarOf(['a', 'b', 'c'], 500);
    expect(outline(radar, [1, undefined, 3])).toBeUndefined();
    expect(outline(radar, [0, 0, 0])?.split(' ')).toHaveLength(3);
  });

  it('compares by the names of dimensions', () => {
    const result = (dimension: string, score: number): Result => ({ dimension, score, reason: '', suggestions: [] });
    expect(scoresLike([result('a', 1), result('b', 2)], [result('b', 7), result('c', 8)])).toEqual([undefined, 7]);
  });
});

describe('a persona being written', () => {
  it('is sent with an entry for each line that says something', () => {
    const draft = { ...personaDraft(null), name: ' Lea ', goals: 'one\n\n two \n' };
    expect(personaOf(draft)).toMatchObject({ name: 'Lea', goals: ['one', 'two'], pains: [] });
    expect(personaOf(personaDraft(personaOf(draft)))).toEqual(personaOf(draft));
  });

  it('needs a name and lists that fit', () => {
    expect(wrongIn({ ...personaDraft(null), pains: 'x\n'.repeat(13), habits: 'y'.repeat(501) })).toEqual(['name', 'pains', 'habits']);
  });
});

describe('phases being arranged', () => {
  const phase = (code: string, more: Partial<Phase> = {}): Phase => ({ code, name: code, ownName: '', purpose: '', hidden: false, isOwn: false, status: 'pending', ...more });
  const project = { roadmap: [phase('intent'), phase('research', { name: 'Interviews', ownName: 'Interviews', hidden: true }), phase('own_press_1', { name: 'Press', ownName: 'Press', isOwn: true })] } as unknown as Project;
  const { rows } = draftOf(project);

  it('keep the usual names in every language unless they are renamed', () => {
    expect(contentOf({ rows }).phases).toEqual([
      { code: 'intent', name: '', hidden: false },
      { code: 'research', name: 'Interviews', hidden: true },
      { code: 'own_press_1', name: 'Press', hidden: false },
    ]);
  });

  it('have each name once, and own ones have one', () => {
    const more = withNew(withNew(rows)).map((row, index) => (index === 1 ? { ...row, name: ' PRESS' } : row));
    expect(new Set(more.map(({ code }) => code)).size).toBe(5);
    expect([...wrongRows(more)]).toEqual([['own_press_1', 'twice'], [more[3]!.code, 'nameless'], [more[4]!.code, 'nameless']]);
    expect(wrongRows(rows.map((row) => (row.isOwn ? row : { ...row, name: '' }))).size).toBe(0);
  });
});
