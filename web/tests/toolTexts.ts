/** The texts of the tools that ship, as the server sends them: from the sidecars beside the tools. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import type { Language, ToolText } from '../src/lib/api/types';

const PACKAGES = ['tools', 'geo/tools'].map((name) => join(import.meta.dirname, '../../src/workroom', name));
type Sidecar = Record<string, Record<Language, ToolText>>;

const files = PACKAGES.flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith('.json')).map((name) => join(folder, name)));
const sidecars = files.map((file): Sidecar => JSON.parse(readFileSync(file, 'utf8')));
const all: Sidecar = Object.assign({}, ...sidecars);

export function shippedTexts(language: Language): Record<string, ToolText> {
  return Object.fromEntries(Object.entries(all).map(([tool, texts]) => [tool, texts[language]]));
}
