import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chosen, entered, folderOf, isWritten, mentionAt, opens, type Change, type NamedSuggestion } from '../src/lib/chat/attach/mention';
import { Suggestions } from '../src/lib/chat/attach/suggestions.svelte';

/** `|` is where somebody writes. */
function at(marked: string) {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  return { text, mention: mentionAt(text, caret) };
}

function suggestion(insert: string, more: Partial<NamedSuggestion> = {}): NamedSuggestion {
  const path = insert.replace(/^@|"/g, '');
  return { kind: 'file', id: '1', name: path.split('/').filter(Boolean).at(-1)!, path, mediaType: null, insert, phase: '', ...more };
}

function done(text: string, { start, end, text: put, caret }: Change): string {
  const now = text.slice(0, start) + put + text.slice(end);
  return `${now.slice(0, caret)}|${now.slice(caret)}`;
}

describe('a mention', () => {
  it.each([
    ['@|', '', ''],
    ['what is in @rep|', 'rep', ''],
    ['@rep| and more', 'rep', ''],
    ['@re|port.pdf, page 3', 're', 'port.pdf'],
    ['(@a.zip/do|', 'a.zip/do', ''],
    ['见@报告|', '报告', ''],
    ['@"my rep|', 'my rep', ''],
    ['@"my rep|ort.pdf" and', 'my rep', 'ort.pdf"'],
    ['line\n@"a|\nnext "line"', 'a', ''],
    ['@a and @b|', 'b', ''],
  ])('is found where somebody writes: %s', (marked, query, tail) => {
    const { mention } = at(marked);
    expect([mention?.query, mention?.tail]).toEqual([query, tail]);
  });

  it.each(['|', '@rep |', 'me@example.org|', 'a@b|', '@"my report.pdf"|', '@"my report.pdf" page|', '@rep,|', '@@x|', '@a\n|'])('is not where there is none: %s', (marked) => {
    expect(at(marked).mention).toBeUndefined();
  });

  it('is found far into a long text', () => {
    const { text, mention } = at(`${'word '.repeat(5_000)}@rep| end`);
    expect(text.slice(mention!.start, mention!.caret)).toBe('@rep');
  });
});

describe('a block of a project', () => {
  const block = suggestion('@"Posts/Der Titel"', { kind: 'block', name: 'Der Titel', path: 'Posts/Der Titel', phase: 'Kern entwerfen' });

  it('says its phase and its group, and there is no way into it', () => {
    expect(folderOf(block)).toBe('Kern entwerfen · Posts');
    expect(folderOf({ ...block, path: 'Der Titel' })).toBe('Kern entwerfen');
    expect(opens(block)).toBe(false);
  });

  it('is written so that it alone is meant', () => {
    const { text, mention } = at('Kürze @tit| bitte');
    expect(done(text, chosen(text, mention!, block))).toBe('Kürze @"Posts/Der Titel" |bitte');
  });
});

describe('what is chosen', () => {
  it.each([
    ['@rep|', '@report.pdf', '@report.pdf |'],
    ['see @rep| and', '@report.pdf', 'see @report.pdf |and'],
    ['see @rep|, then', '@report.pdf', 'see @report.pdf|, then'],
    ['@re|port.pdf, page 3', '@report.pdf', '@report.pdf|, page 3'],
    ['compare @|with', '@a.pdf', 'compare @a.pdf |with'],
    ['@"my r|ep.pdf" x', '@"my rep.pdf"', '@"my rep.pdf" |x'],
    ['@my|', '@"my report.pdf"', '@"my report.pdf" |'],
    ['a\n@x|\nb', '@x.md', 'a\n@x.md|\nb'],
  ])('takes the place of what was written, and of nothing else: %s', (marked, insert, after) => {
    const { text, mention } = at(marked);
    expect(done(text, chosen(text, mention!, suggestion(insert)))).toBe(after);
  });

  it.each([
    ['@arch|', '@archive.zip', '@archive.zip/|'],
    ['@Rep|', '@Reports/', '@Reports/|'],
    ['@my|', '@"my folder/"', '@"my folder/|"'],
    ['@"my folder/i|" x', '@"my folder/in/"', '@"my folder/in/|" x'],
  ])('can be looked into: %s', (marked, insert, after) => {
    const { text, mention } = at(marked);
    expect(done(text, entered(mention!, suggestion(insert)))).toBe(after);
  });

  it('needs nothing when it is written already', () => {
    expect(isWritten(at('@Report.pdf|').mention!, suggestion('@report.pdf'))).toBe(true);
    expect(isWritten(at('@"my report.pdf|"').mention!, suggestion('@"my report.pdf"'))).toBe(true);
    expect(isWritten(at('@repo|').mention!, suggestion('@report.pdf'))).toBe(false);
  });

  it('says where it lies and whether something lies in it', () => {
    expect(folderOf(suggestion('@/a/b/c.pdf', { path: 'a/b/c.pdf' }))).toBe('a/b');
    expect(folderOf(suggestion('@c.pdf', { path: 'c.pdf' }))).toBe('');
    expect(folderOf(suggestion('@Reports/2026/', { kind: 'folder', path: 'Reports/2026' }))).toBe('Reports');
    expect([suggestion('@a/', { kind: 'folder' }), suggestion('@a.zip', { mediaType: 'application/zip' }), suggestion('@m.eml', { mediaType: 'message/rfc822' }), suggestion('@a.pdf', { mediaType: 'application/pdf' })].map(opens)).toEqual([true, true, true, false]);
  });
});

describe('the list behind @', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Answers `name0`, `name1` for `name`, as soon as it is let. */
  function begin() {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const list = new Suggestions(({ query }) => {
      asked.push(query);
      return new Promise((resolve) => answers.push(() => resolve([suggestion(`@${query}0`), suggestion(`@${query}1`)])));
    });
    const write = (marked: string) => list.look(at(marked).mention);
    const names = () => list.items.map(({ name }) => name);
    const settle = () => vi.runAllTimersAsync();
    return { list, asked, answers, write, names, settle };
  }

  it('asks at once, and then when somebody pauses', async () => {
    const { asked, write, settle } = begin();
    write('@|');
    await vi.advanceTimersByTimeAsync(0);
    write('@r|');
    write('@re|');
    await vi.advanceTimersByTimeAsync(100);
    expect(asked).toEqual(['']);
    await settle();
    write('@re| ');
    await settle();
    expect(asked).toEqual(['', 're']);
  });

  it('takes no answer to an older question, and keeps what it has until there is one', async () => {
    const { list, answers, write, names, settle } = begin();
    write('@a|');
    await settle();
    write('@ab|');
    await settle();
    answers[0]!();
    await settle();
    expect(names()).toEqual([]);
    answers[1]!();
    await settle();
    expect([names(), list.active]).toEqual([['ab0', 'ab1'], 0]);
    write('@abc|');
    await settle();
    expect(names()).toEqual(['ab0', 'ab1']);
  });

  it('goes round, and begins with none when it is all written', async () => {
    const { list, answers, write, settle } = begin();
    const moved = (by: 1 | -1) => (list.move(by), list.active);
    write('@a|');
    await settle();
    answers[0]!();
    await settle();
    expect([moved(1), moved(1), moved(-1)]).toEqual([1, 0, 1]);
    const whole = new Suggestions(async () => [suggestion('@a.md')]);
    whole.look(at('@a.md|').mention);
    await settle();
    expect([whole.active, whole.current]).toEqual([-1, undefined]);
    whole.move(-1);
    expect(whole.current?.name).toBe('a.md');
  });

  it('stays closed until the next mention', async () => {
    const { list, asked, answers, write, names, settle } = begin();
    write('@a|');
    await settle();
    answers[0]!();
    await settle();
    list.close();
    write('@ab|');
    await settle();
    expect([names(), asked]).toEqual([[], ['a']]);
    write('@ab and |');
    write('@ab and @|');
    await settle();
    expect(asked).toEqual(['a', '']);
  });

  it('is empty, and says nothing, when the server does not answer', async () => {
    const list = new Suggestions(() => Promise.reject(new Error('lost')));
    list.look(at('@a|').mention);
    await vi.runAllTimersAsync();
    expect(list.items).toEqual([]);
  });
});
