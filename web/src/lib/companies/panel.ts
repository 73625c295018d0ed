/** The document of a company that is open beside a conversation: in the address, as `document=company/kind`. A reload keeps it, Back
 * closes it. Small, because the frame of every page looks at it. */
import { panes } from '../state/panes.svelte';
import { page } from '../state/route.svelte';

export interface DocumentPlace {
  companyId: string;
  kind: string;
}

export function openDocument(query: string): DocumentPlace | undefined {
  const [companyId, kind] = new URLSearchParams(query).get('document')?.split('/') ?? [];
  return companyId && kind ? { companyId, kind } : undefined;
}

export function showDocument({ companyId, kind }: DocumentPlace): void {
  page.go(`${page.path}?document=${encodeURIComponent(companyId)}/${encodeURIComponent(kind)}`);
  panes.reveal('right');
}

export function closeDocument(): void {
  page.go(page.path);
}
