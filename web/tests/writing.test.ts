/** A document being written while others write it: nothing that was typed is lost. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '../src/lib/api/problem';
import type { DocumentView } from '../src/lib/companies/types';
import { Writing } from '../src/lib/companies/writing.svelte';

const server = vi.hoisted(() => ({
  asked: [] as { signal: AbortSignal; answer: (document: unknown) => void }[],
  written: [] as { version: number; text: string; status: string; answer: (document: unknown) => void; refuse: (cause: unknown) => void }[],
}));
vi.mock('../src/lib/companies/server', () => ({
  askDocument: (_: unknown, signal: AbortSignal) => new Promise((answer) => void server.asked.push({ signal, answer })),
  writeDocument: (_: unknown, version: number, text: string, status: string) =>
    new Promise((answer, refuse) => void server.written.push({ version, text, status, answer, refuse })),
}));

vi.stubGlobal('document', { activeElement: null, querySelector: () => null }); // where the first error of a form is looked for

const stored = (version: number, text: string) => ({ kind: 'swot', version, text, status: 'draft' }) as unknown as DocumentView;
let companies = 0;

describe('a document being written', () => {
  beforeEach(() => {
    server.asked = [];
    server.written = [];
    companies += 1;
  });

  const begin = () => new Writing({ instanceId: 'w', companyId: `c${companies}`, kind: 'swot' });
  const look = async (writing: Writing, found: DocumentView) => {
    const looked = writing.look();
    server.asked.at(-1)!.answer(found);
    await looked;
  };
  const opened = async () => {
    const writing = begin();
    await look(writing, stored(1, 'One'));
    return writing;
  };

  it('shows what others write to whom has typed nothing', async () => {
    const writing = await opened();
    await look(writing, stored(2, 'Two'));
    expect([writing.text, writing.isChanged, writing.isOvertaken]).toEqual(['Two', false, false]);
  });

  it('keeps what was typed when others write, and what they wrote when that is saved on top', async () => {
    const writing = await opened();
    writing.text = 'Mine';
    await look(writing, stored(2, 'Two'));
    expect([writing.text, writing.isOvertaken, writing.newest?.text]).toEqual(['Mine', true, 'Two']);
    const saved = writing.save('draft', true);
    expect(server.written[0]).toMatchObject({ version: 2, text: 'Mine' });
    server.written[0]!.answer(stored(3, 'Mine'));
    expect(await saved).toBe(true);
    expect([writing.isChanged, writing.isOvertaken]).toEqual([false, false]);
  });

  it('keeps what is typed while it is being saved', async () => {
    const writing = await opened();
    writing.text = 'Mine ';
    const saved = writing.save('draft');
    writing.text = 'Mine and more';
    const looked = writing.look(); // the notification of one's own change
    server.asked.at(-1)!.answer(stored(2, 'Mine'));
    await looked;
    server.written[0]!.answer(stored(2, 'Mine'));
    await saved;
    expect([writing.text, writing.isChanged, writing.isOvertaken]).toEqual(['Mine and more', true, false]);
  });

  it('looks at what is stored when the server refuses an older version', async () => {
    const writing = await opened();
    writing.text = 'Mine';
    const saved = writing.save('final');
    server.written[0]!.refuse(new Problem('documentChanged', '', 409, '', {}));
    await vi.waitFor(() => expect(server.asked).toHaveLength(2));
    server.asked[1]!.answer(stored(2, 'Two'));
    expect(await saved).toBe(false);
    expect([writing.text, writing.isOvertaken]).toEqual(['Mine', true]);
  });

  it('finds what was typed before a reload, also when others have written since', async () => {
    const before = await opened();
    before.text = 'Half a sentence';
    before.keep();
    const after = begin();
    await look(after, stored(2, 'Two'));
    expect([after.text, after.base?.version, after.isOvertaken]).toEqual(['Half a sentence', 1, true]);
    after.adopt(after.newest);
    const later = begin();
    await look(later, stored(2, 'Two'));
    expect([later.text, later.isChanged]).toEqual(['Two', false]);
  });
});
