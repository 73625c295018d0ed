/** Tags of many files: which all have, which some have, and what has to be done to get from one state to another. Pure. */
export interface TagState {
  common: string[];
  partial: string[];
}

export function tagsOf(files: readonly { tags: readonly string[] }[]): TagState {
  const all = [...new Set(files.flatMap(({ tags }) => tags))].sort();
  const isCommon = (tag: string) => files.every(({ tags }) => tags.includes(tag));
  return { common: all.filter(isCommon), partial: all.filter((tag) => !isCommon(tag)) };
}

/** What some had and some still have is left alone. */
export function retagged(before: TagState, after: TagState): { add: string[]; remove: string[] } {
  const left = new Set([...after.common, ...after.partial]);
  return {
    add: after.common.filter((tag) => !before.common.includes(tag)),
    remove: [...before.common, ...before.partial].filter((tag) => !left.has(tag)),
  };
}
