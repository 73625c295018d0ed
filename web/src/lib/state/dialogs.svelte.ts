/** The dialog that is open, if any. Pages, palette and shortcuts all open the same ones from here. */
import type { CataloguedModel } from '../catalogue/types';
import type { Room } from '../companies/acts';
import type { Company } from '../companies/types';
import type { FilesDialog } from '../files/dialogs';
import type { SearchHit } from '../search/server';
import type { StudioDialog } from '../studio/dialogs';
import type { ConversationRef, Instance, LimitTable, ListedPrice, Provider, Role, User, WebSearch } from '../api/types';

export type OpenDialog =
  | { kind: 'palette' }
  | { kind: 'shortcuts' }
  | { kind: 'invite' }
  | { kind: 'editUser'; user: User }
  | { kind: 'link'; user: User }
  | { kind: 'inspect'; user: User }
  | { kind: 'newToken'; instanceId?: string }
  | { kind: 'newWorkspace' }
  | { kind: 'renameMandate' }
  | { kind: 'renameWorkspace'; instance: Instance }
  | { kind: 'renameConversation'; instanceId: string; conversation: Pick<ConversationRef, 'id' | 'title'> }
  | { kind: 'shareConversation'; instanceId: string; conversation: ConversationRef }
  | { kind: 'workspaceSettings'; instance: Pick<Instance, 'id' | 'name'> }
  | { kind: 'provider'; provider: Provider | null }
  | { kind: 'webSearch'; webSearch: WebSearch }
  | { kind: 'price'; price: ListedPrice }
  | { kind: 'catalogueEntry'; model: CataloguedModel | null }
  | { kind: 'catalogueFiles' }
  | { kind: 'catalogueHistory' }
  | { kind: 'newEvaluation' }
  | { kind: 'company'; room: Room; company: Company | null; example?: { name: string; description: string } }
  | { kind: 'members'; instance: Pick<Instance, 'id' | 'name'> }
  | { kind: 'role'; role: Role | null; copy?: boolean }
  | { kind: 'roleLimits'; table: LimitTable; roleId: string | null }
  | { kind: 'found'; instanceId: string; hit: SearchHit }
  | { kind: 'files'; about: FilesDialog }
  | { kind: 'studio'; about: StudioDialog }
  | ({ kind: 'confirm' } & Confirmation);

export interface Confirmation {
  title: string;
  text: string;
  action: string;
  /** What the button that does nothing says, where “Cancel” could be taken for the deed. */
  keep?: string;
  /** Nothing is lost by it: its button does not warn. */
  calm?: boolean;
  /** To be typed before the button works. */
  typed?: string;
  run: () => Promise<void>;
}

class Dialogs {
  open = $state.raw<OpenDialog | null>(null);
  /** What was typed since it was asked for and before it was there. */
  typed = '';
  /** Whether Enter came after that. */
  entered = false;

  show(dialog: OpenDialog): void {
    this.typed = '';
    this.entered = false;
    this.open = dialog;
  }

  confirm(confirmation: Confirmation): void {
    this.open = { kind: 'confirm', ...confirmation };
  }

  close(): void {
    this.open = null;
  }
}

export const dialogs = new Dialogs();
