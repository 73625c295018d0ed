/** One model of the catalogue while it is being written, and what the server is sent of it. Pure. */
import { amountOf, plain } from '../models/amount';
import type { Described, DollarPrice, ProviderName, Wanted } from './types';

export interface Amounts {
  input: string;
  cached: string;
  written: string;
  output: string;
}

export interface PriceDraft extends Amounts {
  since: string;
  /** Prompts with more tokens are dearer; empty: they are not. */
  above: string;
  long: Amounts;
}

export interface Draft {
  provider: ProviderName;
  id: string;
  label: string;
  contextTokens: string;
  outputTokens: string;
  tools: boolean;
  images: boolean;
  prices: PriceDraft[];
  type: string;
  template: string;
  assertiveness: string;
  memory: string;
  handling: string[];
}

const NO_AMOUNTS: Amounts = { input: '', cached: '', written: '', output: '' };

export function emptyPrice(since = ''): PriceDraft {
  return { ...NO_AMOUNTS, since, above: '', long: { ...NO_AMOUNTS } };
}

export function newDraft(): Draft {
  return {
    provider: 'openai',
    id: '',
    label: '',
    contextTokens: '128000',
    outputTokens: '8192',
    tools: true,
    images: false,
    prices: [emptyPrice()],
    ...strategyFields({ type: 'gpt-standard', agentSwitchTemplate: 'simple', assertiveness: 'medium', contextualMemory: 'medium', specialHandling: ['role-override'] }),
  };
}

export function draftOf(provider: ProviderName, { entry, strategy }: Described): Draft {
  const { id, label, tools, images } = entry;
  return {
    ...newDraft(),
    ...{ provider, id, label, tools, images },
    contextTokens: String(entry.contextTokens),
    outputTokens: String(entry.outputTokens),
    prices: entry.prices.map((price) => ({
      ...amounts(price),
      since: price.since ?? '',
      above: price.longPrompt ? String(price.longPrompt.above) : '',
      long: price.longPrompt ? amounts(price.longPrompt) : { ...NO_AMOUNTS },
    })),
    ...(strategy ? strategyFields(strategy) : {}),
  };
}

/** In the JSON of the files. What is no number goes as it was typed: the server says what belongs there. */
export function wantedOf(draft: Draft): Wanted {
  const id = draft.id.trim();
  const entry = {
    id,
    label: draft.label.trim(),
    contextTokens: numberOf(draft.contextTokens),
    outputTokens: numberOf(draft.outputTokens),
    tools: draft.tools,
    images: draft.images,
    prices: draft.prices.map((price) => ({
      ...(price.since ? { since: price.since } : {}),
      ...stored(price),
      ...(price.above.trim() ? { longPrompt: { above: numberOf(price.above), ...stored(price.long) } } : {}),
    })),
  };
  const strategy = {
    type: draft.type,
    agentSwitchTemplate: draft.template,
    assertiveness: draft.assertiveness,
    contextualMemory: draft.memory,
    specialHandling: draft.handling,
  };
  return { provider: draft.provider, model: id, after: { entry, strategy }, reset: false };
}

function strategyFields(strategy: NonNullable<Described['strategy']>): Pick<Draft, 'type' | 'template' | 'assertiveness' | 'memory' | 'handling'> {
  const { type, agentSwitchTemplate: template, assertiveness, contextualMemory: memory, specialHandling: handling } = strategy;
  return { type, template, assertiveness, memory, handling: [...handling] };
}

function amounts(price: Pick<DollarPrice, keyof Amounts>): Amounts {
  const text = (amount: string | null | undefined) => plain(amount ?? '');
  return { input: text(price.input), cached: text(price.cached), written: text(price.written), output: text(price.output) };
}

/** What is left empty costs as much as what goes in, and is left out. */
function stored(typed: Amounts): Record<string, string> {
  const { input, cached, written, output } = typed;
  const named = Object.entries({ input, cached, written, output }).filter(([name, text]) => name === 'input' || name === 'output' || text.trim() !== '');
  return Object.fromEntries(named.map(([name, text]) => [name, amountOf(text) ?? text.trim()]));
}

function numberOf(typed: string): number | string {
  const text = typed.replaceAll(/['’\s]/g, '');
  return /^\d+$/.test(text) ? Number(text) : text;
}
