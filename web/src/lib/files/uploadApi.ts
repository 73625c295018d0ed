/** The five requests of an upload; whatever fails is thrown as a `Problem`. */
import { api, take } from '../api/client';
import { Problem } from '../api/problem';
import type { StoredFile } from '../api/types';

export interface Begun {
  uploadId: string;
  offset: number;
  chunkSize: number;
}

export interface NewUpload {
  instanceId: string;
  name: string;
  size: number;
  folderId: string | null;
  mediaType: string | null;
}

export interface UploadApi {
  begin(upload: NewUpload, signal: AbortSignal): Promise<Begun>;
  /** How much has arrived for good. */
  offset(uploadId: string, signal: AbortSignal): Promise<number>;
  /** Sends one chunk; `moved` is called with the bytes sent so far. Returns where the next one begins. */
  append(uploadId: string, offset: number, chunk: Blob, moved: (bytes: number) => void, signal: AbortSignal): Promise<number>;
  finish(uploadId: string, signal: AbortSignal): Promise<StoredFile>;
  cancel(uploadId: string): Promise<void>;
}

export const uploadApi: UploadApi = {
  begin: ({ instanceId, ...body }, signal) => take(api.POST('/api/workspace/{instanceId}/uploads', { params: { path: { instanceId } }, body, signal })),
  offset: async (uploadId, signal) => (await take(api.GET('/api/uploads/{uploadId}', { params: { path: { uploadId } }, signal }))).offset,
  append: send,
  finish: (uploadId, signal) => take(api.POST('/api/uploads/{uploadId}/finish', { params: { path: { uploadId } }, body: {}, signal })),
  cancel: async (uploadId) => void (await take(api.DELETE('/api/uploads/{uploadId}', { params: { path: { uploadId } } }))),
};

/** Not `fetch`: that reports no progress of what it sends. */
function send(uploadId: string, offset: number, chunk: Blob, moved: (bytes: number) => void, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const ended = (how: () => void) => () => {
      signal.removeEventListener('abort', stop);
      how();
    };
    request.open('PATCH', `/api/uploads/${uploadId}`);
    request.setRequestHeader('Upload-Offset', String(offset));
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded }) => moved(loaded);
    request.onload = ended(() => {
      const body = read(request.responseText);
      if (request.status === 200) resolve((body as { offset: number }).offset);
      else reject(Problem.from(body, { status: request.status, headers: new Headers({ 'retry-after': request.getResponseHeader('retry-after') ?? '' }) }));
    });
    request.onerror = ended(() => reject(Problem.network()));
    request.onabort = ended(() => reject(new DOMException('stopped', 'AbortError')));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) return reject(new DOMException('stopped', 'AbortError'));
    request.send(chunk);
  });
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
