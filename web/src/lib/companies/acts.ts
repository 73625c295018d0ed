/** What can be done with a company from anywhere: changed, taken along as a file, thrown away, brought back. */
import { saveFile } from '../files/saveFile';
import { t } from '../i18n/index.svelte';
import { companiesPath } from '../router';
import { dialogs } from '../state/dialogs.svelte';
import { live } from '../state/live.svelte';
import { page } from '../state/route.svelte';
import { sayProblem } from '../state/say';
import { toasts } from '../state/toasts.svelte';
import type { MenuGroups, MenuItem } from '../ui/Menu.svelte';
import { mayCompany } from './may';
import { deleteCompany, exportDocuments, restoreCompany, type CompanyPlace } from './server';
import type { Company, DocumentState, ExportFormat } from './types';

export interface Room {
  id: string;
  slug: string;
}

export function itemsOf(company: Company, room: Room): MenuGroups {
  const change: MenuItem[] = mayCompany('update', company) ? [{ label: t('companies.change'), icon: 'pencil', run: () => dialogs.show({ kind: 'company', room, company }) }] : [];
  const remove: MenuItem[] = mayCompany('delete', company) ? [{ label: t('companies.delete'), icon: 'trash-2', danger: true, run: () => void moveToTrash(company, room).catch(sayProblem) }] : [];
  return [change, remove];
}

/** All documents that have a text, or only one. */
export async function download(company: Company, room: Room, format: ExportFormat, document?: DocumentState): Promise<void> {
  const making = toasts.show(t('conversation.exporting'));
  try {
    const content = await exportDocuments(placeOf(company, room), format, document ? [document.kind] : []);
    saveFile(content, `${[company.name, document?.name].filter(Boolean).join(' – ')}.${format}`);
  } catch (cause) {
    sayProblem(cause);
  } finally {
    toasts.dismiss(making);
  }
}

/** With a way back. */
async function moveToTrash(company: Company, room: Room): Promise<void> {
  await deleteCompany(placeOf(company, room));
  live.changed('company');
  const path = companiesPath(room.slug);
  if (page.path.startsWith(`${path}/`)) page.go(path);
  toasts.show(t('companies.deleted', { name: company.name }), { action: { label: t('action.undo'), run: () => void bringBack(company, room).catch(sayProblem) } });
}

export async function bringBack(company: Company, room: Room): Promise<void> {
  await restoreCompany(placeOf(company, room));
  live.changed('company');
  toasts.show(t('companies.restored', { name: company.name }));
}

const placeOf = (company: Company, room: Room): CompanyPlace => ({ instanceId: room.id, companyId: company.id });
