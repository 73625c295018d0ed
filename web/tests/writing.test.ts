/** A text being written while others write it: nothing that was typed is lost. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { recall } from '../src/lib/device';
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

  it('leaves what another tab keeps of the same text', async () => {
    const [here, there] = [await opened(), await opened()];
    for (const writing of [here, there]) {
      writing.text = writing === here ? 'Here' : 'There';
      writing.keep();
    }
    here.adopt(stored(2, 'Here'));
    here.keep();
    const later = begin();
    await look(later, stored(2, 'Here'));
    expect([later.text, later.isOvertaken]).toEqual(['There', true]);
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

  it('is saved already when somebody else has stored the same', async () => {
    const writing = await opened();
    writing.text = 'Two';
    await look(writing, stored(2, 'Two'));
    expect([writing.isChanged, writing.isOvertaken, writing.base?.version]).toEqual([false, false, 2]);
  });
});

describe('a text that is open in two tabs', () => {
  const heard: ((event: { key: string; oldValue: string | null; newValue: string | null }) => void)[] = [];
  vi.stubGlobal('addEventListener', (_: string, listen: (typeof heard)[number]) => heard.push(listen));
  vi.stubGlobal('removeEventListener', (_: string, listen: (typeof heard)[number]) => heard.splice(heard.indexOf(listen), 1));
  const kept = () => recall(`text${texts}`);

  const open = async () => {
    const writing = new Writing(sourceOf(`text${texts}`));
    const looked = writing.look();
    server.asked.at(-1)!.answer(stored(1, 'One'));
    await looked;
    return writing;
  };
  /** Types in one tab; the other one hears of it. */
  const type = (writing: Writing<WrittenText, string>, text: string) => {
    const before = kept();
    writing.text = text;
    writing.keep();
    for (const listen of heard) listen({ key: `workroom.text${texts}`, oldValue: before, newValue: kept() });
  };

  beforeEach(() => {
    [server.asked, server.written, texts] = [[], [], texts + 1];
    heard.length = 0;
  });

  it('is the same draft in both', async () => {
    const [here, there] = [await open(), await open()];
    there.followTabs();
    type(here, 'One, two');
    expect([there.text, there.isChanged, there.base?.version]).toEqual(['One, two', true, 1]);
    type(here, 'One, two, three');
    expect(there.text).toBe('One, two, three');
  });

  it('stays two drafts where both were changed apart from each other', async () => {
    const [here, there] = [await open(), await open()];
    there.followTabs();
    there.text = 'Mine';
    type(here, 'Another');
    expect([here.text, there.text]).toEqual(['Another', 'Mine']);
  });

  it('is discarded in both, and saved in both', async () => {
    const [here, there] = [await open(), await open()];
    there.followTabs();
    const ends = async (newest: WrittenText) => {
      const before = kept();
      here.adopt(newest);
      for (const listen of heard) listen({ key: `workroom.text${texts}`, oldValue: before, newValue: kept() });
      server.asked.at(-1)!.answer(newest);
      await vi.waitFor(() => expect(there.isChanged).toBe(false));
    };
    type(here, 'Wrong');
    await ends(stored(1, 'One'));
    expect([there.text, there.base?.version]).toEqual(['One', 1]);
    type(here, 'Right');
    await ends(stored(2, 'Right'));
    expect([there.text, there.base?.version]).toEqual(['Right', 2]);
  });

  it('is saved in both when the notification of it arrives at the same moment', async () => {
    const [here, there] = [await open(), await open()];
    there.followTabs();
    type(here, 'Right');
    const before = kept();
    here.adopt(stored(2, 'Right'));
    for (const listen of heard) listen({ key: `workroom.text${texts}`, oldValue: before, newValue: kept() });
    const looked = there.look();
    for (const { answer } of server.asked.slice(-2)) {
      answer(stored(2, 'Right'));
      await new Promise(setImmediate); // what follows from it is done
    }
    await looked;
    await vi.waitFor(() => expect([there.text, there.base?.version, there.isChanged]).toEqual(['Right', 2, false]));
  });

  it('is not put back to what the other tab has left behind', async () => {
    const [here, there] = [await open(), await open()];
    there.followTabs();
    type(here, 'One, t');
    here.text = 'One, tw';
    here.keep(); // the other tab has not received it yet
    there.keep();
    expect(JSON.parse(kept()!).text).toBe('One, tw');
  });
});
