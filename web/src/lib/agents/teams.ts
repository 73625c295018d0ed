/** Shipped agents that work together, as a group apart from the others. Pure. */
import type { Agent } from './types';

/** The studio's is one agent, and stands among the others. */
export type Team = Exclude<NonNullable<Agent['team']>, 'studio'>;
type Member = Pick<Agent, 'id' | 'team' | 'handsTo'>;

export function teamOf({ team }: Pick<Agent, 'team'>): Team | undefined {
  return team === 'studio' ? undefined : (team ?? undefined);
}

export interface Grouped<One> {
  /** Those of no team. */
  others: One[];
  teams: { name: Team; agents: One[] }[];
}

/** Each in its group, in the order given. */
export function byTeam<One extends Member>(agents: readonly One[]): Grouped<One> {
  return {
    others: agents.filter((agent) => !teamOf(agent)),
    teams: teamsOf(agents).map((name) => ({ name, agents: agents.filter(({ team }) => team === name) })),
  };
}

/** Those of no team as they are; of a team who leads, then those it hands over to, in its order. */
export function inOrder<One extends Member>(agents: readonly One[]): One[] {
  const { others, teams } = byTeam(agents);
  return [
    ...others,
    ...teams.flatMap(({ name, agents: members }) => {
      const lead = leadOf(members, name);
      const order = lead ? [lead.id, ...(lead.handsTo ?? [])] : [];
      return members.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    }),
  ];
}

/** Who leads a team: it hands over to all the others. */
export function leadOf<One extends Member>(agents: readonly One[], team: Team): One | undefined {
  const members = agents.filter((agent) => agent.team === team);
  return members.find(({ id, handsTo = [] }) => members.every((other) => other.id === id || handsTo.includes(other.id)));
}

function teamsOf(agents: readonly Member[]): Team[] {
  return [...new Set(agents.map(teamOf))].filter((team) => team !== undefined);
}
