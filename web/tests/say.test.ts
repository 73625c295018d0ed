import { describe, expect, it, vi } from 'vitest';
import { Problem } from '../src/lib/api/problem';
import { i18n } from '../src/lib/i18n/index.svelte';
import de from '../src/lib/i18n/later/de.json';
import { explain } from '../src/lib/state/say';

vi.stubGlobal('navigator', { language: 'de', languages: ['de'] });

describe('a problem with a model', () => {
  it('is told with the names of the provider and the model', () => {
    i18n.messages = de;
    const text = explain(new Problem('modelNotFound', 'No such model.', 0, '', { provider: 'OpenAI', model: 'gpt-0' }));
    expect(text).toMatch(/^Bei OpenAI gibt es kein Modell gpt-0\./);
  });

  it('is told in general where those are not known', () => {
    i18n.messages = de;
    expect(explain(new Problem('modelNotFound', 'No such model.'))).toBe(de['error.modelFailed']);
  });
});
