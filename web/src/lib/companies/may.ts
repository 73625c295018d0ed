/** What the user may do with companies: they are shared with their workspace, all of them. */
import { mayChange, mayCreate as mayCreateIn } from '../sharing/rights';

const OBJECT = 'data.company';

export const mayCreate = (): boolean => mayCreateIn(OBJECT);

export const mayCompany = (action: 'update' | 'delete', { ownerId }: { ownerId: string | null }): boolean => mayChange(OBJECT, action, { ownerId, visibility: 'GROUP' });
