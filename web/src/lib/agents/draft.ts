/** An agent as it is written: everything as one types it, and what of that is different from what is stored. Pure. */
import type { Language } from '../api/types';
import { amountOf, plain } from '../models/amount';
import type { AgentContent, FileEdits, Forcing, Strategy, Work } from './types';

export const AGENT_LANGUAGES: readonly Language[] = ['de', 'en', 'fr', 'pt', 'zh'];
export const STRATEGIES: readonly Strategy[] = ['react', 'plan'];
export const FORCINGS: readonly Forcing[] = ['auto', 'any', 'none'];
export const FILE_EDITS: readonly FileEdits[] = ['ask', 'continue'];
/** The kinds of work an agent can be made for; each has its own order of models. */
export const WORKS: readonly Work[] = ['AGENT', 'DATA_ANALYSE', 'VISION'];
export const MOST_ROUNDS = 100;
export const LONGEST_INSTRUCTIONS = 20_000;

/** What of an agent is written here; the rest stays as it is. */
export type Content = Pick<AgentContent, Exclude<keyof Draft, 'picks'>>;

/** Empty texts: as the workspace or the user has it. */
export interface Draft {
  name: string;
  glyph: string;
  description: string;
  instructions: Record<Language, string>;
  /** Whether it has tools of its own, or those of the workspace. */
  picks: boolean;
  toolSets: string[];
  toolNames: string[];
  /** Those that act outside without asking, whatever was read before. */
  trustedTools: string[];
  strategy: Strategy;
  forcing: Forcing;
  fileEdits: FileEdits;
  temperature: string;
  model: string;
  operation: Work | '';
  maxRounds: string;
  maxCostCHF: string;
  language: Language | '';
  handsTo: string[];
}

export function draftOf(content: AgentContent | null): Draft {
  const { toolSets = [], toolNames = [], maxRounds, maxCostCHF } = content ?? {};
  return {
    name: content?.name ?? '',
    glyph: content?.glyph ?? '',
    description: content?.description ?? '',
    instructions: Object.fromEntries(AGENT_LANGUAGES.map((language) => [language, content?.instructions[language] ?? ''])) as Draft['instructions'],
    picks: toolSets.length + toolNames.length > 0,
    toolSets: [...toolSets],
    toolNames: [...toolNames],
    trustedTools: [...(content?.trustedTools ?? [])],
    strategy: content?.strategy ?? 'react',
    forcing: content?.forcing ?? 'auto',
    fileEdits: content?.fileEdits ?? 'ask',
    temperature: String(content?.temperature ?? 0.7),
    model: content?.model ?? '',
    operation: content?.operation ?? '',
    maxRounds: maxRounds ? String(maxRounds) : '',
    maxCostCHF: plain(maxCostCHF ?? ''),
    language: content?.language ?? '',
    handsTo: [...(content?.handsTo ?? [])],
  };
}

export function contentOf(draft: Draft): Content {
  const texts = AGENT_LANGUAGES.map((language) => [language, draft.instructions[language].trim() || null]);
  return {
    name: draft.name.trim(),
    glyph: draft.glyph.trim(),
    description: draft.description.trim(),
    instructions: Object.fromEntries(texts) as Content['instructions'],
    toolSets: draft.picks ? draft.toolSets : [],
    toolNames: draft.picks ? draft.toolNames : [],
    trustedTools: draft.trustedTools,
    strategy: draft.strategy,
    forcing: draft.forcing,
    fileEdits: draft.fileEdits,
    temperature: Number(amountOf(draft.temperature) ?? 0),
    model: draft.model || null,
    operation: draft.operation || null,
    maxRounds: draft.maxRounds.trim() === '' ? null : Number(draft.maxRounds),
    maxCostCHF: amountOf(draft.maxCostCHF) ?? null,
    language: draft.language || null,
    handsTo: draft.handsTo,
  };
}

/** The same changes, made to what another user has saved: their texts in other languages stay. */
export function onTop(changes: Partial<Content>, base: AgentContent, newest: AgentContent): Partial<Content> {
  const { instructions } = changes;
  if (!instructions) return changes;
  const texts = AGENT_LANGUAGES.map((language) => [language, (instructions[language] === (base.instructions[language] ?? null) ? newest : { instructions }).instructions[language]]);
  return { ...changes, instructions: Object.fromEntries(texts) as Content['instructions'] };
}

/** The fields that cannot be sent as they are. */
export function wrongIn({ name, instructions, temperature, maxRounds, maxCostCHF }: Draft): string[] {
  const [heat, rounds] = [Number(amountOf(temperature) ?? NaN), Number(maxRounds)];
  const wrong: Record<string, boolean> = {
    name: name.trim() === '',
    instructions: AGENT_LANGUAGES.every((language) => instructions[language].trim() === ''),
    temperature: !(heat >= 0 && heat <= 2),
    maxRounds: maxRounds.trim() !== '' && !(Number.isInteger(rounds) && rounds >= 1 && rounds <= MOST_ROUNDS),
    maxCostCHF: maxCostCHF.trim() !== '' && amountOf(maxCostCHF) === undefined,
  };
  return Object.keys(wrong).filter((field) => wrong[field]);
}
