/** The tools there are, for those who choose some of them. */
import { api, take } from '../api/client';
import { Problem } from '../api/problem';
import type { components } from '../api/schema';
import type { ToolSet } from '../api/types';

export type Tool = components['schemas']['ToolView'];

export class Toolbox {
  tools = $state.raw<readonly Tool[] | null>(null);
  sets = $state.raw<readonly ToolSet[]>([]);
  problem = $state.raw<Problem | null>(null);

  async load(): Promise<void> {
    this.problem = null;
    try {
      [this.tools, this.sets] = await Promise.all([take(api.GET('/api/tools')), take(api.GET('/api/tool-sets'))]);
    } catch (cause) {
      this.problem = Problem.of(cause);
    }
  }

  /** Of these names, those no tool here has: an agent that came from elsewhere may ask for some. */
  unknown(names: readonly string[]): string[] {
    const { tools } = this;
    return tools ? names.filter((name) => !tools.some((tool) => tool.name === name)) : [];
  }
}
