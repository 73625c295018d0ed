/** Where suggestions come from: the server for files, blocks and skills; the parameters of a skill are asked for once. */
import { api, take } from '../../api/client';
import type { components } from '../../api/schema';
import { session } from '../../state/session.svelte';
import type { Mention, Suggestion } from './mention';
import { parametersFor, skillsFor } from './skillCall';

type SkillEntry = components['schemas']['SkillEntry'];

const MOST = 8;
const MOST_SKILLS = 25;
const MOST_OF_A_NAME = 50; // other people's private skills may have the same name, and other skills contain it

export class SuggestionSource {
  #called = new Map<string, Promise<SkillEntry | undefined>>();

  constructor(
    private readonly instanceId: string,
    /** The conversation that is written in: blocks of its project can be named. */
    private readonly workflowId?: string,
  ) {}

  async ask(mention: Mention, text: string, signal: AbortSignal): Promise<readonly Suggestion[]> {
    if (mention.sign === '@') return this.#named(mention.query, signal);
    if (mention.sign === '/') return skillsFor(mention, await this.#skills(mention.query, signal), session.data?.user.id).slice(0, MOST_SKILLS);
    const skill = await this.#skillOf(mention.skill ?? '');
    return skill ? parametersFor(mention, text, skill) : [];
  }

  async #named(q: string, signal: AbortSignal) {
    const query = { q, limit: MOST, ...(this.workflowId && { workflowId: this.workflowId }) };
    const params = { path: { instanceId: this.instanceId }, query };
    return (await take(api.GET('/api/workspace/{instanceId}/mentions', { params, signal }))).items;
  }

  async #skills(q: string, signal?: AbortSignal) {
    const query = { limit: MOST_OF_A_NAME, sort: 'name', ...(q && { q }) };
    return (await take(api.GET('/api/workspace/{instanceId}/skills', { params: { path: { instanceId: this.instanceId }, query }, ...(signal && { signal }) }))).items;
  }

  #skillOf(name: string): Promise<SkillEntry | undefined> {
    const known = this.#called.get(name);
    if (known) return known;
    const asked = this.#skills(name).then((skills) => {
      const called = skills.filter((skill) => skill.name === name);
      return called.find(({ ownerId }) => ownerId === session.data?.user.id) ?? called[0];
    });
    asked.catch(() => this.#called.delete(name)); // the next letter asks again
    this.#called.set(name, asked);
    return asked;
  }
}
