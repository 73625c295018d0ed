/** What of a text is being completed after `/`: the skill a message calls, and then its parameters. Pure; the server reads calls
 * the same way (`custom_skills/invocation.py`). */
import type { components } from '../../api/schema';
import type { Mention, SkillSuggestion } from './mention';

type SkillEntry = components['schemas']['SkillEntry'];

const NAME = /^(\s*)\/([^\s/=]{0,64})$/;
const REST_OF_NAME = /^[^\s/=]+/;
const CALL = /^\s*\/([^\s/=]{1,64})(\s[^]*)$/;
const PARAMETER = /(?<=\s)[\p{L}_][\p{L}\p{N}_]{0,39}$|(?<=\s)$/u;
const REST_OF_PARAMETER = /^[\p{L}\p{N}_]+/u;
const ASSIGNMENT = /(?<=\s)[\p{L}_][\p{L}\p{N}_]{0,39}=(?:"[^"]*"|“[^“”]*”|[^\s"“]\S*)(?=\s)/gu;

export function skillCallAt(text: string, caret: number): Mention | undefined {
  const before = text.slice(0, caret);
  const after = text.slice(caret);
  const name = NAME.exec(before);
  if (name) return { sign: '/', start: name[1]!.length, caret, query: name[2]!, tail: REST_OF_NAME.exec(after)?.[0] ?? '' };
  const call = CALL.exec(before);
  if (!call) return undefined;
  const values = call[2]!.replaceAll(ASSIGNMENT, '');
  const query = PARAMETER.exec(values)?.[0];
  const isValue = values.includes('"') || values.includes('“');
  if (query === undefined || isValue || (query === '' && values.trim() !== '')) return undefined;
  return { sign: '=', start: caret - query.length, caret, query, tail: REST_OF_PARAMETER.exec(after)?.[0] ?? '', skill: call[1]!.toLowerCase() };
}

/** Those whose name begins so come first; of two with one name the person's own, as the server takes it. */
export function skillsFor({ query }: Mention, skills: readonly SkillEntry[], userId: string | undefined): SkillSuggestion[] {
  const typed = query.toLowerCase();
  const own = new Map([...skills].sort((a, b) => Number(a.ownerId === userId) - Number(b.ownerId === userId)).map((skill) => [skill.name, skill]));
  const distance = ({ name }: SkillEntry) => (name.startsWith(typed) ? 0 : name.includes(typed) ? 1 : 2);
  return [...own.values()]
    .sort((a, b) => distance(a) - distance(b) || a.name.localeCompare(b.name))
    .map(({ name, description }) => ({ kind: 'skill', name: `/${name}`, about: description, insert: `/${name}` }));
}

/** Those that have no value yet, required ones first. */
export function parametersFor({ query }: Mention, text: string, { parameters }: SkillEntry): SkillSuggestion[] {
  const isGiven = (name: string) => new RegExp(`\\s${name}=`, 'u').test(text);
  return parameters
    .filter(({ name }) => name.toLowerCase().startsWith(query.toLowerCase()) && !isGiven(name))
    .sort((a, b) => Number(b.required) - Number(a.required))
    .map(({ name, description, required, default: usual }) => ({ kind: 'parameter', name, about: description || usual || '', insert: `${name}=""`, required: required ?? false }));
}
