/** Fetches the search when it is first needed, with its texts. In one place: the first page, which this is part of, has to stay
 * light. */
import { later } from '../i18n/index.svelte';

export const loadSearch = later(() => import('./part'));

/** One of its components, for `Loaded` and `DialogHost`. */
export const partOfSearch = <Name extends 'Found' | 'HitSection'>(name: Name) => async () => ({ default: (await loadSearch())[name] });
