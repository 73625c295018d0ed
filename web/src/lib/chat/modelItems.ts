/** Models to choose from, as a menu: those that are asked anyway come first, then the others, provider by provider. */
import type { Model } from '../api/types';
import { models } from '../state/models.svelte';
import type { MenuGroups } from '../ui/Menu.svelte';

export function modelItems(choose: (ref: string) => void, checked?: (model: Model) => boolean): MenuGroups {
  const { asked, usable } = models;
  const item = (model: Model) => ({
    label: model.label,
    detail: model.providerLabel,
    run: () => choose(model.model),
    ...(checked ? { checked: checked(model) } : {}),
  });
  const others = usable.filter((model) => !asked.includes(model));
  const providers = [...new Set(others.map(({ provider }) => provider))];
  return [asked, ...providers.map((name) => others.filter(({ provider }) => provider === name))].map((group) => group.map(item));
}
