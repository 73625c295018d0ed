import { describe, expect, it } from 'vitest';
import { Problem } from '../src/lib/api/problem';
import type { StoredFile } from '../src/lib/api/types';
import { Attached, MOST, type Ground } from '../src/lib/chat/attach/attached.svelte';
import type { Upload } from '../src/lib/files/uploads.svelte';

/** An upload that does what it is told. */
class FakeUpload {
  status: Upload['status'] = 'sending';
  sent = 5;
  size = 10;
  problem: Problem | null = null;
  file: StoredFile | null = null;
  arrive!: (id: string) => Promise<void>;
  done: Promise<StoredFile>;

  constructor(readonly source: File) {
    this.done = new Promise((resolve) => {
      this.arrive = async (id) => {
        this.file = stored(id, source.name);
        this.status = 'done';
        resolve(this.file);
        await this.done;
      };
    });
  }

  get name() {
    return this.source.name;
  }

  fail(code: string) {
    this.status = 'failed';
    this.problem = new Problem(code, '');
  }

  retry() {
    this.status = 'waiting';
    this.problem = null;
  }
}

const stored = (id: string, name: string, deletedAt: string | null = null) => ({ id, name, mediaType: 'application/pdf', deletedAt }) as StoredFile;
const file = (name: string) => new File(['x'], name, { type: 'text/plain' });
const turn = () => new Promise((resolve) => setTimeout(resolve));

function begin(kept?: string[], initial: { fileId: string; name: string }[] = [], look: Ground['look'] = async (id) => stored(id, `${id}.pdf`)) {
  const uploading: FakeUpload[] = [];
  const dismissed: unknown[] = [];
  const log: (readonly string[] | undefined)[] = [];
  let refused = 0;
  const uploads = {
    add: (files: readonly File[]) => {
      const added = files.map((one) => new FakeUpload(one));
      uploading.push(...added);
      return added as unknown as Upload[];
    },
    dismiss: (upload: Upload) => void dismissed.push(upload),
  };
  const list = new Attached('room', { uploads, look, keep: (ids) => void log.push(ids), tooMany: () => (refused += 1) }, kept, initial);
  return { list, uploading, dismissed, log, refused: () => refused };
}

describe('files of a message', () => {
  it('are waited for, and kept as they arrive', async () => {
    const { list, uploading, log } = begin();
    expect(list.status).toBe('ready');
    list.add([file('a.txt'), file('b.txt')]);
    expect([list.status, list.files, list.items[0]!.share]).toEqual(['busy', [], 0.5]);
    await uploading[1]!.arrive('2');
    expect([list.status, list.files, log.at(-1)]).toEqual(['busy', [{ fileId: '2', name: 'b.txt' }], ['2']]);
    await uploading[0]!.arrive('1');
    expect([list.status, list.files.map(({ fileId }) => fileId), log.at(-1)]).toEqual(['ready', ['1', '2'], ['1', '2']]);
  });

  it('that failed are not waited for, and can be tried again', async () => {
    const { list, uploading } = begin();
    list.add([file('a.txt'), file('b.txt')]);
    uploading[0]!.fail('quotaExceeded');
    expect([list.status, list.items[0]!.problem?.code]).toEqual(['failed', 'quotaExceeded']);
    list.items[0]!.retry();
    expect(list.status).toBe('busy');
    await Promise.all(uploading.map((upload, at) => upload.arrive(`${at}`)));
    expect(list.status).toBe('ready');
  });

  it('can be taken off, whatever they are at', async () => {
    const { list, uploading, dismissed, log } = begin();
    list.add([file('a.txt'), file('b.txt')]);
    await uploading[0]!.arrive('1');
    list.remove(list.items[1]!);
    expect([dismissed, list.status, log.at(-1)]).toEqual([[uploading[1]], 'ready', ['1']]);
    list.remove(list.items[0]!);
    expect([list.items, log.at(-1)]).toEqual([[], undefined]);
  });

  it('are sent once each, and those that came meanwhile belong to the next message', async () => {
    const { list, uploading, log } = begin();
    list.add([file('a.txt'), file('a.txt')]);
    await Promise.all(uploading.map((upload) => upload.arrive('1')));
    const sent = list.files;
    expect(sent).toHaveLength(1);
    list.add([file('late.txt')]);
    await uploading[2]!.arrive('2');
    list.sent(sent);
    expect([list.items.map(({ name }) => name), log.at(-1)]).toEqual([['late.txt'], ['2']]);
  });

  it('are no more than the server takes', () => {
    const { list, refused } = begin();
    list.add(Array.from({ length: MOST + 1 }, (_, at) => file(`${at}.txt`)));
    expect([list.items.length, refused()]).toEqual([MOST, 1]);
    list.add([file('one more.txt')]);
    expect([list.items.length, refused()]).toEqual([MOST, 2]);
  });
});

describe('files of a draft', () => {
  it('are looked at again; those that are gone are left out', async () => {
    const look = (id: string) => (id === 'gone' ? Promise.reject(new Problem('notFound', '', 404)) : Promise.resolve(stored(id, `${id}.pdf`, id === 'trash' ? 'today' : null)));
    const { list, log } = begin(['a', 'gone', 'trash'], [], look);
    expect(list.status).toBe('busy');
    await turn();
    expect([list.status, list.files, log.at(-1)]).toEqual(['ready', [{ fileId: 'a', name: 'a.pdf' }], ['a']]);
  });

  it('that could not be looked at wait for another try', async () => {
    let isThere = false;
    const { list } = begin(['a'], [], (id) => (isThere ? Promise.resolve(stored(id, 'a.pdf')) : Promise.reject(Problem.network())));
    await turn();
    expect([list.status, list.items[0]!.problem?.code]).toEqual(['failed', 'network']);
    isThere = true;
    list.items[0]!.retry();
    await turn();
    expect(list.status).toBe('ready');
  });

  it('are those of the message that is said differently, until somebody changes them', async () => {
    const initial = [{ fileId: 'a', name: 'a.pdf' }, { fileId: 'b', name: 'b.pdf' }];
    const { list, log } = begin(undefined, initial);
    expect(list.items.map(({ name }) => name)).toEqual(['a.pdf', 'b.pdf']);
    await turn();
    list.remove(list.items[0]!);
    list.remove(list.items[0]!);
    expect(log).toEqual([['b'], []]); // none is another thing than as it was
    const again = begin([], initial);
    expect(again.list.items).toEqual([]);
  });
});
