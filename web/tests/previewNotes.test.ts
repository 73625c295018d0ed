/** What the server notes about a file, in the reader's language. */
import { beforeAll, describe, expect, it } from 'vitest';
import { i18n } from '../src/lib/i18n/index.svelte';
import later from '../src/lib/i18n/later/en.json';
import { noteText } from '../src/lib/preview/facts';

beforeAll(() => {
  i18n.messages = later;
});

describe('notes', () => {
  it('name the pages and slides that are pictures', () => {
    expect(noteText('Page 3 is an image; text recognition is not installed.')).toBe('Pages that are images: 3. Text recognition is not installed, so what stands on them cannot be read or searched.');
    expect(noteText('Pages 3, 5-9 are images; text recognition can read them.')).toBe('Pages that are images: 3, 5–9. Text recognition can read them.');
    expect(noteText('Slides 1-2, 4 and more are images; text recognition is not installed.')).toBe('Slides that are images: 1–2, 4 …. Text recognition is not installed, so what stands on them cannot be read or searched.');
    expect(noteText('Slide 2 is an image; text recognition can read it.')).toBe('Slides that are images: 2. Text recognition can read them.');
  });

  it('name those without text', () => {
    expect(noteText('Page 4 has no text.')).toBe('Pages without text: 4.');
    expect(noteText('Slides 4, 7 have no text.')).toBe('Slides without text: 4, 7.');
  });

  it('stand as they are where nobody knows the sentence', () => {
    expect(noteText('Only the first 1,000 of 2,000 sheets are read.')).toBe('Only the first 1,000 of 2,000 sheets are read.');
    expect(noteText('Page numbers are estimated: page numbers are estimated.')).toContain('estimated');
  });
});
