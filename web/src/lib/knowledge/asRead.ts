/** A passage as it is read: documents are kept as Markdown, whose markup does not belong in a list. Pure. */

const RULE = /^[\s|:-]*-{2,}[\s|:-]*$/; // below the head of a table

export function asRead(text: string): string {
  return text
    .split('\n')
    .filter((line) => !RULE.test(line))
    .map(lineAsRead)
    .filter(Boolean)
    .join('\n');
}

function lineAsRead(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}|>)\s+/, '')
    .replace(/^\s*[-*+]\s+/, '• ')
    .replace(/(^|[^\\])\|/g, '$1 · ')
    .replace(/\\([\\`*_{}[\]()#+\-.!|~<>])/g, '$1')
    .replace(/(^|\s)[*_~`]+(?=\S)/g, '$1')
    .replace(/(\S)[*_~`]+(?=\s|[.,;:!?)]|$)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/^(?: ?· ?)+|(?: ?· ?)+$/g, '')
    .trim();
}
