/** Placeholders in the instructions of a skill: `{{topic}}` stands for the value of the parameter `topic`. Pure. */
const PLACEHOLDER = /\{\{\s*([\p{L}\p{Nl}\p{No}_][\p{L}\p{N}_]{0,39})\s*\}\}/gu;
const PARAMETER = /^[\p{L}\p{Nl}\p{No}_][\p{L}\p{N}_]{0,39}$/u;

export const placeholderOf = (name: string): string => `{{${name}}}`;

export const isParameterName = (name: string): boolean => PARAMETER.test(name);

/** The names instructions mention and no parameter has, in their order. */
export function undeclared(instructions: string, parameters: readonly { name: string }[]): string[] {
  const declared = new Set(parameters.map(({ name }) => name.trim().normalize('NFC')));
  const mentioned = [...instructions.matchAll(PLACEHOLDER)].map(([, name = '']) => name.normalize('NFC'));
  return [...new Set(mentioned)].filter((name) => !declared.has(name));
}
