/** The phases of a project as a form edits them, as they are sent, and as text. Pure but for the language. */
import { t } from '../../i18n/index.svelte';
import type { Project, ProjectPhase } from '../types';

export const MOST_PHASES = 20;
const NEW = 'new.';

export interface Row {
  code: string;
  name: string;
  /** What it is called everywhere; empty where it has a name in this project. */
  usual: string;
  hidden: boolean;
  /** The project has added it. */
  isOwn: boolean;
}

export interface PhasesDraft {
  rows: Row[];
}

export interface Content {
  phases: ProjectPhase[];
}

export function draftOf(project: Project | null): PhasesDraft {
  const rows = (project?.roadmap ?? []).map(({ code, name, ownName, hidden, isOwn }) => ({ code, name, usual: ownName ? '' : name, hidden, isOwn }));
  return { rows };
}

export function contentOf({ rows }: PhasesDraft): Content {
  return { phases: rows.map(({ code, name, usual, hidden }) => ({ code, name: name.trim() === usual ? '' : name.trim(), hidden })) };
}

/** With a phase of its own at the end. */
export function withNew(rows: readonly Row[]): Row[] {
  const taken = new Set(rows.map(({ code }) => code));
  const number = rows.findIndex((_, index) => !taken.has(NEW + index));
  return [...rows, { code: NEW + (number < 0 ? rows.length : number), name: '', usual: '', hidden: false, isOwn: true }];
}

/** Those that cannot be sent as they are: without a name, or with one that was given before. */
export function wrongRows(rows: readonly Row[]): Map<string, 'nameless' | 'twice'> {
  const names = rows.map(({ name }) => name.trim().toLocaleLowerCase());
  const found = rows.flatMap(({ code, isOwn }, index): [string, 'nameless' | 'twice'][] => {
    if (!names[index]) return isOwn ? [[code, 'nameless']] : [];
    return names.indexOf(names[index]) < index ? [[code, 'twice']] : [];
  });
  return new Map(found);
}

/** Line by line, so that two versions can be compared. */
export function asText({ phases, roadmap }: Project): string {
  return phases
    .map(({ code, name, hidden }) => {
      const shown = name || (roadmap.find((phase) => phase.code === code)?.name ?? code);
      return hidden ? t('phases.hidden', { name: shown }) : shown;
    })
    .join('\n');
}
