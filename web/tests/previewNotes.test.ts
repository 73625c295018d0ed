/** What the server notes about a file, in the reader's language. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { i18n } from '../src/lib/i18n/index.svelte';
import later from '../src/lib/i18n/later/en.json';
import french from '../src/lib/i18n/later/fr.json';
import { countsOf, noteText, propertiesOf } from '../src/lib/preview/facts';
import type { Structure } from '../src/lib/preview/types';

beforeAll(() => {
  i18n.messages = later;
});

describe('facts', () => {
  it('have a name for all that is counted in documents', () => {
    const properties = { pagesWithoutText: '3', textBlocks: '1', objects: '2', chapters: '4', media: '5' };
    const structure = { properties } as unknown as Parameters<typeof propertiesOf>[0];
    expect(propertiesOf(structure).map(({ label }) => label)).toEqual(['Pages without text', 'Text parts', 'Objects', 'Chapters', 'Recordings']);
  });
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

describe('facts', () => {
  const photo = { counts: { images: 1, frames: 1 }, properties: { format: 'JPEG', taken: '2024:05:01 12:30:00', camera: 'Pixel 8', orientation: '6', size: '1021 x 1423' } } as unknown as Structure;

  it('of a photo are told in the language of the reader', () => {
    vi.stubGlobal('navigator', { languages: ['fr-CH'] });
    i18n.messages = french;
    const told = [...countsOf(photo), ...propertiesOf(photo)].map(({ label, value }) => `${label}: ${value}`);
    i18n.messages = later;
    expect(told.filter((line) => !line.startsWith('Prise le'))).toEqual(['Images: 1', 'Format: JPEG', 'Appareil photo: Pixel 8', 'Dimensions: 1021 × 1423']);
    expect(told.join(' ')).not.toContain('2024:05:01');
  });
});
