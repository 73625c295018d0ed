/** Who sees files: with everybody only after it was asked, and always with a way back. Problems are said, not thrown. */
import { api, take } from '../api/client';
import type { StoredFile, Visibility } from '../api/types';
import { t, tn } from '../i18n/index.svelte';
import { dialogs } from '../state/dialogs.svelte';
import { live } from '../state/live.svelte';
import { sayProblem } from '../state/say';
import { toasts } from '../state/toasts.svelte';
import { isMine, maySharing } from './may';

const MOST_AT_ONCE = 500;
const ALL_WAYS: readonly Visibility[] = ['MY', 'GROUP', 'ALL'];

/** With whom the user may share all of these. */
export function sharable(files: readonly StoredFile[]): Visibility[] {
  return ALL_WAYS.filter((whom) => files.every((file) => maySharing(file).includes(whom)));
}

/** With whom it is shared, in a few words. */
export function sharedText(visibility: Visibility, files: readonly StoredFile[]): string {
  if (visibility !== 'MY') return t(`visibility.${visibility}`);
  if (!areMine(files)) return t('files.private');
  const count = Math.max(...files.map(({ sharedWith = [] }) => sharedWith.length));
  return count > 0 ? tn('sharing.meAnd', count) : t('visibility.MY');
}

/** Asks first where it goes further than one may think. “Only me” is without the persons it was shared with, too. */
export function share(files: readonly StoredFile[], whom: Visibility): void {
  const persons = whom === 'MY' && areMine(files) ? [] : undefined;
  const changed = files.filter(({ visibility, sharedWith = [] }) => visibility !== whom || (persons && sharedWith.length > 0));
  if (changed.length === 0) return;
  if (whom !== 'ALL') {
    void shareNow(changed, whom, persons).catch(sayProblem);
    return;
  }
  dialogs.confirm({
    title: changed.length === 1 ? t('sharing.allOne', { name: changed[0]!.name }) : tn('sharing.allMany', changed.length),
    text: t('sharing.allText'),
    action: t('sharing.all'),
    calm: true,
    run: () => shareNow(changed, whom),
  });
}

/** With these persons as well; without them, the persons stay as they are. */
export async function shareNow(files: readonly StoredFile[], whom: Visibility, persons?: readonly string[]): Promise<void> {
  await tell(files, whom, persons);
  const after = files.map((file) => (persons ? { ...file, sharedWith: [...persons] } : file));
  const text = tn('files.sharedToast', files.length, { whom: sharedText(whom, after) });
  // What is private to its owner again is out of reach for everybody else, also for who took it back.
  const undoing = { action: { label: t('action.undo'), run: () => void undo(files).catch(sayProblem) } };
  toasts.show(text, whom === 'MY' && !areMine(files) ? {} : undoing);
}

/** Each to those who saw it before. */
async function undo(files: readonly StoredFile[]): Promise<void> {
  const wayOf = ({ visibility, ownerId, sharedWith = [] }: StoredFile) => JSON.stringify([visibility, isMine(ownerId) ? sharedWith : null]);
  for (const way of new Set(files.map(wayOf))) {
    const [visibility, persons] = JSON.parse(way) as [Visibility, string[] | null];
    await tell(files.filter((file) => wayOf(file) === way), visibility, persons ?? undefined);
  }
}

async function tell(files: readonly StoredFile[], visibility: Visibility, persons?: readonly string[]): Promise<void> {
  const sharedWith = persons ? { sharedWith: [...persons] } : {};
  try {
    for (let at = 0; at < files.length; at += MOST_AT_ONCE) {
      const fileIds = files.slice(at, at + MOST_AT_ONCE).map(({ id }) => id);
      await take(api.POST('/api/files/share', { body: { fileIds, visibility, ...sharedWith } }));
    }
  } finally {
    live.changed('file');
  }
}

function areMine(files: readonly StoredFile[]): boolean {
  return files.every(({ ownerId }) => isMine(ownerId));
}
