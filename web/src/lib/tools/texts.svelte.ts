/** The texts of tools in the language of the page: lines of calls and questions before them. They come from the server, which
 * reads them beside each tool: so those of plugins are there as well. */
import { api, take } from '../api/client';
import type { Language, ToolText } from '../api/types';

const PATIENCE_MS = 5_000;

class ToolTexts {
  /** They were asked for: lines can be drawn, if there was no answer with the names of tools. */
  settled = $state(false);
  #texts = $state.raw<Record<string, ToolText>>({});
  #language: Language | undefined;

  of(tool: string): ToolText | undefined {
    return this.#texts[tool];
  }

  /** What a tool is called on the pages: its label, beginning a line; its name where it has none. */
  nameOf(tool: string): string {
    const label = this.of(tool)?.label;
    return label ? label.charAt(0).toLocaleUpperCase() + label.slice(1) : tool;
  }

  /** Fetches them once per language; after a failure the next call tries again. */
  async use(language: Language): Promise<void> {
    if (language === this.#language) return;
    this.#language = language;
    try {
      const params = { query: { language } };
      const texts = await take(api.GET('/api/tool-texts', { params, signal: AbortSignal.timeout(PATIENCE_MS) }));
      if (language === this.#language) this.#texts = texts;
    } catch {
      if (language === this.#language) this.#language = undefined;
    }
    this.settled = true;
  }
}

export const toolTexts = new ToolTexts();
