/** What a request is made of, in the order in which a model reads it. */
export const SECTIONS = ['instructions', 'tools', 'workspace', 'facts', 'materials', 'results', 'conversation'] as const;

/** Those that there are, with their tokens. */
export function inOrder(tokens: Readonly<Record<string, number>>): [string, number][] {
  return SECTIONS.flatMap((name): [string, number][] => (tokens[name] === undefined ? [] : [[name, tokens[name]]]));
}
