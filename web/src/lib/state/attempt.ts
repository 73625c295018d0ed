import type { ChangeKind } from '../events/protocol';
import { live } from './live.svelte';
import { sayProblem } from './say';

/** Does `work` and reads anew what it may have changed; true when it was done. A problem is said, not thrown. */
export async function attempt(work: () => Promise<unknown>, ...kinds: ChangeKind[]): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (cause) {
    sayProblem(cause);
    return false;
  } finally {
    live.changed(...kinds);
  }
}
