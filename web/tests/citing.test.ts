/** Marks in answers: which they are, what they mean, how they are numbered, shown and said. */
import { Marked } from 'marked';
import { beforeAll, describe, expect, it } from 'vitest';
import { chipsOf } from '../src/lib/chat/attach/chips';
import { citationsOf, citesOf, inWords, uncited } from '../src/lib/chat/sources/citations';
import { meaningOf, type Source } from '../src/lib/chat/sources/meaning';
import { i18n } from '../src/lib/i18n/index.svelte';
import later from '../src/lib/i18n/later/en.json';
import { extension } from '../src/lib/markdown/cites';
import { marksIn, spelledOut, withoutHalf } from '../src/lib/markdown/marks';
import type { Item } from '../src/lib/run/reduce';

beforeAll(() => {
  i18n.messages = later;
});

const page = (mark: string, number: number, more: object = {}): Source => ({ mark, place: { kind: 'page', numbers: [number], path: 'A/report.pdf', recognised: false }, opens: { fileId: 'r', page: number, ...more } });
const finder = (...sources: Source[]) => (mark: string) => sources.find((source) => source.mark === mark);

describe('marks', () => {
  it('are found in the order in which they first occur, several together, and never in code', () => {
    const text = 'One [[k7qda]] and [[b2c3d, k7qda;aaaaa\nzzzzz]].\n\n```\nif [[ccccc]]; then\n```\nThen `[[ddddd]]` and [[eeeee]].';
    expect(marksIn(text)).toEqual(['k7qda', 'b2c3d', 'aaaaa', 'zzzzz', 'eeeee']);
  });

  it('are only what looks like one', () => {
    expect(marksIn('[[short]] [[k7qd]] [[K7QDA]] [[k7qd1]] [k7qda] [[k7qda] [[k7qdaa]] [[wiki page]]')).toEqual(['short']);
  });

  it('in a block of code that is not finished are text', () => {
    expect(marksIn('See:\n\n~~~bash\n[[k7qda]]')).toEqual([]);
  });

  it('vanish with the space before them where nothing is said of them', () => {
    expect(spelledOut('True [[k7qda]]. More [[k7qda]] follows [[k7qda]]here.\n\n[[k7qda]] Last', () => '')).toBe('True. More follows here.\n\n Last');
    expect(spelledOut('`[[k7qda]]` [[k7qda]]', () => '(a)')).toBe('`[[k7qda]]` (a)');
  });

  it('do not show while they are being written', () => {
    const answer = 'It is so [[k7qda, b2c3d]] and not [otherwise](x).';
    const shown = Array.from({ length: answer.length }, (_, at) => withoutHalf(answer.slice(0, at + 1), true));
    for (const [at, text] of shown.entries()) {
      expect(spelledOut(text, () => '')).not.toMatch(/\[\[/);
      expect(at === 0 || text.startsWith(shown[at - 1]!)).toBe(true);
    }
    expect(shown.at(-1)).toBe(answer);
  });

  it('cut off for ever do not show either, and nothing else is taken away', () => {
    expect(withoutHalf('It is so [[k7q', false)).toBe('It is so ');
    expect(withoutHalf('It is so [[k7qda]', false)).toBe('It is so ');
    expect(withoutHalf('An array: [', false)).toBe('An array: [');
    expect(withoutHalf('A link [[Some page', true)).toBe('A link [[Some page');
  });

  it('are drawn outside of code, whatever they stand in', () => {
    const marked = new Marked({ extensions: [extension] });
    expect(marked.parse('- **A**[[k7qda]] `[[k7qda]]` [[b2c3d, k7qda]]\n\n[k7qda]: http://example.org')).toBe(
      '<ul>\n<li><strong>A</strong><sup data-marks="k7qda"></sup> <code>[[k7qda]]</code> <sup data-marks="b2c3d k7qda"></sup></li>\n</ul>\n',
    );
  });
});

describe('what a mark means', () => {
  const call = (...sources: Source[]): Item => ({ kind: 'call', id: 'c', tool: 'readFile', arguments: {}, durationMs: 1, result: { sources } as never });
  const material = (source: Source, found = true) => ({ kind: 'text' as const, found, ...source });

  it('comes from what was read for the question, from places in it, and from tools', () => {
    const turn = { materials: [material(page('aaaaa', 1)), { ...material(page('bbbbb', 2)), mark: null, sources: [page('ccccc', 3)] }] };
    const answered = [{ turn, runView: { items: [call(page('ddddd', 4))] } }];
    expect(['aaaaa', 'bbbbb', 'ccccc', 'ddddd', 'eeeee'].map((mark) => meaningOf(mark, answered)?.opens?.page)).toEqual([1, undefined, 3, 4, undefined]);
  });

  it('is kept for later answers, and what was read for an answer itself counts most', () => {
    const first = { turn: { materials: [material(page('aaaaa', 1)), material(page('bbbbb', 2))] }, runView: undefined };
    const second = { turn: { materials: [material(page('aaaaa', 1, { quote: 'new words' }))] }, runView: undefined };
    expect(meaningOf('bbbbb', [first, second])?.opens?.page).toBe(2);
    expect(meaningOf('aaaaa', [first, second])?.opens?.quote).toBe('new words');
    expect(meaningOf('aaaaa', [first])?.opens?.quote).toBeUndefined();
  });
});

describe('citations', () => {
  const find = finder(page('aaaaa', 3), page('bbbbb', 9, { quote: 'Rent is due.' }), page('ccccc', 3));

  it('are numbered as they occur; the same source keeps its number, unknown ones have none', () => {
    const cited = citationsOf('X [[bbbbb]] y [[zzzzz]] z [[aaaaa, bbbbb]] and [[ccccc]].', find);
    expect(cited.map(({ number, marks, name, detail }) => [number, marks, name, detail])).toEqual([
      [1, ['bbbbb'], 'report.pdf', 'page 9'],
      [2, ['aaaaa', 'ccccc'], 'report.pdf', 'page 3'],
    ]);
    expect(cited[0]?.opening).toEqual({ fileId: 'r', page: 9, quote: 'Rent is due.' });
  });

  it('say what they are, and lead there', () => {
    const cites = citesOf(citationsOf('[[bbbbb]] [[aaaaa]] [[ccccc]]', find), 'my-room');
    expect(cites['bbbbb']).toEqual({ number: 1, name: 'Source 1: report.pdf, page 9', title: 'report.pdf, page 9', href: '/i/my-room/files/r?page=9&quote=Rent+is+due.' });
    expect(cites['ccccc']).toBe(cites['aaaaa']);
    expect(Object.keys(cites)).toEqual(['bbbbb', 'aaaaa', 'ccccc']);
  });

  it('leave over what else was found, each place once, and nothing somebody attached', () => {
    const part = (source: Source, found: boolean) => ({ kind: 'text' as const, found, ...source });
    const materials = [part(page('aaaaa', 3), true), part(page('ddddd', 5), true), part(page('eeeee', 5, { quote: 'other' }), true), part(page('fffff', 6), false)];
    const left = uncited(materials, citationsOf('[[aaaaa]]', find));
    expect(left.map(({ detail }) => detail)).toEqual(['page 5']);
    expect(uncited(materials, []).map(({ detail }) => detail)).toEqual(['page 3', 'page 5']);
    expect(chipsOf({ materials }).map(({ detail }) => detail)).toEqual(['page 6']);
  });

  it('of pages of the web lead there, and say of which website', () => {
    const web = (address: string): Source => ({ mark: 'aaaaa', place: { kind: 'named', title: 'Hours', path: '', numbers: [], recognised: false }, address });
    const [cited] = citationsOf('Open from nine [[aaaaa]].', finder(web('https://www.library.example/hours?x=1')));
    expect(cited).toMatchObject({ name: 'Hours', detail: 'library.example', address: 'https://www.library.example/hours?x=1' });
    expect(cited?.opening).toBeUndefined();
    expect(citesOf([cited!], 'my-room')['aaaaa']).toMatchObject({ title: 'Hours, library.example', href: 'https://www.library.example/hours?x=1' });
    for (const wrong of ['javascript:alert(1)', 'data:text/html,x', 'hours']) {
      const [refused] = citationsOf('[[aaaaa]]', finder(web(wrong)));
      expect(refused?.address).toBeUndefined();
      expect(citesOf([refused!], 'my-room')['aaaaa']?.href).toBe('');
    }
  });

  it('are words where they cannot be clicked', () => {
    expect(inWords('Due on the first[[bbbbb]]. Cats [[aaaaa, ccccc; bbbbb]] [[zzzzz]].', find)).toBe(
      'Due on the first (report.pdf, page 9). Cats (report.pdf, page 3; report.pdf, page 9).',
    );
  });

  it('name a section only by what people call it', () => {
    const named = (place: Partial<Source['place']>) =>
      citationsOf('[[aaaaa]]', () => ({ mark: 'aaaaa', place: { kind: 'section', path: 'A/book.epub', numbers: [], recognised: false, ...place }, opens: { fileId: 'r', section: 's2' } }))[0];
    expect(named({ section: 's2' })).toMatchObject({ name: 'book.epub', detail: undefined });
    expect(named({ kind: 'title', title: 'Of mice' })).toMatchObject({ name: 'book.epub', detail: '“Of mice”' });
  });
});

describe('hostile answers', () => {
  it('of blanks, backticks and half marks are read once, not once for every sign', () => {
    // In linear time; by its square, this would take longer than any test may.
    const hostile = [' '.repeat(200_000), '`'.repeat(200_000), `[[k7qda${' '.repeat(200_000)}`, '[['.repeat(100_000)];
    for (const text of hostile) expect(marksIn(`x${text}y [[b2c3d]]`)).toEqual(['b2c3d']);
  });

  it('of nothing but marks do not ask for the meaning of every one, nor of one twice', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const marks = letters.flatMap((one) => letters.flatMap((other) => letters.map((third) => `[[aa${one}${other}${third}]]`)));
    let asked = 0;
    const find = (mark: string) => ((asked += 1), page(mark, 1));
    const text = [...marks, ...marks].join(' ');
    expect(citationsOf(text, find)).toHaveLength(1);
    inWords(text, find);
    expect(asked).toBeLessThanOrEqual(1_000);
  });

  it('with a mark that two files claim cite neither', () => {
    const forged: Source = { mark: 'aaaaa', place: { kind: 'file', path: 'contract.pdf', numbers: [], recognised: false }, opens: { fileId: 'evil', inside: 'x7/contract.pdf' } };
    const call = (source: Source): Item => ({ kind: 'call', id: 'c', tool: 'readFile', arguments: {}, result: { status: 'ok', message: '', sources: [source] } }) as never;
    const answered = { turn: {}, runView: { items: [call(page('aaaaa', 1)), call(forged)] } };
    expect(meaningOf('aaaaa', [answered])).toBeUndefined();
    expect(meaningOf('aaaaa', [{ ...answered, runView: { items: [call(page('aaaaa', 1)), call(page('aaaaa', 1, { quote: 'x' }))] } }])).toBeDefined();
  });
});
