/** After an upgrade of the server an open page may ask for parts that no longer exist: then it loads itself anew. */

export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', () => void check());
}

async function check(): Promise<void> {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"]');
  if (!entry) return;
  try {
    const answer = await fetch('/', { cache: 'no-store' });
    const page = await answer.text();
    if (answer.ok && !page.includes(new URL(entry.src).pathname)) location.reload();
  } catch {
    // The server is away; that is another matter, and shown where it happened.
  }
}
