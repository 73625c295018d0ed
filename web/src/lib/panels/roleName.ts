/** The built-in roles have names in every language; the others are called as their maker called them. */
import { tMaybe } from '../i18n/index.svelte';

type Named = { key: string; name: string };

export function roleName(role: Named): string {
  return tMaybe(`role.${role.key}`) ?? role.name;
}

export function roleDescription(role: Named & { description: string }): string {
  return tMaybe(`roleText.${role.key}`) ?? role.description;
}
