/** One file on its way: in chunks, going on where it was after a lost connection, until it is stored or given up. */
import { Problem } from '../api/problem';
import type { StoredFile } from '../api/types';
import { backoff } from '../events/backoff';
import type { UploadApi } from './uploadApi';

export interface UploadTarget {
  instanceId: string;
  /** Nothing: in no folder. */
  folderId?: string | null | undefined;
  /** Its progress is shown where it was added; the tray leaves it out. */
  quiet?: boolean;
}

/** `waiting` for its turn · `sending` · `stalled` without a connection · `done`, `failed` (can be retried), `cancelled`. */
export type UploadStatus = 'waiting' | 'sending' | 'stalled' | 'done' | 'failed' | 'cancelled';

/** Resolves after the pause, or as soon as the network is back, or when the upload is cancelled. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

const SMALLEST = 1024 * 1024;
const QUICK_MS = 1_000;
const SLOW_MS = 8_000;
const MOST_FAILURES = 12;
// Nothing is wrong with the file: these pass by themselves.
const PASSING = ['network', 'uploadBusy', 'uploadOffset', 'tooManyRequests', 'databaseUnavailable', 'tooSlow'];

export class Upload {
  readonly name: string;
  readonly size: number;
  readonly done: Promise<StoredFile>;
  status = $state<UploadStatus>('waiting');
  /** Bytes that have arrived, and those on their way. */
  sent = $state(0);
  problem = $state.raw<Problem | null>(null);
  file = $state.raw<StoredFile | null>(null);

  #api: UploadApi;
  #pause: Pause;
  #wake: () => void;
  #uploadId: string | undefined;
  #chunkSize = SMALLEST;
  #largest = SMALLEST;
  #stopped = new AbortController();
  #resolve!: (file: StoredFile) => void;
  #reject!: (cause: unknown) => void;

  constructor(
    readonly source: File,
    readonly target: UploadTarget,
    api: UploadApi,
    pause: Pause,
    wake: () => void,
  ) {
    this.name = source.name;
    this.size = source.size;
    this.#api = api;
    this.#pause = pause;
    this.#wake = wake;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.done.catch(() => {}); // a rejection that is not awaited is no error of the page
  }

  get isOver(): boolean {
    return this.status === 'done' || this.status === 'cancelled';
  }

  /** Give it up: what has arrived is thrown away, and `done` is rejected. */
  cancel(): void {
    if (this.isOver) return;
    this.status = 'cancelled';
    this.#stopped.abort();
    if (this.#uploadId) void this.#api.cancel(this.#uploadId).catch(() => {}); // else the server forgets it by itself
    this.#reject(new DOMException('cancelled', 'AbortError'));
    this.#wake();
  }

  /** After a failure: in line again, and on from where it was. */
  retry(): void {
    if (this.status !== 'failed') return;
    this.problem = null;
    this.status = 'waiting';
    this.#wake();
  }

  /** The queue says that it is its turn; comes back when it is over, one way or another. */
  async run(): Promise<void> {
    this.status = 'sending';
    for (let failures = 0, begins = 1; ; ) {
      const before = this.sent;
      try {
        return this.#finished(await this.#send(this.#stopped.signal));
      } catch (cause) {
        if (this.#stopped.signal.aborted) return;
        const problem = Problem.of(cause);
        if (this.sent > before) failures = 0;
        failures += 1;
        if (problem.code === 'notFound' && this.#uploadId && begins++ === 1) this.#startOver();
        else if (!PASSING.includes(problem.code) || failures > MOST_FAILURES) return this.#failed(problem);
        else await this.#waitFor(problem, failures);
        if (this.#stopped.signal.aborted) return;
        this.status = 'sending';
      }
    }
  }

  async #send(signal: AbortSignal): Promise<StoredFile> {
    let offset: number;
    if (this.#uploadId) offset = await this.#api.offset(this.#uploadId, signal);
    else {
      const { instanceId, folderId = null } = this.target;
      const begun = await this.#api.begin({ instanceId, name: this.name, size: this.size, folderId, mediaType: this.source.type || null }, signal);
      if (signal.aborted) void this.#api.cancel(begun.uploadId).catch(() => {});
      this.#uploadId = begun.uploadId;
      this.#largest = begun.chunkSize;
      this.#chunkSize = Math.min(SMALLEST, begun.chunkSize);
      offset = begun.offset;
    }
    while (offset < this.size) {
      this.sent = offset;
      offset = await this.#chunk(this.#uploadId, offset, signal);
    }
    this.sent = this.size;
    return this.#api.finish(this.#uploadId, signal);
  }

  /** Chunks grow on a quick line and shrink on a slow one: what is lost with a connection takes seconds to repeat. */
  async #chunk(uploadId: string, offset: number, signal: AbortSignal): Promise<number> {
    const chunk = await readable(this.source.slice(offset, offset + this.#chunkSize));
    const began = performance.now();
    const end = await this.#api.append(uploadId, offset, chunk, (bytes) => (this.sent = offset + bytes), signal);
    const took = performance.now() - began;
    if (took < QUICK_MS) this.#chunkSize = Math.min(this.#largest, this.#chunkSize * 2);
    if (took > SLOW_MS) this.#chunkSize = Math.max(SMALLEST / 4, Math.floor(this.#chunkSize / 2));
    return end;
  }

  async #waitFor(problem: Problem, failures: number): Promise<void> {
    const { retryAfter } = problem.details;
    if (problem.code === 'uploadOffset') return; // the next try asks where to go on
    this.status = problem.code === 'network' ? 'stalled' : 'sending';
    await this.#pause(typeof retryAfter === 'number' ? retryAfter * 1000 : backoff(failures, Math.random()), this.#stopped.signal);
  }

  #startOver(): void {
    this.#uploadId = undefined;
    this.sent = 0;
  }

  #finished(file: StoredFile): void {
    this.file = file;
    this.status = 'done';
    this.#resolve(file);
  }

  #failed(problem: Problem): void {
    this.problem = problem;
    this.status = 'failed';
  }
}

/** A file that was moved or changed since it was chosen cannot be read; sending it would look like a lost connection. */
async function readable(chunk: Blob): Promise<Blob> {
  try {
    return new Blob([await chunk.arrayBuffer()]);
  } catch {
    throw new Problem('fileGone', 'The file cannot be read any more; it was moved, changed or deleted. Choose it again.');
  }
}
