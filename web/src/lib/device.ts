/** Small things remembered on this device. Storage may be refused (private windows): then they last until the reload. */

const memory = new Map<string, string>();

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`workroom.${key}`);
  } catch {
    return memory.get(key) ?? null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`workroom.${key}`, value);
  } catch {
    memory.set(key, value);
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(`workroom.${key}`);
  } catch {
    memory.delete(key);
  }
}
