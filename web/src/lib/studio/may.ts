/** What the user may do in the studio: projects and profiles are shared with their workspace, all of them. */
import { mayChange, mayCreate as mayCreateIn } from '../sharing/rights';

const OBJECT = 'data.project';

export const mayCreate = (): boolean => mayCreateIn(OBJECT);

/** A project or a profile. Who may change a project may change everything in it. */
export const mayStudio = (action: 'update' | 'delete', { ownerId }: { ownerId: string | null }): boolean => mayChange(OBJECT, action, { ownerId, visibility: 'GROUP' });
