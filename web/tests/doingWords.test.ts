import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { doingWords } from '../src/lib/chat/doingWords';
import { i18n } from '../src/lib/i18n/index.svelte';
import en from '../src/lib/i18n/later/en.json';

vi.mock('../src/lib/models/providerLabel', () => ({ providerLabel: () => 'OpenAI' }));

const words = (code?: string) => doingWords({ activity: 'retry', details: { provider: 'openai', seconds: '20', ...(code ? { code } : {}) } }, 12);

describe('what a run is doing', () => {
  beforeAll(() => void (i18n.messages = en));
  afterAll(() => void (i18n.messages = {}));

  it('says before another try why it is needed, and how long it takes from now', () => {
    expect(words('modelBusy')).toMatch(/OpenAI takes no more requests.*12 sec/);
    expect(words('modelUnreachable')).toMatch(/OpenAI cannot be reached.*12 sec/);
    expect(words('modelBrokeOff')).toMatch(/OpenAI does not answer as it should.*12 sec/);
    expect(words()).toMatch(/OpenAI does not answer as it should/);
  });

  it('says how long the model has been reading', () => {
    expect(doingWords({ activity: 'modelReading', details: { model: 'm', seconds: '10' } }, 75)).toMatch(/still reading the question.*75 sec/);
  });

  it('takes a reason for nothing else', () => {
    expect(doingWords({ activity: 'model', details: { code: 'modelBusy' } }, 0)).toBe('Waiting for the model…');
  });
});
