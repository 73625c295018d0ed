/** The texts of two versions of a file, to be compared. */
import { Problem } from '../api/problem';
import { askText } from '../textEditor/server';

export interface VersionTexts {
  before: string;
  after: string;
}

/** What the server hands out no text of. */
const NO_TEXT = ['fileNotText', 'textTooLong'];

/** Nothing where one of them is no text, or too long to be compared here. */
export async function versionTexts(fileId: string, from: number, to: number): Promise<VersionTexts | null> {
  try {
    const [before, after] = await Promise.all([askText(fileId, from), askText(fileId, to)]);
    return { before: before.text, after: after.text };
  } catch (cause) {
    const problem = Problem.of(cause);
    if (NO_TEXT.includes(problem.code)) return null;
    throw problem;
  }
}
