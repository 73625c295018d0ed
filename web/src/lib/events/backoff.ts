/** How long to wait before the next try: doubling up to a ceiling, spread at random so that browsers do not return in step. */

const FIRST_MS = 500;
const CEILING_MS = 20_000;

export function backoff(failures: number, random: number): number {
  const full = Math.min(CEILING_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(full / 2 + (full / 2) * random);
}
