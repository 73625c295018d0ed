/** Commands under the headings of their groups, in the order in which each group first occurs. Pure. */
import type { Command } from './commands';

/** `key` is its place in its group: two workspaces may have the same name. */
export interface Keyed {
  command: Command;
  key: string;
}

export interface CommandGroup {
  group: string;
  list: readonly Keyed[];
}

export function grouped(commands: readonly Command[]): CommandGroup[] {
  return [...new Set(commands.map(({ group }) => group))].map((group) => ({
    group,
    list: commands.filter((command) => command.group === group).map((command, position) => ({ command, key: `${group}/${position}` })),
  }));
}

/** Of the element of an option; ids have no spaces. */
export function optionId(id: string, key: string): string {
  return `${id}-${key.replaceAll(/\s/g, '_')}`;
}
