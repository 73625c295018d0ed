/** A text being written while others write it: nothing that was typed is lost. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '../src/lib/api/problem';
import { Writing, type WrittenText } from '../src/lib/editing/writing.svelte';

const server = {
  asked: [] as { signal: AbortSignal; answer: (stored: WrittenText) => void }[],
  written: [] as { version: number; text: string; status: string; answer: (stored: WrittenText) => void; refuse: (cause: unknown) => void }[],
};

vi.stubGlobal('document', { activeElement: null, querySelector: () => null }); // where the first error of a form is looked for

const stored = (version: number, text: string): WrittenText => ({ version, text, agentName: '', writtenByName: 'Anna' });
const sourceOf = (key: string) => ({
  key,
  kind: 'company' as const,
  changedCode: 'documentChanged',
  most: { bytes: 12, code: 'blockTooLong' },
  ask: (signal: AbortSignal) => new Promise<WrittenText>((answer) => void server.asked.push({ signal, answer })),
  write: (version: number, text: string, status: string) => new Promise<WrittenText>((answer, refuse) => void server.written.push({ version, text, status, answer, refuse })),
});
let texts = 0;

describe('a text being written', () => {
  beforeEach(() => {
    server.asked = [];
    server.written = [];
    texts += 1;
  });

  const begin = () => new Writing(sourceOf(`text${texts}`));
  const look = async (writing: Writing<WrittenText, string>, found: WrittenText) => {
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

  it('is not sent when it is too long, and stays', async () => {
    const writing = await opened();
    writing.text = 'Käsekuchen ✨'; // 12 characters, 15 bytes
    expect(await writing.save('draft')).toBe(false);
    expect([server.written.length, writing.form.problem?.code, writing.text]).toEqual([0, 'blockTooLong', 'Käsekuchen ✨']);
  });

  it('comes back after it was discarded, with the version it was made from', async () => {
    const writing = await opened();
    writing.text = 'Mine';
    await look(writing, stored(2, 'Two'));
    const undo = writing.discard();
    expect([writing.text, writing.isChanged]).toEqual(['Two', false]);
    undo();
    expect([writing.text, writing.isOvertaken]).toEqual(['Mine', true]);
  });
});
