/** Text files being edited: what names say, how texts are compared, what is offered to be edited. */
import { describe, expect, it } from 'vitest';
import { isEdited } from '../src/lib/preview/view';
import { filePath, readQuery } from '../src/lib/preview/place';
import { isProse, languageOf, withEnding } from '../src/lib/textEditor/names';
import { encodingName, indentOf, isSameText, replacement } from '../src/lib/textEditor/texts';

describe('the name of a text file', () => {
  it.each([
    ['notes.md', 'markdown', true],
    ['README.MD', 'markdown', true],
    ['script.py', 'python', false],
    ['data.geojson', 'json', false],
    ['diary.txt', undefined, true],
    ['LICENSE', undefined, true],
    ['.env', undefined, true],
    ['what.unknown', undefined, false],
  ])('%s is written in %s', (name, language, prose) => {
    expect([languageOf(name), isProse(name)]).toEqual([language, prose]);
  });

  it.each([
    ['Ideas', 'Ideas.md'],
    [' Ideas for 2027. ', 'Ideas for 2027.md'],
    ['list.csv', 'list.csv'],
    ['.gitignore', '.gitignore'],
    ['', ''],
  ])('%j becomes %j', (typed, name) => {
    expect(withEnding(typed)).toBe(name);
  });
});

describe('two texts', () => {
  const apply = (before: string, after: string) => {
    const change = replacement(before, after);
    return change ? before.slice(0, change.from) + change.insert + before.slice(change.to) : before;
  };

  it.each([
    ['', ''],
    ['', 'new'],
    ['old', ''],
    ['one two three', 'one 2 three'],
    ['aaaa', 'aa'],
    ['aa', 'aaaa'],
    ['abab', 'abcab'],
    ['😀', '😃'],
  ])('%j becomes %j by one replacement', (before, after) => {
    expect(apply(before, after)).toBe(after);
  });

  it('differ only where they do, so that a cursor elsewhere stays', () => {
    expect(replacement('one two three', 'one 2 three')).toEqual({ from: 4, to: 7, insert: '2' });
    expect(replacement('same', 'same')).toBeUndefined();
  });

  it('are the same to the last space, but for the mark that copied text begins with', () => {
    expect([isSameText('a\n', 'a'), isSameText('a ', 'a'), isSameText('\ufeffa', 'a'), isSameText('a', 'a')]).toEqual([false, false, true, true]);
  });
});

describe('how a text is stored', () => {
  it('is said as people know it', () => {
    expect([encodingName('utf-8', false), encodingName('utf-8', true), encodingName('utf-16-le', true), encodingName('cp1252', false), encodingName('latin-1', false), encodingName('gb18030', false)]).toEqual([
      'UTF-8', 'UTF-8 BOM', 'UTF-16 LE', 'Windows-1252', 'ISO 8859-1', 'GB18030',
    ]);
  });

  it('says how lines are indented', () => {
    expect([indentOf('a:\n\tb'), indentOf('a:\n    b'), indentOf('a:\n  b'), indentOf('flat')]).toEqual(['\t', '    ', '  ', '  ']);
  });

  it('decides what is edited', () => {
    expect(['text/markdown', 'text/csv', 'application/json', 'image/svg+xml', 'application/x-empty'].filter((kind) => !isEdited(kind))).toEqual([]);
    expect(['application/pdf', 'application/rtf', 'message/rfc822', 'image/png', 'application/zip'].filter(isEdited)).toEqual([]);
  });
});

describe('the address', () => {
  it('says that a file is being edited', () => {
    const path = filePath('lab', { fileId: '1' }, { edit: true });
    expect(path).toBe('/i/lab/files/1?edit=true');
    expect(readQuery('?edit=true').target).toEqual({ edit: true });
    expect(readQuery('?edit=perhaps').target).toEqual({});
  });
});
