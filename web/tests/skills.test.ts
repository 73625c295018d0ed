/** Skills that people make, as far as no browser is needed: names, placeholders, drafts, files, and what users may do. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '../src/lib/api/problem';
import { changedFields } from '../src/lib/editing/changedFields';
import { Comparison } from '../src/lib/editing/comparison.svelte';
import deFirst from '../src/lib/i18n/de.json';
import { i18n } from '../src/lib/i18n/index.svelte';
import deLater from '../src/lib/i18n/later/de.json';
import { match, skillsPath } from '../src/lib/router';
import { asText } from '../src/lib/skills/asText';
import { inBase64 } from '../src/lib/skills/base64';
import { blankParameter, contentOf, draftOf, LARGEST_FILES, wrongFiles, wrongIn, wrongParameters, type Draft } from '../src/lib/skills/draft';
import { SkillEditing } from '../src/lib/skills/editing.svelte';
import { exampleSkill } from '../src/lib/skills/example';
import { maySharing, maySkill } from '../src/lib/skills/may';
import { cleanName, isName } from '../src/lib/skills/name';
import { undeclared } from '../src/lib/skills/placeholders';
import { LONGEST_FILE, readText } from '../src/lib/skills/textFile';
import type { Skill, SkillContent } from '../src/lib/skills/types';

// The real one needs a window.
const session = vi.hoisted(() => ({ data: {} }));
vi.mock('../src/lib/state/session.svelte', () => ({ session }));
const server = vi.hoisted(() => ({ stored: {} as Skill, sent: [] as unknown[], refusal: undefined as unknown }));
vi.mock('../src/lib/skills/server', () => ({
  askSkill: () => Promise.resolve(server.stored),
  createSkill: (_: string, content: unknown) => (server.sent.push(content), Promise.resolve(server.stored)),
  changeSkill: (_: unknown, version: number, changes: unknown) => (server.sent.push([version, changes]), server.refusal ? Promise.reject(server.refusal) : Promise.resolve(server.stored)),
}));
vi.stubGlobal('document', { activeElement: null, querySelector: () => null }); // where the first error of a form is looked for

const CONTENT: SkillContent = {
  name: 'letter',
  description: 'Writes letters.',
  instructions: 'Write to {{recipient}}.',
  parameters: [{ ...blankParameter('recipient'), required: true }],
  tools: [],
  examples: [{ request: 'To Ada', answer: '' }],
  files: [{ path: 'form.md', text: 'Dear …' }],
  automatic: true,
};
i18n.messages = { ...deFirst, ...deLater };
const changesIn = (draft: Draft) => changedFields(contentOf(draftOf(CONTENT)), contentOf(draft));

describe('the name of a skill', () => {
  it('is what one types behind a slash', () => {
    expect(['/Weekly report', 'a__b - c', ' Ärzte ', '会议 纪要', '-'].map(cleanName)).toEqual(['weekly-report', 'a-b-c', 'ärzte', '会议-纪要', '']);
  });

  it('has letters and digits with hyphens between them', () => {
    expect(['weekly-report', '会议-纪要', 'q3'].every(isName)).toBe(true);
    expect(['', 'a/b', 'a.b', '-a', 'x'.repeat(65)].some(isName)).toBe(false);
  });
});

describe('placeholders', () => {
  it('are pointed out once, in their order, where no parameter has their name', () => {
    expect(undeclared('{{b}} {{ a }} {{b}} {{größe}} {{c}}', [{ name: ' c ' }])).toEqual(['b', 'a', 'größe']);
  });

  it('are none where a parameter could not have that name', () => {
    expect(undeclared('{{1a}} {{a b}} {a} {{}} {{a-b}}', [])).toEqual([]);
  });
});

describe('a skill being written', () => {
  it('is unchanged as it is read', () => {
    expect(changesIn(draftOf(CONTENT))).toEqual({});
    expect(changesIn({ ...draftOf(CONTENT), name: ' /Letter ' })).toEqual({});
  });

  it('sends only what was changed', () => {
    expect(changesIn({ ...draftOf(CONTENT), automatic: false, instructions: 'Write. ' })).toEqual({ automatic: false, instructions: 'Write.' });
    const picky = { ...draftOf(CONTENT), picks: true, tools: ['calculate'] };
    expect(changesIn(picky)).toEqual({ tools: ['calculate'] });
    expect(changesIn({ ...picky, picks: false })).toEqual({});
  });

  it('says which fields cannot be sent', () => {
    expect(wrongIn(draftOf(CONTENT))).toEqual([]);
    expect(wrongIn(draftOf(null))).toEqual(['name', 'description', 'instructions']);
    const draft = { ...draftOf(CONTENT), parameters: [blankParameter('1')], examples: [{ request: ' ', answer: 'x' }], files: [{ path: '', text: '' }] };
    expect(wrongIn(draft)).toEqual(['parameters', 'examples', 'files']);
    expect(wrongIn({ ...draftOf(CONTENT), files: [{ path: 'a.md', text: 'x'.repeat(LARGEST_FILES + 1) }] })).toEqual(['files']);
  });

  it('says which parameters and which files', () => {
    expect([...wrongParameters(['a', 'b', ' a', 'a b', 'c'].map((name) => ({ name })))]).toEqual([2, 3]);
    expect([...wrongFiles(['a.md', 'b/C.MD', '/d.md', '../e.md', 'a.md', 'f\\g.md', 'run.py', 'notes', 'b/SKILL.md'].map((path) => ({ path })))]).toEqual([2, 3, 4, 5, 6, 7, 8]);
  });

  it('can be read as text, so that versions can be compared', () => {
    const text = asText({ ...CONTENT, tools: ['b', 'a'] });
    for (const part of ['/letter', 'Write to {{recipient}}.', 'recipient', 'To Ada', 'form.md\nDear …', 'a\nb']) expect(text).toContain(part);
  });
});

describe('the editor of a skill', () => {
  beforeEach(() => {
    Object.assign(server, { stored: { ...CONTENT, id: 's', version: 1 }, sent: [], refusal: undefined });
  });

  it('begins with the example in the language of the page, and leaves the draft of another new one alone', async () => {
    const mine = new SkillEditing('w', undefined);
    mine.draft.name = 'mine';
    mine.keep();
    const example = new SkillEditing('w', undefined, exampleSkill());
    expect([example.draft.name, example.isChanged]).toEqual(['protokoll', true]);
    expect(undeclared(example.draft.instructions, example.draft.parameters)).toEqual([]);
    expect(example.draft.instructions).toContain('{{notizen}}');
    expect(new SkillEditing('w', undefined).draft.name).toBe('mine');
    await example.save();
    expect(server.sent).toEqual([contentOf(exampleSkill())]);
  });

  it('keeps what was typed when another version is stored, and puts it on top of that', async () => {
    const editing = new SkillEditing('w', 's');
    await editing.look();
    editing.draft.description = 'Writes cards.';
    server.refusal = new Problem('skillChanged', '', 409, '', { version: 2 });
    server.stored = { ...server.stored, version: 2, instructions: 'Theirs.' };
    expect(await editing.save()).toBeUndefined();
    expect([editing.isOvertaken, editing.wanted]).toMatchObject([true, { description: 'Writes cards.', instructions: 'Theirs.' }]);
    server.refusal = undefined;
    await editing.save(true);
    expect(server.sent).toEqual([[1, { description: 'Writes cards.' }], [2, { description: 'Writes cards.' }]]);
  });

  it('shows at the name that it is taken', async () => {
    const editing = new SkillEditing('w', 's');
    await editing.look();
    editing.draft.name = 'taken';
    server.refusal = new Problem('skillExists', '', 409, '', { name: 'taken' });
    await editing.save();
    expect(editing.form.error('name')).toContain('/taken');
    expect(editing.form.general).toBeNull();
  });
});

describe('two versions beside each other', () => {
  it('are asked for when they are opened, and only those that were opened last are shown', async () => {
    const comparison = new Comparison<string>();
    let arrive = (_: string): void => undefined;
    const slow = comparison.toggle(3, async () => ['2', new Promise((resolve) => (arrive = resolve))]);
    await comparison.toggle(1, async () => [undefined, '1']);
    arrive('3');
    await slow;
    expect(comparison.open).toEqual({ version: 1, before: undefined, after: '1' });
    await comparison.toggle(1, () => Promise.reject(new Error('asked again')));
    expect(comparison.open).toBeUndefined();
  });
});

describe('a file of the device', () => {
  const read = (name: string, ...parts: BlobPart[]) => readText(new File(parts, name));

  it('is taken if it is text', async () => {
    expect(await read('form.md', '\ufeffDear …')).toBe('Dear …');
    expect(await read('DATA.CSV', 'a;b')).toBe('a;b');
  });

  it('is refused otherwise', async () => {
    const refused = [read('run.py', 'print()'), read('a.md', new Uint8Array([0xff, 0xfe, 0x41])), read('a.txt', 'a\0b'), read('a.txt', 'x'.repeat(LONGEST_FILE + 1))];
    expect(await Promise.all(refused)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('travels in base64, however large', () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
    expect(Buffer.from(inBase64(bytes.buffer), 'base64').equals(bytes)).toBe(true);
  });
});

describe('what somebody may do with a skill', () => {
  const skill = (visibility: 'MY' | 'GROUP', ownerId: string | null = 'me') => ({ visibility, ownerId });
  const as = (level: string) => {
    session.data = { user: { id: 'me' }, permissions: { 'data.skill': { create: level, update: level, delete: level } } };
  };

  it('ends at what is their own, or the workspace’s, by level', () => {
    const all = [skill('MY'), skill('GROUP'), skill('GROUP', 'other'), skill('GROUP', null)];
    const changes = (level: string) => (as(level), all.map((one) => maySkill('update', one)));
    expect(changes('NONE')).toEqual([false, false, false, false]);
    expect(changes('MY')).toEqual([true, true, false, false]);
    expect(changes('GROUP')).toEqual([true, true, true, true]);
  });

  it('is sharing it with the workspace at most', () => {
    as('MY');
    expect([maySharing(skill('MY')), maySharing(skill('GROUP', 'other'))]).toEqual([['MY', 'GROUP'], []]);
    as('ALL');
    expect(maySharing(skill('GROUP', 'other'))).toEqual(['MY', 'GROUP']);
  });
});

describe('the address of skills', () => {
  it('is the list, one of them, or a new one', () => {
    expect(match(skillsPath('lab'))).toEqual({ page: 'skills', slug: 'lab' });
    expect(match(skillsPath('lab', '42'))).toEqual({ page: 'skills', slug: 'lab', id: '42' });
    expect(match('/i/lab/skills/42/more')).toEqual({ page: 'notFound' });
  });
});
