import { afterEach, describe, expect, it } from 'vitest';
import { notStoredText } from '../src/lib/chat/pauses/notStoredText';
import { i18n } from '../src/lib/i18n/index.svelte';
import en from '../src/lib/i18n/later/en.json';

describe('what was accepted and could not be stored', () => {
  afterEach(() => {
    i18n.messages = {};
  });

  it('is said with the lines that are in the way', () => {
    i18n.messages = en;
    expect(notStoredText({ status: 'error', data: { conflictLines: [4, 12] } })).toContain('(4, 12)');
    expect(notStoredText({ status: 'error', data: {} })).toBe(en['diff.notStored']);
    expect(notStoredText({ status: 'ok', data: {} })).toBeUndefined();
    expect(notStoredText(null)).toBeUndefined();
  });
});
