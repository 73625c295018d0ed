/** The texts of two versions of a file, to be compared. */
import { api, take } from '../api/client';

export interface VersionTexts {
  before: string;
  after: string;
}

const LARGEST = 2_000_000; // bytes

/** Nothing where one of them is no text, or too long to be compared here. */
export async function versionTexts(fileId: string, from: number, to: number): Promise<VersionTexts | null> {
  const [before, after] = await Promise.all([textOf(fileId, from), textOf(fileId, to)]);
  return before === null || after === null ? null : { before, after };
}

async function textOf(fileId: string, version: number): Promise<string | null> {
  const params = { path: { fileId }, query: { version } };
  return decoded((await take(api.GET('/api/files/{fileId}/content', { params, parseAs: 'arrayBuffer' }))) as unknown as ArrayBuffer);
}

/** As the server reads texts that are changed: by their byte order mark, else UTF-8, else western; with one kind of line ends. */
export function decoded(data: ArrayBuffer): string | null {
  if (data.byteLength > LARGEST) return null;
  const [first, second] = new Uint8Array(data);
  const wide = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
  const text = wide ? new TextDecoder(wide).decode(data) : (strictly(data) ?? new TextDecoder('windows-1252').decode(data));
  return text.includes('\0') ? null : text.replace(/\r\n?/g, '\n');
}

function strictly(data: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data);
  } catch {
    return undefined;
  }
}
