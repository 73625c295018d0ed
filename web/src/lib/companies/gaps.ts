/** What is missing in a document, in words. */
import { t, tn } from '../i18n/index.svelte';
import type { DocumentState } from './types';

/** One sentence for each thing; none when nothing is missing. */
export function gapsOf(state: DocumentState, all: readonly DocumentState[]): string[] {
  const named = (kinds: readonly string[]) => kinds.map((kind) => all.find((one) => one.kind === kind)?.name ?? kind).join(', ');
  const { waitsFor, staleAfter, missingHeadings } = state;
  return [
    ...(waitsFor.length > 0 ? [t('companies.waitsFor', { names: named(waitsFor) })] : []),
    ...(staleAfter.length > 0 ? [t('companies.staleAfter', { names: named(staleAfter) })] : []),
    ...(missingHeadings.length > 0 && state.status !== 'empty' ? [tn('companies.headingsMissing', missingHeadings.length)] : []),
  ];
}
