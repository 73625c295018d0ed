/** Bytes as a text that JSON can carry. Pure. */
const AT_ONCE = 0x8000; // more arguments at once are too many for some browsers

export function inBase64(content: ArrayBuffer): string {
  const bytes = new Uint8Array(content);
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return btoa(text);
}
