/** A skill as it is written, and what of it cannot be sent as it is. Pure. */
import { cleanName, isName } from './name';
import { isParameterName } from './placeholders';
import { isTextPath } from './textFile';
import type { SkillContent, SkillExample, SkillFile, SkillParameter } from './types';

export const LONGEST_DESCRIPTION = 1_000;
export const LONGEST_INSTRUCTIONS = 20_000;
export const LONGEST_VALUE = 4_000;
export const MOST_PARAMETERS = 10;
export const MOST_EXAMPLES = 10;
export const MOST_FILES = 50;
/** Characters of all files together. */
export const LARGEST_FILES = 300_000;

export type Content = Required<SkillContent>;

export interface Draft {
  name: string;
  description: string;
  /** Agents may read it by themselves. */
  automatic: boolean;
  instructions: string;
  parameters: SkillParameter[];
  /** Whether an agent that follows it has only some of its tools. */
  picks: boolean;
  tools: string[];
  examples: SkillExample[];
  files: SkillFile[];
}

export const blankParameter = (name = ''): SkillParameter => ({ name, description: '', required: false, default: '' });

export function draftOf(content: SkillContent | null): Draft {
  const { name = '', description = '', automatic = true, instructions = '', parameters = [], tools = [], examples = [], files = [] } = content ?? {};
  return {
    name,
    description,
    automatic,
    instructions,
    parameters: parameters.map((parameter) => ({ ...parameter })),
    picks: tools.length > 0,
    tools: [...tools],
    examples: examples.map((example) => ({ ...example })),
    files: files.map((file) => ({ ...file })),
  };
}

export function contentOf({ name, description, automatic, instructions, parameters, picks, tools, examples, files }: Draft): Content {
  return {
    name: cleanName(name),
    description: description.trim(),
    automatic,
    instructions: instructions.trim(),
    parameters: parameters.map(({ name, description, required, default: value }) => ({ name: name.trim().normalize('NFC'), description: description.trim(), required, default: value.trim() })),
    tools: picks ? tools : [],
    examples: examples.map(({ request, answer }) => ({ request: request.trim(), answer: answer.trim() })),
    files: files.map(({ path, text }) => ({ path: path.trim(), text: text.trim() })).sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** The fields that cannot be sent as they are. */
export function wrongIn(draft: Draft): string[] {
  const { name, description, instructions, parameters, examples, files } = contentOf(draft);
  const wrong: Record<string, boolean> = {
    name: !isName(name),
    description: description === '',
    instructions: instructions === '',
    parameters: wrongParameters(parameters).size > 0,
    examples: wrongExamples(examples).size > 0,
    files: wrongFiles(files).size > 0 || files.reduce((sum, { text }) => sum + text.length, 0) > LARGEST_FILES,
  };
  return Object.keys(wrong).filter((field) => wrong[field]);
}

/** Where they stand: names that cannot be, and those that were given before. */
export function wrongParameters(parameters: readonly { name: string }[]): Set<number> {
  const names = parameters.map(({ name }) => name.trim().normalize('NFC'));
  return positions(names, (name, index) => !isParameterName(name) || names.indexOf(name) < index);
}

export function wrongExamples(examples: readonly { request: string }[]): Set<number> {
  return positions(examples, ({ request }) => request.trim() === '');
}

/** Paths of texts in the folder of the skill: none leads out of it, and each stands once. */
export function wrongFiles(files: readonly { path: string }[]): Set<number> {
  const paths = files.map(({ path }) => path.trim());
  return positions(paths, (path, index) => path.split('/').some((part) => ['', '.', '..'].includes(part)) || /[\\\p{Cc}]/u.test(path) || !isTextPath(path) || paths.indexOf(path) < index);
}

function positions<Item>(items: readonly Item[], isWrong: (item: Item, index: number) => boolean): Set<number> {
  return new Set(items.flatMap((item, index) => (isWrong(item, index) ? [index] : [])));
}
