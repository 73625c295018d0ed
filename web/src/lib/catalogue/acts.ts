/** What is done to one model of the catalogue from its row; each says what it did, with the way back. */
import { t } from '../i18n/index.svelte';
import { dialogs } from '../state/dialogs.svelte';
import { sayProblem } from '../state/say';
import { toasts } from '../state/toasts.svelte';
import type { MenuGroups } from '../ui/Menu.svelte';
import { put, undo } from './server';
import type { CataloguedModel, ProviderName } from './types';

export function menuOf(model: CataloguedModel): MenuGroups {
  const { state } = model;
  return [
    [
      ...(state === 'removed' ? [] : [{ label: t('catalogue.edit'), icon: 'pencil' as const, run: () => dialogs.show({ kind: 'catalogueEntry', model }) }]),
      ...(state === 'changed' || state === 'removed' ? [{ label: t('catalogue.reset'), icon: 'rotate-ccw' as const, run: () => void reset(model) }] : []),
    ],
    state === 'removed' ? [] : [{ label: t('catalogue.takeOut'), icon: 'trash-2' as const, danger: true, run: () => void takeOut(model) }],
  ];
}

// By revision, the message that offers to undo it.
const offered = new Map<number, number>();

export function sayDone(text: string, revision: number): void {
  const id = toasts.show(text, { action: { label: t('action.undo'), run: () => void takeBack(revision) } });
  offered.set(revision, id);
}

/** Undoes a revision; what still offered to do so goes. */
export async function undoAndSay(revision: number): Promise<void> {
  await undo(revision);
  const id = offered.get(revision);
  if (id !== undefined) toasts.dismiss(id);
  offered.delete(revision);
  toasts.show(t('catalogue.undone'));
}

export async function takeBack(revision: number): Promise<void> {
  try {
    await undoAndSay(revision);
  } catch (cause) {
    sayProblem(cause);
  }
}

async function reset(model: CataloguedModel): Promise<void> {
  await change(model, true, t('catalogue.wasReset', { name: model.described.entry.label }));
}

async function takeOut(model: CataloguedModel): Promise<void> {
  await change(model, false, t('catalogue.wasTakenOut', { name: model.described.entry.label }));
}

async function change({ provider, model }: CataloguedModel, reset: boolean, done: string): Promise<void> {
  try {
    const { revision, isNew } = await put({ provider: provider as ProviderName, model, after: null, reset });
    if (isNew) sayDone(done, revision);
  } catch (cause) {
    sayProblem(cause);
  }
}
