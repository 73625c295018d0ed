/** What the server says of companies, by the names the pages use. */
import type { components } from '../api/schema';

type Shapes = components['schemas'];

export type Company = Shapes['Company'];
export type CompanyEntry = Shapes['CompanyEntry'];
export type DocumentState = Shapes['DocumentState'];
export type DocumentView = Shapes['DocumentView'];
export type DocumentStatus = Shapes['DocumentStatus'];
export type DocumentVersion = Shapes['DnaVersion'];
export type ExportFormat = Shapes['ReportFormat'];
