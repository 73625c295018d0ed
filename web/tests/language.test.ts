/** Which language a page has, while texts and answers are on their way. */
import { beforeEach, expect, it, vi } from 'vitest';

vi.stubGlobal('document', { documentElement: { lang: '' } });
vi.stubGlobal('navigator', { languages: ['en-GB'] });
const { i18n } = await import('../src/lib/i18n/index.svelte');

beforeEach(() => i18n.use('en'));

it('is the one the user chose last', async () => {
  await Promise.all([i18n.choose('de'), i18n.choose('fr')]);
  expect([i18n.language, document.documentElement.lang]).toEqual(['fr', 'fr']);
});

it('is not put back by a profile that comes while the texts of a choice are fetched', async () => {
  await i18n.choose('de');
  const choosing = i18n.choose('fr');
  await i18n.follow('de'); // what the choice before was answered with
  await choosing;
  expect(i18n.language).toBe('fr');
});

it('follows the profile otherwise, also after a choice whose texts could not be fetched', async () => {
  await expect(i18n.choose('tlh' as 'en')).rejects.toThrow();
  await i18n.follow('pt');
  expect(i18n.language).toBe('pt');
});
