/** Listens to files dragged into the window or pasted, on every page. Small, since it is part of the first page: the code that
 * handles them is fetched with the first event (`dropHandler.svelte.ts`). */
import { current } from '../panels/current.svelte';
import { sayProblem } from '../state/say';
import { session } from '../state/session.svelte';
import { loadFiles } from './load';

/** A part of the page that takes dropped and pasted files while it is on the screen, such as the composer of a message. */
export interface Receiver {
  /** What happens to the files, as the overlay says it. */
  label: () => string;
  take: (files: File[]) => void;
}

export type Item = FileSystemEntry | File | null;

export const dropReceiver: { current: Receiver | undefined } = { current: undefined };

// One promise for all, so that what comes first is done first: a drop must not be overtaken by the drag that led to it.
let handler: ReturnType<typeof loadFiles> | undefined;

export function onDropEvent(event: DragEvent | ClipboardEvent): void {
  const { type, target } = event;
  const given = 'clipboardData' in event ? event.clipboardData : event.dataTransfer;
  const inText = type === 'paste' && (target as Element).closest('input, textarea, [contenteditable]');
  if (event.defaultPrevented || inText || !given?.types.includes('Files')) return;
  event.preventDefault(); // or the browser would leave the page for the file
  const workspace = current.workspace;
  if (!workspace || !session.may('storeFiles')) return;
  // Readable only now, while the event lasts.
  const items: Item[] = /^(drop|paste)$/.test(type) ? Array.from(given.items, (item) => item.webkitGetAsEntry() ?? item.getAsFile()) : [];
  const isLeaving = type === 'dragleave' && (event as DragEvent).relatedTarget === null;
  handler ??= loadFiles();
  handler.then(({ handleDropEvent }) => handleDropEvent(isLeaving ? 'left' : type, target, items, workspace)).catch((cause: unknown) => {
    handler = undefined;
    if (items.length > 0) sayProblem(cause);
  });
}
