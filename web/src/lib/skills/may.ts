/** What the user may do with a skill: it is its owner's, or shared with its workspace. */
import type { Visibility } from '../api/types';
import { mayChange, mayShare, type Shareable } from '../sharing/rights';

const OBJECT = 'data.skill';

export const maySkill = (action: 'update' | 'delete', skill: Shareable): boolean => mayChange(OBJECT, action, skill);

/** With whom the user may share it; empty when it is not theirs to share. */
export const maySharing = (skill: Shareable): Visibility[] => mayShare(OBJECT, skill).filter((whom) => whom !== 'ALL');
