/** What a server of one's own is called in the names of its models, from what people call it. Pure. */

/** A name as the server takes it: small letters, digits, and hyphens between them. */
export function nameFrom(label: string): string {
  const plain = label.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').slice(0, 40).replace(/^-+|-+$/g, '') || 'server';
}
