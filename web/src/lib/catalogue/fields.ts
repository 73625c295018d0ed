/** What is known of a model, field by field, and what of it is different. Pure. */
import type { CatalogueChange, Described, DollarPrice } from './types';

export const FIELDS = ['label', 'contextTokens', 'outputTokens', 'tools', 'images', 'input', 'cached', 'written', 'output', 'above', 'type', 'agentSwitchTemplate', 'assertiveness', 'contextualMemory', 'specialHandling'] as const;
export type FieldName = (typeof FIELDS)[number];

export interface Fact {
  name: FieldName;
  /** Of a price that holds from a day on. */
  since: string;
  /** Of the price of long prompts. */
  long: boolean;
  value: string;
}

export interface Difference extends Omit<Fact, 'value'> {
  before: string | undefined;
  after: string | undefined;
}

type Amounts = Pick<DollarPrice, 'input' | 'cached' | 'written' | 'output'>;

export function factsOf({ entry, strategy }: Described): Fact[] {
  const plain = (name: FieldName, value: unknown): Fact => ({ name, since: '', long: false, value: String(value) });
  return [
    plain('label', entry.label),
    plain('contextTokens', entry.contextTokens),
    plain('outputTokens', entry.outputTokens),
    plain('tools', entry.tools),
    plain('images', entry.images),
    ...entry.prices.flatMap((price) => pricesOf(price)),
    ...(strategy
      ? [
          plain('type', strategy.type),
          plain('agentSwitchTemplate', strategy.agentSwitchTemplate),
          plain('assertiveness', strategy.assertiveness),
          plain('contextualMemory', strategy.contextualMemory),
          plain('specialHandling', [...strategy.specialHandling].sort().join(' ')),
        ]
      : []),
  ];
}

/** Only what differs; everything of a model that is new or gone. */
export function differences({ before, after }: Pick<CatalogueChange, 'before' | 'after'>): Difference[] {
  const [old, young] = [before, after].map((one) => new Map((one ? factsOf(one) : []).map((fact) => [keyOf(fact), fact])));
  const keys = new Set([...old!.keys(), ...young!.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [old!.get(key), young!.get(key)];
    const { name, since, long } = (was ?? is)!;
    return was?.value === is?.value ? [] : [{ name, since, long, before: was?.value, after: is?.value }];
  });
}

export type Kind = 'added' | 'changed' | 'removed';

/** In the order in which they are told; what goes warns. */
export const KINDS = [
  { kind: 'added', tone: 'ok' },
  { kind: 'changed', tone: 'accent' },
  { kind: 'removed', tone: 'warn' },
] as const satisfies readonly { kind: Kind; tone: string }[];

export function kindOf({ before, after }: Pick<CatalogueChange, 'before' | 'after'>): Kind {
  if (before === null) return 'added';
  return after === null ? 'removed' : 'changed';
}

/** A provider's two files, as the product ships them. */
export function asFiles(models: readonly { described: Described }[]): { prices: string; strategies: string } {
  const lines = (name: string, items: readonly unknown[]) => `{\n  "${name}": [\n${items.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]\n}\n`;
  return {
    prices: lines('models', models.map(({ described }) => ({ ...described.entry, prices: described.entry.prices.map(withoutNull) }))),
    strategies: lines('strategies', models.flatMap(({ described: { entry, strategy } }) => (strategy ? [{ modelId: entry.id, strategy }] : []))),
  };
}

/** Which of the two files a text is; undefined when one cannot tell. */
export function partOf(text: string): 'prices' | 'strategies' | undefined {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null) return undefined;
    return 'strategies' in read ? 'strategies' : 'models' in read ? 'prices' : undefined;
  } catch {
    return undefined;
  }
}

/** What a file leaves out is null on the wire. */
export function withoutNull(price: DollarPrice): object {
  const kept = (one: object): object => Object.fromEntries(Object.entries(one).flatMap(([name, value]) => (value === null ? [] : [[name, typeof value === 'object' ? kept(value as object) : value]])));
  return kept(price);
}

function pricesOf(price: DollarPrice): Fact[] {
  const since = price.since ?? '';
  const facts = (amounts: Amounts, long: boolean): Fact[] =>
    (['input', 'cached', 'written', 'output'] as const).map((name) => ({ name, since, long, value: amounts[name] ?? amounts.input }));
  const { longPrompt } = price;
  return [...facts(price, false), ...(longPrompt ? [{ name: 'above' as const, since, long: true, value: String(longPrompt.above) }, ...facts(longPrompt, true)] : [])];
}

const keyOf = ({ name, since, long }: Fact) => `${name} ${since} ${long}`;
