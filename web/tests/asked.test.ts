/** What a run asks, in the language of the page. */
import { afterEach, describe, expect, it } from 'vitest';
import { askedText } from '../src/lib/chat/pauses/askedText';
import { i18n } from '../src/lib/i18n/index.svelte';
import de from '../src/lib/i18n/later/de.json';
import en from '../src/lib/i18n/later/en.json';
import fr from '../src/lib/i18n/later/fr.json';
import pt from '../src/lib/i18n/later/pt.json';
import zh from '../src/lib/i18n/later/zh.json';

const deleting = (name: string) => ({ kind: 'confirmation', version: 1, text: 'Delete the note “Milk”? It can be restored for thirty days.', name, untrusted: false, forRun: false }) as const;
const changing = { kind: 'proposal', version: 1, text: 'Change the note “Milk”?', name: 'Milk', before: '', after: '', data: {} } as const;

describe('a question', () => {
  afterEach(() => {
    i18n.messages = {};
  });

  it.each(Object.entries({ de, en, fr, pt, zh }))('of ours is asked in %s, with the name of what it is about', (_, texts) => {
    i18n.messages = texts;
    expect(askedText('deleteNote', deleting('Milk'))).toBe(texts['ask.deleteNote'].replace('{name}', 'Milk'));
    expect(askedText('editNote', changing)).toBe(texts['ask.editNote'].replace('{name}', 'Milk'));
  });

  it('is the same in English as in the words of the server', () => {
    i18n.messages = en;
    expect([askedText('deleteNote', deleting('Milk')), askedText('editNote', changing)]).toEqual([deleting('').text, changing.text]);
  });

  it('of others, or of an older server, stands in its own words', () => {
    i18n.messages = de;
    expect(askedText('sendMail', deleting('Milk'))).toBe(deleting('').text);
    expect(askedText('deleteNote', deleting(''))).toBe(deleting('').text);
  });

  it('without words names the tool', () => {
    i18n.messages = de;
    expect(askedText('sendMail', { ...deleting(''), text: '' })).toBe('Darf sendMail ausgeführt werden?');
  });
});
