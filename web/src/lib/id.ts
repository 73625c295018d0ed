/** A unique id. Not `randomUUID`: it exists in secure contexts only, and Workroom also runs on plain http. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
