/** What the user may do with an agent: shipped ones stay as they are. */
import type { Visibility } from '../api/types';
import { mayChange, mayCreate, mayShare } from '../sharing/rights';
import type { Agent } from './types';

const OBJECT = 'data.agent';

export const mayMake = (): boolean => mayCreate(OBJECT);

export const mayAgent = (action: 'update' | 'delete', agent: Agent): boolean => !agent.builtin && mayChange(OBJECT, action, agent);

/** With whom the user may share it; empty when it is not theirs to share. */
export const maySharing = (agent: Agent): Visibility[] => (agent.builtin ? [] : mayShare(OBJECT, agent));
