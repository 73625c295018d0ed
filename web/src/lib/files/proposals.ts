/** Changes to files that agents have proposed without waiting for a decision. */
import { api, take } from '../api/client';
import type { FileProposal, OpenProposal } from '../api/types';

export async function openProposals(fileId: string): Promise<readonly OpenProposal[]> {
  return (await take(api.GET('/api/files/{fileId}/proposals', { params: { path: { fileId } } }))).items;
}

export function askProposal(fileId: string, proposalId: string): Promise<FileProposal> {
  return take(api.GET('/api/files/{fileId}/proposals/{proposalId}', { params: { path: { fileId, proposalId } } }));
}

/** `text`: what is accepted when that is a part. */
export function decide({ fileId, id }: FileProposal, accepted: boolean, text: string | null): Promise<FileProposal> {
  return take(api.POST('/api/files/{fileId}/proposals/{proposalId}/decision', { params: { path: { fileId, proposalId: id } }, body: { accepted, text } }));
}
