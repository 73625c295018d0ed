/** Versions of a text as lists of versions show them. */
import type { Page } from '../api/types';
import type { AnyVersion } from '../ui/VersionList.svelte';
import { authorOf } from './authorOf';

interface TextVersion {
  version: number;
  agentName: string;
  writtenByName: string | null;
  writtenAt: string | null;
  restoredFrom: number | null;
}

export async function textVersions<Version extends TextVersion>(asked: Promise<Page<Version>>): Promise<Page<Version & AnyVersion>> {
  const page = await asked;
  return { ...page, items: page.items.map((one) => ({ ...one, madeAt: one.writtenAt ?? '', madeByName: authorOf(one) })) };
}
