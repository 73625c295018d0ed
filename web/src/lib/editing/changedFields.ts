/** The fields of `now` that are different from those of `before`: what another user changed meanwhile is not overwritten with what
 * was there before. Pure. */
export function changedFields<Content extends object>(before: Content, now: Content): Partial<Content> {
  const names = (Object.keys(now) as (keyof Content)[]).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
  return Object.fromEntries(names.map((name) => [name, now[name]])) as Partial<Content>;
}
