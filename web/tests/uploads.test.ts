import { describe, expect, it } from 'vitest';
import { Problem } from '../src/lib/api/problem';
import type { StoredFile } from '../src/lib/api/types';
import type { Pause } from '../src/lib/files/upload.svelte';
import type { UploadApi } from '../src/lib/files/uploadApi';
import { Uploads } from '../src/lib/files/uploads.svelte';

const MB = 1024 * 1024;

/** A server that keeps what it gets, and does as it is told: `before` may throw, or wait. */
class FakeServer implements UploadApi {
  stored = new Map<string, Uint8Array[]>();
  log: string[] = [];
  cancelled: string[] = [];
  before: (what: string, signal?: AbortSignal) => Promise<void> | void = () => {};
  #count = 0;

  size(id: string): number {
    return (this.stored.get(id) ?? []).reduce((sum, chunk) => sum + chunk.length, 0);
  }

  async begin({ name }: { name: string }, signal: AbortSignal) {
    this.log.push(`begin ${name}`);
    await this.before('begin', signal);
    const uploadId = `${++this.#count}`;
    this.stored.set(uploadId, []);
    return { uploadId, offset: 0, chunkSize: 8 * MB };
  }

  async offset(id: string, signal: AbortSignal) {
    this.log.push('offset');
    await this.before('offset', signal);
    if (!this.stored.has(id)) throw new Problem('notFound', '', 404);
    return this.size(id);
  }

  async append(id: string, offset: number, chunk: Blob, moved: (bytes: number) => void, signal: AbortSignal) {
    this.log.push(`append ${offset}`);
    moved(chunk.size / 2);
    await this.before('append', signal);
    if (offset !== this.size(id)) throw new Problem('uploadOffset', '', 409, '', { offset: this.size(id) });
    this.stored.get(id)!.push(new Uint8Array(await chunk.arrayBuffer()));
    await this.before('appended', signal);
    return this.size(id);
  }

  async finish(id: string) {
    this.log.push('finish');
    await this.before('finish');
    return { id, name: 'stored', size: this.size(id), version: 1 } as StoredFile;
  }

  async cancel(id: string) {
    this.cancelled.push(id);
  }
}

const noPause: Pause = async () => {};
const bytes = (size: number, name = 'file.bin') => new File([Uint8Array.from({ length: size }, (_, n) => n % 251)], name);
const lost = () => Promise.reject(Problem.network());
const target = { instanceId: 'room' };

function begin(pause: Pause = noPause) {
  const server = new FakeServer();
  let told = 0;
  const uploads = new Uploads(server, pause, () => (told += 1));
  return { server, uploads, told: () => told };
}

/** Throws the first `times` times it is asked for this. */
const failing = (what: string, times: number, fail: () => Promise<never>) => (asked: string) => (asked === what && times-- > 0 ? fail() : undefined);
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('an upload', () => {
  it('arrives whole, in chunks that grow on a quick line', async () => {
    const { server, uploads, told } = begin();
    const source = bytes(6 * MB + 7);
    const [upload] = uploads.add([source], target);
    const file = await upload!.done;
    expect(file.size).toBe(source.size);
    expect(server.log).toEqual(['begin file.bin', 'append 0', `append ${MB}`, `append ${3 * MB}`, 'finish']);
    expect(Buffer.concat(server.stored.get('1')!).equals(Buffer.from(await source.arrayBuffer()))).toBe(true);
    await settled();
    expect([upload!.status, upload!.sent, told()]).toEqual(['done', source.size, 1]);
  });

  it('of nothing is a file too', async () => {
    const { server, uploads } = begin();
    await uploads.add([bytes(0)], target)[0]!.done;
    expect(server.log).toEqual(['begin file.bin', 'finish']);
  });

  it('goes on where it was after the connection was lost, also when only the answer was', async () => {
    const seen: string[] = [];
    const { server, uploads } = begin(async () => void seen.push(uploads.items[0]!.status));
    let appended = 0;
    server.before = (what) => (what === 'appended' && ++appended === 1 ? lost() : undefined);
    const [upload] = uploads.add([bytes(2 * MB)], target);
    expect((await upload!.done).size).toBe(2 * MB);
    expect(server.log).toEqual(['begin file.bin', 'append 0', 'offset', `append ${MB}`, 'finish']);
    expect(seen).toEqual(['stalled']);
  });

  it('asks where to go on when the server is at another place, without a pause', async () => {
    const { server, uploads } = begin(() => Promise.reject(new Error('no pause here')));
    server.before = failing('append', 1, () => Promise.reject(new Problem('uploadOffset', '', 409, '', { offset: 0 })));
    await uploads.add([bytes(10)], target)[0]!.done;
    expect(server.log).toEqual(['begin file.bin', 'append 0', 'offset', 'append 0', 'finish']);
  });

  it('begins again when the server has forgotten it', async () => {
    const { server, uploads } = begin();
    server.before = (what) => {
      if (what !== 'append' || server.log.length > 3) return;
      server.stored.delete('1');
      return lost();
    };
    await uploads.add([bytes(10)], target)[0]!.done;
    expect(server.log.filter((line) => line.startsWith('begin'))).toHaveLength(2);
  });

  it('fails at once when it is refused, says why, and can be tried again', async () => {
    const { server, uploads } = begin();
    server.before = failing('begin', 1, () => Promise.reject(new Problem('quotaExceeded', 'no room', 413)));
    const [upload] = uploads.add([bytes(10)], target);
    await settled();
    expect([upload!.status, upload!.problem?.code]).toEqual(['failed', 'quotaExceeded']);
    upload!.retry();
    await upload!.done;
    expect([upload!.status, upload!.problem]).toEqual(['done', null]);
  });

  it('gives up after many tries without any progress, and keeps what has arrived for the next', async () => {
    const { server, uploads } = begin();
    let down = false;
    server.before = (what) => {
      if (down && what !== 'begin') return lost();
      down ||= what === 'appended';
    };
    const [upload] = uploads.add([bytes(2 * MB)], target);
    while (upload!.status !== 'failed') await settled();
    expect(server.log.filter((line) => line === 'offset')).toHaveLength(12);
    down = false;
    server.before = () => {};
    upload!.retry();
    await upload!.done;
    expect(server.log.slice(-3)).toEqual(['offset', `append ${MB}`, 'finish']);
  });

  it('says that the file is gone when it cannot be read any more', async () => {
    const { uploads } = begin();
    const source = bytes(10);
    source.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }) as unknown as Blob;
    const [upload] = uploads.add([source], target);
    await settled();
    expect([upload!.status, upload!.problem?.code]).toEqual(['failed', 'fileGone']);
  });

  it('is cancelled in the middle: nothing more is sent, the server is told, and the next one has its turn', async () => {
    const { server, uploads, told } = begin();
    server.before = (what, signal) => (what === 'append' ? new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason))) : undefined);
    const added = uploads.add([bytes(10), bytes(10), bytes(10), bytes(10, 'fourth')], target);
    await settled();
    expect(added.map(({ status }) => status)).toEqual(['sending', 'sending', 'sending', 'waiting']);
    added[1]!.cancel();
    await expect(added[1]!.done).rejects.toThrow('cancelled');
    await settled();
    expect(server.cancelled).toEqual(['2']);
    expect(added.map(({ status }) => status)).toEqual(['sending', 'cancelled', 'sending', 'sending']);
    expect([server.log.at(-1), told()]).toEqual(['append 0', 0]);
    uploads.cancelAll();
    expect(uploads.items).toEqual([]);
  });

  it('can be cancelled while it waits for the network', async () => {
    const { server, uploads } = begin((_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())));
    server.before = lost;
    const [upload] = uploads.add([bytes(10)], target);
    await settled();
    expect(upload!.status).toBe('stalled');
    uploads.dismiss(upload!);
    await expect(upload!.done).rejects.toThrow();
    await settled();
    expect([uploads.items, uploads.open, server.log]).toEqual([[], [], ['begin file.bin']]);
  });
});

describe('the queue', () => {
  it('sends three at a time, in their order', async () => {
    const { server, uploads } = begin();
    let now = 0;
    let most = 0;
    server.before = async (what) => {
      if (what === 'begin') most = Math.max(most, (now += 1));
      if (what === 'append') await settled();
      if (what === 'finish') now -= 1;
    };
    const added = uploads.add(Array.from({ length: 8 }, (_, n) => bytes(5, `${n}`)), target);
    await Promise.all(added.map(({ done }) => done));
    expect(most).toBe(3);
    expect(server.log.filter((line) => line.startsWith('begin'))).toEqual(Array.from({ length: 8 }, (_, n) => `begin ${n}`));
    await settled();
    uploads.tidy();
    expect(uploads.items).toEqual([]);
  });
});
