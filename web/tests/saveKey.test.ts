/** The key that saves what is being written. */
import { describe, expect, it, vi } from 'vitest';
import { onSaveKey } from '../src/lib/editing/saveKey';
import { dialogs } from '../src/lib/state/dialogs.svelte';

function press(keys: Partial<KeyboardEvent>) {
  const [preventDefault, save] = [vi.fn(), vi.fn()];
  onSaveKey({ ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, key: 's', preventDefault, ...keys } as KeyboardEvent, save);
  return [save.mock.calls.length, preventDefault.mock.calls.length];
}

describe('the key that saves', () => {
  it('is Ctrl+S or Cmd+S, whatever the case, and the browser saves no page', () => {
    expect([press({ ctrlKey: true }), press({ metaKey: true, key: 'S' })]).toEqual([[1, 1], [1, 1]]);
  });

  it.each([{}, { key: 'a', ctrlKey: true }, { ctrlKey: true, shiftKey: true }, { ctrlKey: true, altKey: true }])('is none of the others: %o', (keys) => {
    expect(press(keys)).toEqual([0, 0]);
  });

  it('saves once while it is held, and nothing below a dialog', () => {
    expect(press({ ctrlKey: true, repeat: true })).toEqual([0, 1]);
    dialogs.show({ kind: 'palette' });
    expect(press({ ctrlKey: true })).toEqual([0, 1]);
    dialogs.close();
  });
});
