/** Rules of this folder that no other tool checks. */
import { describe, expect, it } from 'vitest';
import { ICONS } from '../src/lib/ui/icons';
import { sources } from './sources';

const components = sources().filter(({ path }) => path.endsWith('.svelte'));

describe('the pages', () => {
  it('set no inline styles, which the content security policy refuses', () => {
    expect(components.filter(({ text }) => /\sstyle="|<style[^>]*>[^]*<\/style>[^]*<style/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('never insert raw markup', () => {
    expect(sources().filter(({ text }) => /\{@html|innerHTML|insertAdjacentHTML/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('are made of components that fit a sitting', () => {
    expect(components.filter(({ text }) => text.split('\n').length > 200).map(({ path }) => path)).toEqual([]);
  });

  it('carry no icon that nobody draws', () => {
    const all = sources().filter(({ path }) => !path.endsWith('icons.ts')).map(({ text }) => text).join('\n');
    expect(Object.keys(ICONS).filter((name) => !new RegExp(`['"]${name}['"]`).test(all))).toEqual([]);
  });
});
