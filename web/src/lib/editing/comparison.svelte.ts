/** One version of something beside the one before it; what they hold is asked for when the comparison is opened. */
import { Newest } from '../state/newest';

type Asked<Content> = Content | Promise<Content>;

export class Comparison<Content> {
  open = $state.raw<{ version: number; before: Content | undefined; after: Content } | undefined>();
  #newest = new Newest();

  /** Opens it, or closes it when it is open. `before` is undefined for the first version. */
  async toggle(version: number, contents: () => Promise<[before: Asked<Content> | undefined, after: Asked<Content>]>): Promise<void> {
    const isNewest = this.#newest.ask();
    if (this.open?.version === version) return void (this.open = undefined);
    const [before, after] = await Promise.all(await contents());
    if (isNewest()) this.open = { version, before, after };
  }
}
