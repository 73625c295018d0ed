import { afterEach, describe, expect, it } from 'vitest';
import { notStoredText } from '../src/lib/chat/pauses/notStoredText';
import { decoded } from '../src/lib/files/versionTexts';
import { i18n } from '../src/lib/i18n/index.svelte';
import en from '../src/lib/i18n/later/en.json';

const bytes = (...values: number[]) => new Uint8Array(values).buffer;

describe('a version of a file, to be compared', () => {
  it.each([
    ['UTF-8', bytes(0x47, 0x72, 0xc3, 0xbc, 0xc3, 0x9f), 'Grüß'],
    ['UTF-8 with a mark', bytes(0xef, 0xbb, 0xbf, 0x61), 'a'],
    ['Latin-1', bytes(0x47, 0x72, 0xfc, 0xdf), 'Grüß'],
    ['UTF-16', bytes(0xff, 0xfe, 0xfc, 0), 'ü'],
    ['other line ends', bytes(0x61, 13, 10, 0x62, 13, 0x63, 10), 'a\nb\nc\n'],
  ])('is read as %s', (_, data, text) => {
    expect(decoded(data)).toBe(text);
  });

  it('is no text with zero bytes in it, or when it is very long', () => {
    expect(decoded(bytes(0x89, 0x50, 0, 1))).toBeNull();
    expect(decoded(new ArrayBuffer(2_000_001))).toBeNull();
  });
});

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
