/** The first sentence of what a tool says of itself: enough to choose by. Pure. */
export function firstSentence(text: string): string {
  const [first = ''] = text.trim().split(/\n\s*\n/);
  const line = first.replace(/\s+/g, ' ');
  return /^.*?[.;](?=\s|$)/.exec(line)?.[0].replace(/;$/, '.') ?? line;
}
