/** Fetches what draws Markdown, once; a failed try is tried again the next time. */
let pending: Promise<typeof import('./Rendered.svelte')> | undefined;

export function rendered(): Promise<typeof import('./Rendered.svelte')> {
  pending ??= import('./Rendered.svelte').catch((cause: unknown) => {
    pending = undefined;
    throw cause;
  });
  return pending;
}
