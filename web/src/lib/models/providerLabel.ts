/** What people call a provider: its label, or the name that rules and bills have for it. */
import { models } from '../state/models.svelte';

export function providerLabel(name: string | undefined): string {
  return models.all.find((model) => model.provider === name)?.providerLabel ?? name ?? '';
}
