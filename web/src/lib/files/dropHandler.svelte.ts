/** Handles files dragged over the window or pasted: they go where the pointer is, a folder, else the folder on the screen, else the
 * workspace. */
import { mount } from 'svelte';
import type { InstanceRef } from '../api/types';
import { page } from '../state/route.svelte';
import { dropReceiver, type Item } from './dropEvents';
import { readDropped } from './droppedEntries';
import DropOverlay from './DropOverlay.svelte';
import { folders } from './folders.svelte';
import { startUploads, type Place } from './startUploads';
import { readView } from './view';

class Hover {
  /** What the overlay says; nothing when nothing is dragged. */
  label = $state<{ folder?: string; workspace: string; other?: string } | null>(null);
}

export const hover = new Hover();
let hasOverlay = false;
let isOver = false;

/** `type` of the event: `dragenter`, `dragover`, `dragleave`, `left` (the window), `drop` or `paste`. */
export async function handleDropEvent(type: string, target: EventTarget | null, items: readonly Item[], workspace: InstanceRef): Promise<void> {
  if (type === 'paste') return pasted(items, workspace);
  if (type === 'drop') return dropped(target, items, workspace);
  if (type === 'left') return out();
  isOver ||= type === 'dragenter';
  if (!isOver) return; // it left, or was dropped, while this was on its way
  if (!hasOverlay) mount(DropOverlay, { target: document.body });
  hasOverlay = true;
  const { folderId } = placeOf(target, workspace);
  const folder = folders.get(folderId)?.name;
  const receiver = receiverAt(target);
  hover.label = { workspace: workspace.name, ...(folder ? { folder } : {}), ...(receiver ? { other: receiver.label() } : {}) };
}

function out(): void {
  isOver = false;
  hover.label = null;
}

async function dropped(target: EventTarget | null, items: readonly Item[], workspace: InstanceRef): Promise<void> {
  out();
  const receiver = receiverAt(target);
  const found = readDropped(items);
  const files = receiver ? await found.catch(() => []) : [];
  if (receiver && files.length > 0 && files.every(({ path, file }) => file && path.length === 0)) receiver.take(files.flatMap(({ file }) => file ?? []));
  else await startUploads(() => found, placeOf(target, workspace));
}

async function pasted(items: readonly Item[], workspace: InstanceRef): Promise<void> {
  const named = (await readDropped(items)).map(({ path, file }) => ({ path, ...(file ? { file: ownName(file) } : {}) }));
  if (dropReceiver.current) dropReceiver.current.take(named.flatMap(({ file }) => file ?? []));
  else await startUploads(() => named, placeOf(null, workspace));
}

/** Dropped on a folder, files go there and not to the receiver. */
function receiverAt(target: EventTarget | null) {
  return folderAt(target) === undefined ? dropReceiver.current : undefined;
}

function placeOf(target: EventTarget | null, workspace: InstanceRef): Place {
  const at = folderAt(target);
  const shown = page.route.page === 'files' ? folders.get(readView(page.query).folder)?.id : undefined;
  return { instanceId: workspace.id, folderId: at === undefined ? (shown ?? null) : at || null };
}

/** `''` for the top; nothing where there is no folder. */
function folderAt(target: EventTarget | null): string | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-folder]') : null;
  return element?.dataset['folder'];
}

/** Browsers call every pasted picture `image.png`: the second would become a version of the first. */
function ownName(file: File): File {
  if (!/^image\.\w+$/.test(file.name)) return file;
  const now = new Date();
  const stamp = [now.getFullYear(), now.getMonth() + 1, now.getDate(), now.getHours(), now.getMinutes(), now.getSeconds()].map((part) => String(part).padStart(2, '0'));
  return new File([file], `${stamp.slice(0, 3).join('-')} ${stamp.slice(3).join('.')}.${file.name.split('.').at(-1)}`, { type: file.type });
}
