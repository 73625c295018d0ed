/** Small things remembered on this device. Storage may be refused (private windows): then they last until the reload. */

const memory = new Map<string, string>();

export function recall(key: string): string | null {
  try {
    return memory.get(key) ?? localStorage.getItem(`workroom.${key}`);
  } catch {
    return memory.get(key) ?? null;
  }
}

/** False when it lasts only until the reload. */
export function remember(key: string, value: string): boolean {
  try {
    localStorage.setItem(`workroom.${key}`, value);
    return memory.delete(key) || true;
  } catch {
    forget(key); // what was there is older
    memory.set(key, value);
    return false;
  }
}

export function forget(key: string): void {
  memory.delete(key);
  try {
    localStorage.removeItem(`workroom.${key}`);
  } catch {
    // there was nothing
  }
}

/** Calls `receive` when another tab of this browser remembers or forgets it; returns the function that stops that. */
export function heed(key: string, receive: (before: string | null, now: string | null) => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === `workroom.${key}`) receive(event.oldValue, event.newValue);
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}
