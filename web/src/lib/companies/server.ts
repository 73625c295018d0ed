/** What the pages of companies ask the server, each question in one place. */
import { api, take } from '../api/client';
import type { ListQuery, Page } from '../api/types';
import { i18n } from '../i18n/index.svelte';
import type { Company, CompanyEntry, DocumentState, DocumentStatus, DocumentVersion, DocumentView, ExportFormat } from './types';

export interface CompanyPlace {
  instanceId: string;
  companyId: string;
}

export interface DocumentPlace extends CompanyPlace {
  kind: string;
}

export type CompanyFields = Pick<Company, 'name' | 'website' | 'language' | 'description'>;

const ALL = '/api/workspace/{instanceId}/companies';
const ONE = `${ALL}/{companyId}` as const;
const DOCUMENT = `${ONE}/documents/{kind}` as const;
/** Names of documents come in the language of the page. */
const inPageLanguage = () => ({ language: i18n.language });

export const listCompanies = (instanceId: string, query: ListQuery & { deleted?: boolean }, signal: AbortSignal): Promise<Page<CompanyEntry>> =>
  take(api.GET(ALL, { params: { path: { instanceId }, query }, signal }));

export const askCompany = (path: CompanyPlace, signal: AbortSignal): Promise<Company> => take(api.GET(ONE, { params: { path }, signal }));

export const createCompany = (instanceId: string, fields: CompanyFields): Promise<Company> => take(api.POST(ALL, { params: { path: { instanceId } }, body: fields }));

export const changeCompany = (path: CompanyPlace, version: number, fields: Partial<CompanyFields>): Promise<Company> =>
  take(api.PATCH(ONE, { params: { path }, body: { version, ...fields } }));

export const deleteCompany = (path: CompanyPlace) => take(api.DELETE(ONE, { params: { path } }));

export const restoreCompany = (path: CompanyPlace): Promise<Company> => take(api.POST(`${ONE}/restore`, { params: { path } }));

export const listDocuments = (path: CompanyPlace, signal: AbortSignal): Promise<DocumentState[]> =>
  take(api.GET(`${ONE}/documents`, { params: { path, query: inPageLanguage() }, signal }));

export const askDocument = (path: DocumentPlace, signal: AbortSignal): Promise<DocumentView> => take(api.GET(DOCUMENT, { params: { path, query: inPageLanguage() }, signal }));

export const writeDocument = (path: DocumentPlace, version: number, text: string, status: DocumentStatus): Promise<DocumentView> =>
  take(api.PUT(DOCUMENT, { params: { path, query: inPageLanguage() }, body: { version, text, status } }));

export const listVersions = (path: DocumentPlace, query: ListQuery, signal: AbortSignal): Promise<Page<DocumentVersion>> =>
  take(api.GET(`${DOCUMENT}/versions`, { params: { path, query }, signal }));

export const textOfVersion = async (path: DocumentPlace, version: number): Promise<string> =>
  (await take(api.GET(`${DOCUMENT}/versions/{version}`, { params: { path: { ...path, version } } }))).text;

export const restoreVersion = (path: DocumentPlace, version: number): Promise<DocumentView> =>
  take(api.POST(`${DOCUMENT}/versions/{version}/restore`, { params: { path: { ...path, version }, query: inPageLanguage() } }));

export const exportDocuments = async (path: CompanyPlace, format: ExportFormat, kinds: string[]): Promise<Blob> => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (await take<unknown>(api.GET(`${ONE}/export`, { params: { path, query: { format, kinds, timeZone } }, parseAs: 'blob' }))) as Blob;
};
