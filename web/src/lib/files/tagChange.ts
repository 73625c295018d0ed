/** Tags of many files: which all have, which some have, and what has to be done to get from one state to another. Pure. */
export interface TagState {
  common: string[];
  partial: string[];
}

/** What tags are compared by: capitals are kept, and make no other tag. */
export function tagKey(tag: string): string {
  return tag.normalize('NFC').toLowerCase();
}

/** Of tags that differ by capitals alone one: the first with a capital, else the first. */
export function distinct(tags: Iterable<string>): string[] {
  const found = new Map<string, string>();
  for (const tag of tags) {
    const key = tagKey(tag);
    if ((found.get(key) ?? key) === key) found.set(key, tag);
  }
  return [...found.values()];
}

export function tagsOf(files: readonly { tags: readonly string[] }[]): TagState {
  const all = distinct(files.flatMap(({ tags }) => tags)).sort();
  const isCommon = (tag: string) => files.every(({ tags }) => tags.some((other) => tagKey(other) === tagKey(tag)));
  return { common: all.filter(isCommon), partial: all.filter((tag) => !isCommon(tag)) };
}

/** What some had and some still have is left alone. */
export function retagged(before: TagState, after: TagState): { add: string[]; remove: string[] } {
  const left = new Set([...after.common, ...after.partial].map(tagKey));
  return {
    add: after.common.filter((tag) => !before.common.includes(tag)),
    remove: [...before.common, ...before.partial].filter((tag) => !left.has(tagKey(tag))),
  };
}
