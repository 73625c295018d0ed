/** A company and the states of its documents, as they are by now. */
import { Problem } from '../api/problem';
import { askCompany, listDocuments, type CompanyPlace } from './server';
import type { Company, DocumentState } from './types';

export class CompanyDocuments {
  company = $state.raw<Company | null>(null);
  documents = $state.raw<DocumentState[]>([]);
  problem = $state.raw<Problem | null>(null);
  #asked: AbortController | undefined;

  constructor(readonly place: CompanyPlace) {}

  async look(): Promise<void> {
    this.#asked?.abort();
    const { signal } = (this.#asked = new AbortController());
    try {
      const [company, documents] = await Promise.all([askCompany(this.place, signal), listDocuments(this.place, signal)]);
      if (signal.aborted) return;
      this.company = company;
      this.documents = documents;
      this.problem = null;
    } catch (cause) {
      if (signal.aborted) return;
      const problem = Problem.of(cause);
      if (this.company && problem.code === 'network') return; // the stream will say hello again
      this.problem = problem;
    }
  }

  leave(): void {
    this.#asked?.abort();
  }
}
