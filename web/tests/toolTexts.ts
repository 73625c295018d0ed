/** The texts of the tools that ship, as the server sends them: from the sidecars beside the tools. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import type { Language, ToolText } from '../src/lib/api/types';

const TOOLS = join(import.meta.dirname, '../../src/workroom/tools');
type Sidecar = Record<string, Record<Language, ToolText>>;

const sidecars = readdirSync(TOOLS).filter((name) => name.endsWith('.json')).map((name): Sidecar => JSON.parse(readFileSync(join(TOOLS, name), 'utf8')));
const all: Sidecar = Object.assign({}, ...sidecars);

export function shippedTexts(language: Language): Record<string, ToolText> {
  return Object.fromEntries(Object.entries(all).map(([tool, texts]) => [tool, texts[language]]));
}
