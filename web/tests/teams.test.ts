/** Teams of agents: apart from the others, who leads first, then in the order in which they hand over. */
import { describe, expect, it } from 'vitest';
import { byTeam, inOrder, leadOf } from '../src/lib/agents/teams';

const agent = (id: string, team: 'specialists' | null, ...handsTo: string[]) => ({ id, team, handsTo });

describe('teams of agents', () => {
  const agents = [agent('own', null), agent('audience', 'specialists', 'lead'), agent('lead', 'specialists', 'briefing', 'audience'), agent('briefing', 'specialists', 'audience', 'lead'), agent('assistant', null, 'lead')];

  it('stand apart, in the order of their work', () => {
    const { others, teams } = byTeam(inOrder(agents));
    expect(others.map(({ id }) => id)).toEqual(['own', 'assistant']);
    expect(teams.map(({ name, agents }) => [name, ...agents.map(({ id }) => id)])).toEqual([['specialists', 'lead', 'briefing', 'audience']]);
  });

  it('are led by who hands over to all of them', () => {
    expect(leadOf(agents, 'specialists')?.id).toBe('lead');
    expect(leadOf([], 'specialists')).toBeUndefined();
  });

  it('stay as they are found when nobody here leads them', () => {
    const found = [agent('audience', 'specialists', 'lead'), agent('briefing', 'specialists', 'lead')];
    expect(inOrder(found)).toEqual(found);
    expect(byTeam([])).toEqual({ others: [], teams: [] });
  });
});
