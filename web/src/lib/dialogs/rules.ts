/** Rules of a role as a table that can be edited, and back. Pure. */
import type { Rule } from '../api/types';

export type Level = Rule['level'];
export type Levels = Record<string, Level>;

export function cell(objectKey: string, action: string): string {
  return `${objectKey} ${action}`;
}

export function allowsNothing(levels: Levels): boolean {
  return Object.values(levels).every((level) => level === 'NONE');
}

export function levelsOf(rules: readonly Rule[]): Levels {
  return Object.fromEntries(rules.map((rule) => [cell(rule.objectKey, rule.action), rule.level]));
}

/** What is not allowed needs no rule, except where it takes something away from a wider one (`provider.openai`). */
export function rulesOf(levels: Levels): Rule[] {
  const rules = Object.entries(levels).map(([key, level]) => {
    const [objectKey = '', action = ''] = key.split(' ');
    return { objectKey, action, level } as Rule;
  });
  const wide = (rule: Rule) => rules.some(({ objectKey }) => objectKey.endsWith('.*') && rule.objectKey !== objectKey && rule.objectKey.startsWith(objectKey.slice(0, -1)));
  return rules.filter((rule) => rule.level !== 'NONE' || wide(rule));
}
