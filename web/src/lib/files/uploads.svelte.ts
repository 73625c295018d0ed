/** Everything being uploaded, whatever page is open: three at a time, the others wait for their turn.
 *
 *     const [upload] = uploads.add(files, { instanceId, folderId });
 *     upload.sent / upload.size / upload.status / upload.problem      reactive, for showing it
 *     const file = await upload.done                                  the stored file; rejected when it is cancelled
 *     upload.cancel(), upload.retry()
 *
 * `quiet: true` where they are shown elsewhere (in the composer): the tray leaves them out. On the first page: `const { uploads } = await loadFiles()` (`load.ts`).
 */
import { live } from '../state/live.svelte';
import { Upload, type Pause, type UploadTarget } from './upload.svelte';
import { uploadApi, type UploadApi } from './uploadApi';

export type { Upload, UploadStatus, UploadTarget } from './upload.svelte';

const AT_A_TIME = 3;

export class Uploads {
  items = $state.raw<readonly Upload[]>([]);
  #running = 0;
  #api: UploadApi;
  #pause: Pause;
  #stored: () => void;

  constructor(api: UploadApi, pause: Pause, stored: () => void) {
    this.#api = api;
    this.#pause = pause;
    this.#stored = stored;
  }

  add(files: readonly File[], target: UploadTarget): Upload[] {
    const added = files.map((file) => new Upload(file, target, this.#api, this.#pause, () => this.#next()));
    this.items = [...this.items, ...added];
    this.#next();
    return added;
  }

  /** What is not over yet. */
  get open(): readonly Upload[] {
    return this.items.filter(({ status }) => status === 'waiting' || status === 'sending' || status === 'stalled');
  }

  /** Forget one that is over, or that failed. */
  dismiss(upload: Upload): void {
    upload.cancel();
    this.items = this.items.filter((other) => other !== upload);
  }

  /** Forget all that are over. */
  tidy(): void {
    this.items = this.items.filter((upload) => !upload.isOver);
  }

  cancelAll(): void {
    for (const upload of this.items) upload.cancel();
    this.tidy();
  }

  #next(): void {
    while (this.#running < AT_A_TIME) {
      const upload = this.items.find(({ status }) => status === 'waiting');
      if (!upload) return;
      this.#running += 1;
      void upload.run().finally(() => {
        this.#running -= 1;
        if (upload.status === 'done') this.#stored();
        this.#next();
      });
    }
  }
}

/** Until the time is up, the network is back, or the upload is cancelled. */
const pause: Pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(over, ms);
    addEventListener('online', over, { once: true });
    signal.addEventListener('abort', over, { once: true });
    function over(): void {
      clearTimeout(timer);
      removeEventListener('online', over);
      resolve();
    }
  });

export const uploads = new Uploads(uploadApi, pause, () => live.changed('file'));
