import { describe, expect, it } from 'vitest';
import { chosen, isWritten, type Change } from '../src/lib/chat/attach/mention';
import { parametersFor, skillCallAt, skillsFor } from '../src/lib/chat/attach/skillCall';
import { Suggestions } from '../src/lib/chat/attach/suggestions.svelte';

type SkillEntry = Parameters<typeof parametersFor>[2];

/** `|` is the caret. */
function at(marked: string) {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  return { text, mention: skillCallAt(text, caret) };
}

function skill(name: string, more: Partial<SkillEntry> = {}): SkillEntry {
  const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
  return { id: name, name, description: `For ${name}.`, parameters: [], tools: [], automatic: true, version: 1, visibility: 'MY', ownerId: 'me', ownerName: 'Me', byOwnerAlone: true, ...times, ...more };
}

const REPORT = skill('report', {
  parameters: [
    { name: 'audience', description: '', required: false, default: 'the board' },
    { name: 'topic', description: 'What it is about', required: true, default: '' },
    { name: '主题', description: '', required: false, default: '' },
  ],
});

function done(text: string, { start, end, text: put, caret }: Change): string {
  const now = text.slice(0, start) + put + text.slice(end);
  return `${now.slice(0, caret)}|${now.slice(caret)}`;
}

describe('a call', () => {
  it.each([
    ['/|', '/', '', ''],
    ['/rep|', '/', 'rep', ''],
    ['  /re|port this', '/', 're', 'port'],
    ['/报|', '/', '报', ''],
    ['/report |', '=', '', ''],
    ['/report au|', '=', 'au', ''],
    ['/report topic=x au|dience', '=', 'au', 'dience'],
    ['/report topic=„die Woche“ au|', '=', 'au', ''],
    ['/report topic=«la semaine» |', '=', '', ''],
    ['/report topic="the week" |', '=', '', ''],
    ['/report topic=week 主|', '=', '主', ''],
  ])('is found where it is written: %s', (marked, sign, query, tail) => {
    const { mention } = at(marked);
    expect([mention?.sign, mention?.query, mention?.tail]).toEqual([sign, query, tail]);
  });

  it.each(['|', 'a /re|', '/etc/hosts|', '/etc/|', '/report the week |', '/report the week au|', '/report 3|', '/report topic="the we|', '/report topic=we|', '/a=b|', 'either/or|'])('is not where there is none: %s', (marked) => {
    expect(at(marked).mention).toBeUndefined();
  });
});

describe('a long text', () => {
  it.each(['a=“', 'a="', 'a=“x', 'a=x=', '/', '“'])('of %s does not take time by the square', (part) => {
    const text = `/report ${` ${part}`.repeat(50_000)}`;
    const began = performance.now();
    skillCallAt(text, text.length);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

describe('what is offered', () => {
  it('is the own skill of two with one name, and what begins so before what contains it', () => {
    const skills = [skill('a-report'), skill('report', { id: 'theirs', ownerId: 'other', description: 'Theirs' }), skill('report', { description: 'Mine' }), skill('other')];
    const found = skillsFor(at('/Rep|').mention!, skills, 'me');
    expect(found.map(({ insert, about }) => [insert, about])).toEqual([
      ['/report', 'Mine'],
      ['/a-report', 'For a-report.'],
      ['/other', 'For other.'],
    ]);
  });

  it('says whose it is, if another person keeps it', () => {
    const found = skillsFor(at('/r|').mention!, [skill('report'), skill('review', { ownerId: 'other', ownerName: 'Alice' })], 'me');
    expect(found.map(({ name, owner }) => [name, owner])).toEqual([
      ['/report', undefined],
      ['/review', 'Alice'],
    ]);
  });

  it('is every parameter without a value, required ones first, with what stands for it otherwise', () => {
    const names = (marked: string) => parametersFor(at(marked).mention!, at(marked).text, REPORT).map(({ name, about }) => [name, about]);
    expect(names('/report |')).toEqual([
      ['topic', 'What it is about'],
      ['audience', 'the board'],
      ['主题', ''],
    ]);
    expect(names('/report topic=x A|')).toEqual([['audience', 'the board']]);
    expect(names('/report audience="a b" a|')).toEqual([]);
  });

  it.each([
    ['/re| this', '/report |this'],
    ['/|', '/report |'],
    ['/re|po', '/report |po'],
    ['/re|port', '/report |'],
  ])('takes the place of what was written: %s', (marked, after) => {
    const { text, mention } = at(marked);
    expect(done(text, chosen(text, mention!, skillsFor(mention!, [REPORT], 'me')[0]!))).toBe(after);
  });

  it('leaves the caret between the quotes of a parameter', () => {
    const { text, mention } = at('/report au|');
    expect(done(text, chosen(text, mention!, parametersFor(mention!, text, REPORT)[0]!))).toBe('/report audience="|"');
  });

  it('is nothing to choose where it is all written, and parameters only for those who ask: Enter sends', async () => {
    const { mention } = at('/report|');
    expect(isWritten(mention!, skillsFor(mention!, [REPORT], 'me')[0]!)).toBe(true);
    const call = at('/report |');
    const list = new Suggestions(async () => parametersFor(call.mention!, call.text, REPORT));
    list.look(call.mention);
    await expect.poll(() => list.items.length).toBe(3);
    expect(list.active).toBe(-1);
    list.move(1);
    expect(list.current?.name).toBe('topic');
  });
});
