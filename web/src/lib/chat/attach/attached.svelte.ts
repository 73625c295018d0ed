/** The files of one message being written: on their way, there, or refused. What is there is kept with the draft. */
import { Problem } from '../../api/problem';
import type { StoredFile } from '../../api/types';
import type { Upload, Uploads } from '../../files/uploads.svelte';
import type { FileRef } from '../turns';

/** The server takes no more with one message. */
export const MOST = 100;

/** One file of a message. `checking`: it was kept with the draft, and may be gone by now. */
export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  readonly status: 'checking' | 'waiting' | 'sending' | 'stalled' | 'failed' | 'done';
  /** How much of it has arrived, of 1. */
  readonly share: number;
  readonly problem: Problem | null;
  readonly fileId: string | undefined;
  retry(): void;
}

export interface Ground {
  uploads: Pick<Uploads, 'add' | 'dismiss'>;
  look: (fileId: string) => Promise<StoredFile>;
  /** Remember these ids; undefined when there is nothing to remember. */
  keep: (ids: readonly string[] | undefined) => void;
  tooMany: () => void;
}

export class Attached {
  items = $state.raw<readonly Attachment[]>([]);
  #initial: readonly string[];

  /** `kept` are the ids of a draft; without one, `initial` is what is attached. */
  constructor(
    readonly workspaceId: string,
    private readonly ground: Ground,
    kept: readonly string[] | undefined,
    initial: readonly FileRef[] = [],
  ) {
    this.#initial = initial.map(({ fileId }) => fileId);
    const known = new Map(initial.map((file) => [file.fileId, file]));
    this.items = (kept ?? this.#initial).map((id) => this.#stored(id, known.get(id)));
  }

  /** `failed`: one of them has to be tried again or taken off, before the others are worth waiting for. */
  get status(): 'ready' | 'busy' | 'failed' {
    if (this.items.some(({ status }) => status === 'failed')) return 'failed';
    return this.items.every(({ status }) => status === 'done') ? 'ready' : 'busy';
  }

  /** Those that are there, each once. */
  get files(): FileRef[] {
    const there = this.items.flatMap(({ fileId, name, status }) => (fileId && status === 'done' ? [{ fileId, name }] : []));
    return there.filter(({ fileId }, at) => there.findIndex((other) => other.fileId === fileId) === at);
  }

  add(files: readonly File[]): void {
    const room = MOST - this.items.length;
    if (files.length > room) this.ground.tooMany();
    const added = this.ground.uploads.add(files.slice(0, Math.max(0, room)), { instanceId: this.workspaceId, quiet: true });
    this.items = [...this.items, ...added.map((upload) => new OnItsWay(upload))];
    for (const upload of added) upload.done.then(() => this.#keep(), () => {}); // cancelled by the user, who knows
  }

  remove(item: Attachment): void {
    if (item instanceof OnItsWay) this.ground.uploads.dismiss(item.upload);
    this.items = this.items.filter((other) => other !== item);
    this.#keep();
  }

  /** These were sent with a message; what was added meanwhile belongs to the next one. */
  sent(files: readonly FileRef[]): void {
    const ids = files.map(({ fileId }) => fileId);
    this.#initial = [];
    for (const item of this.items) if (item.fileId && ids.includes(item.fileId)) this.remove(item);
    this.#keep();
  }

  #stored(id: string, known: FileRef | undefined): Attachment {
    return new Stored(id, known?.name, this.ground.look, (gone) => this.remove(gone));
  }

  #keep(): void {
    const ids = this.items.flatMap(({ fileId }) => fileId ?? []);
    const isAsBefore = ids.length === this.items.length && ids.join() === this.#initial.join();
    this.ground.keep(isAsBefore ? undefined : ids);
  }
}

class OnItsWay implements Attachment {
  constructor(readonly upload: Upload) {}

  get name(): string {
    return this.upload.file?.name ?? this.upload.name;
  }

  get mediaType(): string {
    return this.upload.file?.mediaType ?? this.upload.source.type;
  }

  get status(): Attachment['status'] {
    return this.upload.status === 'cancelled' ? 'failed' : this.upload.status;
  }

  get share(): number {
    return this.upload.size === 0 ? 0 : this.upload.sent / this.upload.size;
  }

  get problem(): Problem | null {
    return this.upload.problem;
  }

  get fileId(): string | undefined {
    return this.upload.file?.id;
  }

  retry(): void {
    this.upload.retry();
  }
}

/** A file of the workspace. One that is not there any more goes without a word: it cannot be sent anyway. */
class Stored implements Attachment {
  name = $state('');
  mediaType = $state('');
  status = $state<Attachment['status']>('checking');
  problem = $state.raw<Problem | null>(null);
  readonly share = 0;
  #look: () => Promise<StoredFile>;
  #gone: () => void;

  constructor(readonly fileId: string, name: string | undefined, look: Ground['look'], gone: (item: Stored) => void) {
    this.name = name ?? '';
    this.#look = () => look(fileId);
    this.#gone = () => gone(this);
    void this.#check();
  }

  retry(): void {
    if (this.status === 'failed') void this.#check();
  }

  async #check(): Promise<void> {
    this.status = 'checking';
    this.problem = null;
    try {
      const file = await this.#look();
      if (file.deletedAt) return this.#gone();
      [this.name, this.mediaType, this.status] = [file.name, file.mediaType, 'done'];
    } catch (cause) {
      const problem = Problem.of(cause);
      if (problem.code === 'notFound') return this.#gone();
      [this.problem, this.status] = [problem, 'failed'];
    }
  }
}
