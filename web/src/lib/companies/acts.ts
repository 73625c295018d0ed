/** What can be done with a company from anywhere: changed, taken along as a file, thrown away, brought back. */
import { saveExport } from '../files/saveExport';
import { t } from '../i18n/index.svelte';
import { companiesPath } from '../router';
import { dialogs } from '../state/dialogs.svelte';
import { sayProblem } from '../state/say';
import { moveToTrash, type Deletable } from '../state/trash';
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
  const remove: MenuItem[] = mayCompany('delete', company) ? [{ label: t('companies.delete'), icon: 'trash-2', danger: true, run: () => void moveToTrash(deletable(company, room)).catch(sayProblem) }] : [];
  return [change, remove];
}

/** All documents that have a text, or only one. */
export function download(company: Company, room: Room, format: ExportFormat, document?: DocumentState): Promise<void> {
  const name = `${[company.name, document?.name].filter(Boolean).join(' – ')}.${format}`;
  return saveExport(name, () => exportDocuments(placeOf(company, room), format, document ? [document.kind] : []));
}

export function deletable(company: Company, room: Room): Deletable {
  const [place, listPath] = [placeOf(company, room), companiesPath(room.slug)];
  return { kind: 'company', name: company.name, path: companiesPath(room.slug, company.id), listPath, remove: () => deleteCompany(place), restore: () => restoreCompany(place) };
}

const placeOf = (company: Company, room: Room): CompanyPlace => ({ instanceId: room.id, companyId: company.id });
