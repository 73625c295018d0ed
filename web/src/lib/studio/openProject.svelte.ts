/** A project and its blocks, as they are by now. */
import { Problem } from '../api/problem';
import { askProject, listBlocks } from './server';
import type { Block, Project, ProjectPlace } from './types';

export class OpenProject {
  project = $state.raw<Project | null>(null);
  /** In the order in which people read them: phase by phase, each group before what is in it. */
  blocks = $state.raw<readonly Block[]>([]);
  problem = $state.raw<Problem | null>(null);
  #asked: AbortController | undefined;

  constructor(readonly place: ProjectPlace) {}

  async look(): Promise<void> {
    this.#asked?.abort();
    const { signal } = (this.#asked = new AbortController());
    try {
      const [project, blocks] = await Promise.all([askProject(this.place, signal), listBlocks(this.place, signal)]);
      if (signal.aborted) return;
      this.project = project;
      this.blocks = blocks;
      this.problem = null;
    } catch (cause) {
      if (signal.aborted) return;
      const problem = Problem.of(cause);
      if (this.project && problem.code === 'network') return; // the stream will say hello again
      this.problem = problem;
    }
  }

  /** What was made here is there at once, and can be opened. */
  add(block: Block): void {
    if (this.blocks.every(({ id }) => id !== block.id)) this.blocks = [...this.blocks, block];
  }

  leave(): void {
    this.#asked?.abort();
  }
}
