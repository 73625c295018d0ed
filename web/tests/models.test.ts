import { describe, expect, it } from 'vitest';
import { formatNumber, i18n } from '../src/lib/i18n/index.svelte';
import de from '../src/lib/i18n/later/de.json';
import { amountOf, plain } from '../src/lib/models/amount';
import { isChoosable, MINILM, MULTILINGUAL, STATIC } from '../src/lib/models/embedders';
import { factsText } from '../src/lib/models/factsText';
import { modelName } from '../src/lib/models/modelName';
import { nameFrom } from '../src/lib/models/nameFrom';
import type { Agent } from '../src/lib/agents/types';
import { shorterAgent } from '../src/lib/agents/shorter';

describe('amounts', () => {
  it.each([
    ['0.80', '0.80'],
    ['0,8', '0.8'],
    [" 1'250 ", '1250'],
    ['', undefined],
    ['-1', undefined],
    ['1.2.3', undefined],
    ['1e3', undefined],
    ['a lot', undefined],
  ])('are read as people type them: %s', (typed, amount) => {
    expect(amountOf(typed)).toBe(amount);
  });

  it.each([
    ['1.2500', '1.25'],
    ['10.0000', '10'],
    ['100', '100'],
    ['0.0000', '0'],
    ['', ''],
  ])('are written as short as they can be: %s', (amount, text) => {
    expect(plain(amount)).toBe(text);
  });
});

describe('names of servers', () => {
  it.each([
    ['GPU server', 'gpu-server'],
    ['Rechner im Büro (2)', 'rechner-im-buro-2'],
    ['服务器', 'server'],
    ['--', 'server'],
    ['x'.repeat(39) + ' y', 'x'.repeat(39)],
  ])('are made of what the server takes: %s', (label, name) => {
    expect(nameFrom(label)).toBe(name);
    expect(name).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/);
  });
});

describe('models that make vectors', () => {
  it.each([
    ['own/bge-m3', true],
    [MINILM, true],
    [STATIC, true],
    [MULTILINGUAL, false],
  ])('are chosen, unless they count without a choice: %s', (model, choosable) => {
    expect(isChoosable({ model })).toBe(choosable);
  });

  it('have names of the reader’s language where they work on this machine', () => {
    i18n.messages = de;
    expect(modelName({ model: MINILM, label: 'MiniLM (English, on this machine)' })).toBe('MiniLM (Englisch, auf diesem Rechner)');
    expect(modelName({ model: 'own/bge-m3', label: 'bge-m3' })).toBe('bge-m3');
  });
});

describe('what a server says of its models', () => {
  it.each([
    [{ contextTokens: 4096, tools: true, images: true, structured: true }, `liest bis zu ${formatNumber(4096)} Token · ruft Werkzeuge selbst auf · sieht Bilder · hält Antworten an ein Schema`],
    [{ contextTokens: null, tools: false, images: false, structured: null }, 'ruft Werkzeuge per Text auf · sieht keine Bilder'],
    [{ contextTokens: null, tools: null, images: null, structured: null }, ''],
    [null, ''],
  ])('is shown in words: %o', (facts, text) => {
    i18n.messages = de;
    expect(factsText({ facts })).toBe(text);
  });
});

describe('the agent for small models', () => {
  const agent = (slug: string, builtin = true) => ({ id: slug, slug, builtin }) as Agent;
  const [assistant, small, editor] = [agent('assistant'), agent('small-assistant'), agent('editor')];
  const here = { all: [assistant, agent('small-assistant', false), small, editor], assistant };

  it.each([
    ['a small model as the Assistant', assistant, { small: true }, small],
    ['a large model', assistant, { small: false }, undefined],
    ['no model', assistant, undefined, undefined],
    ['another agent', editor, { small: true }, undefined],
    ['the agent itself', small, { small: true }, undefined],
    ['agents that are not known yet', undefined, { small: true }, undefined],
  ])('is offered for: %s', (_, active, model, offered) => {
    expect(shorterAgent(here, active, model)).toBe(offered);
  });

  it('is not offered where it may not be used', () => {
    expect(shorterAgent({ all: [assistant], assistant }, assistant, { small: true })).toBeUndefined();
  });
});
