/** A persona as a form edits it, as it is sent, and as text. Pure but for the language. */
import { t } from '../../i18n/index.svelte';
import type { PersonaContent } from '../types';

export const LISTS = ['goals', 'pains', 'habits'] as const;
export const MOST_PERSONAS = 50;
const MOST_LINES = 12;
const LONGEST_LINE = 500;

export type Content = Required<PersonaContent>;
/** Lists are written one entry per line. */
export type PersonaDraft = Record<keyof Content, string>;

export function draftOf(persona: PersonaContent | null): PersonaDraft {
  const { name = '', summary = '', situation = '', goals = [], pains = [], habits = [], basis = '' } = persona ?? {};
  return { name, summary, situation, goals: goals.join('\n'), pains: pains.join('\n'), habits: habits.join('\n'), basis };
}

export function contentOf({ name, summary, situation, goals, pains, habits, basis }: PersonaDraft): Content {
  return { name: name.trim(), summary: summary.trim(), situation: situation.trim(), goals: linesOf(goals), pains: linesOf(pains), habits: linesOf(habits), basis: basis.trim() };
}

/** The fields that cannot be sent as they are. */
export function wrongIn(draft: PersonaDraft): string[] {
  const content = contentOf(draft);
  const long = LISTS.filter((list) => content[list].length > MOST_LINES || content[list].some((line) => line.length > LONGEST_LINE));
  return [...(content.name ? [] : ['name']), ...long];
}

/** Line by line, so that two versions can be compared. */
export function asText({ name, summary, situation, goals = [], pains = [], habits = [], basis }: PersonaContent): string {
  const lists = { goals, pains, habits };
  return [
    name,
    ...[summary, situation].filter(Boolean),
    ...LISTS.flatMap((list) => (lists[list].length > 0 ? ['', t(`personaList.${list}`), ...lists[list]] : [])),
    ...(basis ? ['', t('persona.basis'), basis] : []),
  ].join('\n');
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim()).filter(Boolean);
}
