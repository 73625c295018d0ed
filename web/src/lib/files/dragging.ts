/** Rows dragged onto folders, on the page or in the tree: every element with `data-folder` is one (`''` is the top). */
import type { Folder, StoredFile } from '../api/types';
import { t, tn } from '../i18n/index.svelte';
import type { FileBrowser } from './browser.svelte';
import { moveFolder } from './changes';
import { folders } from './folders.svelte';
import { moveHere } from './menus';
import { isWithin } from './tree';

type Carried = { ids: readonly string[] } | { folder: Folder };

// While something is dragged, browsers reveal only its type; so what is dragged is kept here.
let carried: Carried | null = null;
let over: HTMLElement | null = null;

export function startDrag(event: DragEvent, browser: FileBrowser, file: StoredFile): void {
  if (!browser.selection.has(file.id)) browser.selection.pick(file.id, browser.order);
  const files = browser.selected;
  start(event, { ids: files.map(({ id }) => id) }, files.length === 1 ? file.name : tn('files.count', files.length));
}

export function startFolderDrag(event: DragEvent, folder: Folder): void {
  start(event, { folder }, folder.name);
}

function start(event: DragEvent, what: Carried, label: string): void {
  carried = what;
  if (!event.dataTransfer) return;
  event.dataTransfer.effectAllowed = 'move';
  event.dataTransfer.setData('text/plain', label);
  const ghost = Object.assign(document.createElement('div'), { className: 'drag-ghost', textContent: label });
  document.body.append(ghost);
  event.dataTransfer.setDragImage(ghost, -8, 12);
  setTimeout(() => ghost.remove());
}

/** Listen on the whole document while the page of files is there; returns the way to stop. */
export function takeDrops(browser: FileBrowser): () => void {
  const targetOf = ({ target }: DragEvent) => (target instanceof Element ? target.closest<HTMLElement>('[data-folder]') : null);
  const mark = (element: HTMLElement | null) => {
    over?.removeAttribute('data-over');
    over = element;
    over?.setAttribute('data-over', '');
  };
  const dragover = (event: DragEvent) => {
    const target = targetOf(event);
    const isFiles = event.dataTransfer?.types.includes('Files') === true;
    const fits = target !== null && (carried ? accepts(carried, target.dataset['folder'] || null) : isFiles);
    mark(fits ? target : null);
    if (fits && carried) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    const target = targetOf(event);
    mark(null);
    if (!carried || !target) return;
    event.preventDefault();
    const to = target.dataset['folder'] || null;
    if ('ids' in carried) moveHere(browser, carried.ids, to);
    else void moveFolder(carried.folder, to, folders.get(to)?.name ?? t('files.all'));
  };
  const end = () => {
    carried = null;
    mark(null);
  };
  const listeners = { dragover, drop, dragend: end, dragleave: (event: DragEvent) => event.relatedTarget === null && mark(null) };
  for (const [name, listen] of Object.entries(listeners)) document.addEventListener(name, listen as EventListener);
  return () => {
    end();
    for (const [name, listen] of Object.entries(listeners)) document.removeEventListener(name, listen as EventListener);
  };
}

/** A folder does not go into itself. */
function accepts(what: Carried, to: string | null): boolean {
  return !('folder' in what) || (!isWithin(folders.items, to, what.folder.id) && what.folder.parentId !== to);
}
