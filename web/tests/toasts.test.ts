import { afterEach, describe, expect, it } from 'vitest';
import { toasts } from '../src/lib/state/toasts.svelte';

afterEach(() => toasts.items.forEach(({ id }) => toasts.dismiss(id)));

describe('toasts', () => {
  it('are shown in one place: in the dialog while one is open, then on the page again', () => {
    const [page, dialog] = [Symbol('page'), Symbol('dialog')];
    const leavePage = toasts.open(page);
    toasts.show('Saved.');
    const texts = (region: symbol) => toasts.at(region).map(({ text }) => text);
    expect(texts(page)).toEqual(['Saved.']);
    const leaveDialog = toasts.open(dialog);
    expect([texts(page), texts(dialog)]).toEqual([[], ['Saved.']]);
    leaveDialog();
    expect([texts(page), texts(dialog)]).toEqual([['Saved.'], []]);
    leavePage();
  });
});
