/** What a run asks, in the language of the page. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Language } from '../src/lib/api/types';
import { askedText } from '../src/lib/chat/pauses/askedText';
import { i18n } from '../src/lib/i18n/index.svelte';
import de from '../src/lib/i18n/later/de.json';
import { toolTexts } from '../src/lib/tools/texts.svelte';
import { shippedTexts } from './toolTexts';

const deleting = (name: string, variant = '') => ({ kind: 'confirmation', version: 1, text: 'Delete the note “Milk”? It can be restored for thirty days.', name, variant, subject: '', untrusted: false, forRun: false }) as const;
const changing = { kind: 'proposal', version: 1, text: 'Change the note “Milk”?', name: 'Milk', before: '', after: '', data: {}, file: null } as const;

function speak(language: Language) {
  const texts = shippedTexts(language);
  vi.spyOn(toolTexts, 'of').mockImplementation((tool) => texts[tool]);
}

describe('a question', () => {
  afterEach(() => {
    i18n.messages = {};
    vi.restoreAllMocks();
  });

  it.each(['de', 'en', 'fr', 'pt', 'zh'] as const)('of a tool with texts is asked in %s, with the name of what it is about', (language) => {
    speak(language);
    const texts = shippedTexts(language);
    expect(askedText('deleteNote', deleting('Milk'))).toBe(texts['deleteNote']!.confirmation!.replace('{name}', 'Milk'));
    expect(askedText('editNote', changing)).toBe(texts['editNote']!.confirmation!.replace('{name}', 'Milk'));
    expect(askedText('deleteNote', deleting('Milk'))).toContain('Milk');
  });

  it.each(['de', 'en', 'fr', 'pt', 'zh'] as const)('of a tool with several confirmations is the one of what would be done, in %s', (language) => {
    speak(language);
    const { confirmations } = shippedTexts(language)['manage_skill']!;
    const asked = Object.keys(confirmations!).map((variant) => askedText('manage_skill', deleting('/minutes', variant)));
    expect(asked).toEqual(Object.values(confirmations!).map((text) => text.replace('{name}', '/minutes')));
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('is the same in English as in the words of the server', () => {
    speak('en');
    expect([askedText('deleteNote', deleting('Milk')), askedText('editNote', changing)]).toEqual([deleting('').text, changing.text]);
  });

  it('of a tool without texts, or of an older server, stands in its own words', () => {
    speak('de');
    expect(askedText('sendMail', deleting('Milk'))).toBe(deleting('').text);
    expect(askedText('listNotes', deleting('Milk'))).toBe(deleting('').text);
    expect(askedText('deleteNote', deleting(''))).toBe(deleting('').text);
  });

  it('without words names the tool', () => {
    i18n.messages = de;
    expect(askedText('sendMail', { ...deleting(''), text: '' })).toBe('Darf das ausgeführt werden: sendMail?');
  });
});
