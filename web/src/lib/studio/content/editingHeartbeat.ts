/** Tells the server that a block has changes which are not saved, until the returned function is called. */
import { beginEditing, endEditing } from '../server';
import type { BlockPlace } from '../types';

/** The server believes it for a minute. */
const EVERY_MS = 40_000;

export function keepEditing(place: BlockPlace): () => void {
  const silent = () => {}; // without it an agent writes instead of proposing, and the conflict shows
  let last: Promise<unknown> = Promise.resolve();
  const beat = () => (last = last.then(() => beginEditing(place)).catch(silent));
  void beat();
  const timer = setInterval(() => void beat(), EVERY_MS);
  return () => {
    clearInterval(timer);
    void last.then(() => endEditing(place)).catch(silent);
  };
}
