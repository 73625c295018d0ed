/** The preview beside a conversation. Which file it shows is in the address, as `file=…`: a reload keeps it, Back closes it.
 * Small, because the frame of every page looks at it. */
import { recall, remember } from '../device';
import { page } from '../state/route.svelte';
import { readQuery, writeQuery, type Place, type Target } from './place';

class Panel {
  #asked = $derived(page.route.page === 'workspace' && page.route.conversation ? readQuery(page.query) : undefined);
  place: Place | undefined = $derived(this.#asked?.file ? { fileId: this.#asked.file, inside: this.#asked.inside, version: this.#asked.version } : undefined);
  target: Target = $derived(this.#asked?.target ?? {});
  /** As large as there is room, the chat beside it. */
  large = $state(recall('preview.large') === 'yes');

  /** How often something was to be shown; the same once more is another wish. */
  wishes = $state(0);

  open({ fileId, ...place }: Place, target: Target = {}, { replace = false } = {}): void {
    if (!replace) this.wishes += 1;
    page.go(page.path + writeQuery({ file: fileId, ...place }, target), { replace });
  }

  close(): void {
    page.go(page.path);
  }

  enlarge(): void {
    this.large = !this.large;
    remember('preview.large', this.large ? 'yes' : 'no');
  }
}

export const panel = new Panel();
