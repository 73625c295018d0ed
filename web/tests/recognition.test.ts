/** Pages that are pictures: what is said of them, and when it is offered to recognise their text. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { StoredFile } from '../src/lib/api/types';
import { chipOf } from '../src/lib/chat/attach/chips';
import { i18n } from '../src/lib/i18n/index.svelte';
import later from '../src/lib/i18n/later/en.json';
import { passageWords, targetOfPassage } from '../src/lib/knowledge/place';
import { helps, MOST_PAGES, recognitionOf } from '../src/lib/knowledge/recognition';
import type { IndexStatus, Passage } from '../src/lib/knowledge/types';

beforeAll(() => {
  i18n.messages = later;
});

function of(status: Partial<IndexStatus> | undefined, may = true, file: Partial<StoredFile> = {}) {
  const known = { version: 1, unread: 0, pagesWanted: 0, pagesDone: 0, recognisable: true, ...status } as IndexStatus;
  const scan = { name: 'deed.pdf', mediaType: 'application/pdf', version: 1, ...file } as StoredFile;
  return recognitionOf({ file: scan, status: status && known }, may);
}

describe('the offer to recognise pages', () => {
  it('names all of them', () => expect(of({ unread: 3 })).toEqual({ kind: 'unread', pages: 3, isPicture: false, offered: 3 }));

  it('names as many as are done at a time', () => expect(of({ unread: 900 })).toMatchObject({ pages: 900, offered: MOST_PAGES }));

  it('is not made where nothing can recognise them, nor to those who may not change the file', () => {
    expect(of({ unread: 3, recognisable: false })).toMatchObject({ kind: 'unread', pages: 3, offered: 0 });
    expect(of({ unread: 3 }, false)).toMatchObject({ kind: 'unread', pages: 3, offered: 0 });
  });

  it('makes way for how far it is', () => expect(of({ unread: 3, pagesWanted: 3, pagesDone: 1 })).toEqual({ kind: 'underway', done: 1, total: 3 }));

  it('is not made of what is written, not read yet, or of an older version', () => {
    expect([of({}), of(undefined), of({ unread: 3 }, true, { version: 2 })]).toEqual(Array(3).fill({ kind: 'none' }));
  });

  it('takes the place of advice, where it can be made', () => {
    const file = { name: 'deed.pdf', version: 1 } as StoredFile;
    const helped = (status: Partial<IndexStatus>) => helps({ file, status: { version: 1, unread: 2, pagesWanted: 0, pagesDone: 0, recognisable: true, ...status } as IndexStatus });
    expect([helped({}), helped({ pagesWanted: 2, recognisable: false }), helped({ recognisable: false }), helped({ unread: 0 })]).toEqual([true, true, false, false]);
  });

  it('calls a picture a picture', () => expect(of({ unread: 1 }, true, { name: 'sign.png', mediaType: 'image/png' })).toMatchObject({ isPicture: true, offered: 1 }));
});

describe('a passage that was recognised', () => {
  const passage = { ref: { location: 'page:3', containerPath: 'deed.pdf', pageIndex: 2, recognised: true }, quote: 'walruses' } as Passage;

  it('says so, and opens its page without words to be marked', () => {
    expect(passageWords(passage)).toBe('Page 3 · recognised from a picture');
    expect(targetOfPassage(passage)).toEqual({ page: 3 });
    expect(targetOfPassage({ ...passage, ref: { ...passage.ref, recognised: null } })).toEqual({ page: 3, quote: 'walruses' });
  });

  it('is cited with it', () => {
    const cited = (place: object, opens: object) => chipOf({ kind: 'text', place: { kind: 'file', path: '', numbers: [], recognised: true, ...place }, opens: { fileId: 'r', ...opens } });
    expect(cited({ kind: 'page', numbers: [3], path: 'deed.pdf' }, { page: 3 })).toMatchObject({ name: 'deed.pdf', detail: 'page 3, recognised from a picture' });
    expect(cited({ path: 'sign.png' }, {})).toMatchObject({ name: 'sign.png', detail: 'recognised from a picture' });
  });
});
