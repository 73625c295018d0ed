/** What the user may do, in the words of the pages. The server decides; this only hides what it would refuse. */
import type { Session } from './api/types';

type Permissions = Session['permissions'];
const LEVELS = ['NONE', 'MY', 'GROUP', 'ALL'];

const ABILITIES = {
  changeMandate: ['data.mandate', 'update', 'ALL'],
  seePeople: ['data.user', 'read', 'GROUP'],
  invitePeople: ['data.user', 'create', 'GROUP'],
  changePeople: ['data.user', 'update', 'GROUP'],
  removePeople: ['data.user', 'delete', 'GROUP'],
  inspectPeople: ['data.private', 'read', 'ALL'],
  seeRoles: ['data.role', 'read', 'MY'],
  createRoles: ['data.role', 'create', 'MY'],
  changeRoles: ['data.role', 'update', 'MY'],
  removeRoles: ['data.role', 'delete', 'MY'],
  seeWorkspaces: ['data.instance', 'read', 'MY'],
  createWorkspaces: ['data.instance', 'create', 'MY'],
  changeWorkspaces: ['data.instance', 'update', 'MY'],
  removeWorkspaces: ['data.instance', 'delete', 'MY'],
  seeMembers: ['data.member', 'read', 'MY'],
  addMembers: ['data.member', 'create', 'GROUP'],
  changeMembers: ['data.member', 'update', 'GROUP'],
  removeMembers: ['data.member', 'delete', 'GROUP'],
  seeTokens: ['data.token', 'read', 'MY'],
  createTokens: ['data.token', 'create', 'MY'],
  revokeTokens: ['data.token', 'delete', 'MY'],
  seeSessions: ['data.session', 'read', 'MY'],
  endSessions: ['data.session', 'delete', 'MY'],
  seeConversations: ['data.conversation', 'read', 'MY'],
  startConversations: ['data.conversation', 'create', 'MY'],
  changeConversations: ['data.conversation', 'update', 'MY'],
  removeConversations: ['data.conversation', 'delete', 'MY'],
  useAgents: ['service.agent', 'use', 'MY'],
  seeCompanies: ['data.company', 'read', 'MY'],
  seeProjects: ['data.project', 'read', 'MY'],
  seeSkills: ['data.skill', 'read', 'MY'],
  makeSkills: ['data.skill', 'create', 'MY'],
  seeFiles: ['data.file', 'read', 'MY'],
  storeFiles: ['data.file', 'create', 'MY'],
  seeCosts: ['data.usage', 'read', 'MY'],
  seeOthersCosts: ['data.usage', 'read', 'GROUP'],
  changeBudgets: ['data.budget', 'update', 'ALL'],
  seeModels: ['data.model', 'read', 'ALL'],
  changeModels: ['data.model', 'update', 'ALL'],
  seeAudit: ['data.audit', 'read', 'MY'],
} as const;

export type Ability = keyof typeof ABILITIES;

export function allows(permissions: Permissions, ability: Ability): boolean {
  const [object, action, least] = ABILITIES[ability];
  const level = permissions[object]?.[action] ?? 'NONE';
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}
