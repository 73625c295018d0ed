/** Names for the shapes of the API, read off its routes so that they can never differ from them. */
import type { components, paths } from './schema';

type Json<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;
type Done<Responses> = Json<Responses[keyof Responses & (200 | 201 | 202)]>;
type Body<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends { responses: infer R }
  ? Done<R>
  : never;

export type Status = Body<'/api/status', 'get'>;
export type Session = Body<'/api/session', 'get'>;
export type User = Body<'/api/users/{userId}', 'get'>;
export type Invitation = Body<'/api/users', 'post'>;
export type Mail = Body<'/api/mails', 'get'>['items'][number];
export type Link = Body<'/api/users/{userId}/link', 'post'>;
export type Role = Body<'/api/roles/{roleId}', 'get'>;
export type Rule = Role['rules'][number];
export type ObjectKind = Body<'/api/objects', 'get'>['items'][number];
export type Instance = Body<'/api/instances/{instanceId}', 'get'>;
export type InstanceRef = Session['instances'][number];
export type Member = Body<'/api/instances/{instanceId}/members', 'get'>['items'][number];
export type Token = Body<'/api/tokens', 'get'>['items'][number];
export type TokenCreated = Body<'/api/tokens', 'post'>;
export type Inspection = Body<'/api/inspections', 'get'>['items'][number];
export type PrivateReader = Body<'/api/privateReaders', 'get'>['items'][number];
export type BrowserSession = Body<'/api/sessions', 'get'>['items'][number];
export type AuditEntry = Body<'/api/audit', 'get'>['items'][number];
export type ConversationRef = Body<'/api/workspace/{instanceId}/conversations', 'get'>['items'][number];
export type Conversation = Body<'/api/workspace/{instanceId}/conversations/{workflowId}', 'get'>;
export type ConversationQuery = Pick<NonNullable<paths['/api/workspace/{instanceId}/conversations']['get']['parameters']['query']>, 'status' | 'agentId' | 'since' | 'until'>;
export type Grant = ConversationRef['sharedWith'][number];
export type Message = Conversation['messages'][number];
export type MapEdit = components['schemas']['MapEditInput']['edit'];
export type Run = Body<'/api/runs/{runId}', 'get'>;
export type Trace = Body<'/api/runs/{runId}/trace', 'get'>;
export type CostLine = Body<'/api/costs', 'get'>['items'][number];
export type CostSum = Body<'/api/costs/summary', 'get'>['items'][number];
export type Budgets = Body<'/api/budgets', 'get'>;
export type Budget = Budgets['mine'][number];
export type BudgetScope = Budget['scope'];
export type LimitTable = NonNullable<Budgets['table']>;
export type InputBody = components['schemas']['WorkspaceInputRequest'];
export type InputAccepted = Body<'/api/workspace/{instanceId}/input', 'post'>;
export type Model = Body<'/api/models', 'get'>['items'][number];
export type EmbeddingModel = Body<'/api/embedding-models', 'get'>['items'][number];
export type Price = Model['price'];
export type Provider = Body<'/api/model-providers/{providerId}', 'get'>;
export type WebSearch = Body<'/api/web-search', 'get'>;
export type SearchService = NonNullable<WebSearch['service']>;
export type SearchTest = Body<'/api/web-search/test', 'post'>;
export type OwnModel = Provider['models'][number];
export type FoundServer = Body<'/api/model-providers/detect', 'post'>['items'][number];
export type Chain = Body<'/api/model-chains', 'get'>['items'][number];
export type ListedPrice = Body<'/api/model-prices', 'get'>['items'][number];
export type PriceTerms = Body<'/api/model-prices/terms', 'get'>;
export type SwitchEvaluation = Body<'/api/switch-evaluations/{evaluationId}', 'get'>;
export type SwitchRate = SwitchEvaluation['rates'][number];
export type SwitchAnswer = Body<'/api/switch-evaluations/{evaluationId}/answers', 'get'>['items'][number];
export type SwitchEstimate = Body<'/api/switch-evaluations', 'post'>;
export type AgentConfig = Body<'/api/workspace/{instanceId}/agentConfig', 'get'>;
export type ToolSet = Body<'/api/tool-sets', 'get'>[number];
export type ToolText = Body<'/api/tool-texts', 'get'>[string];
export type StoredFile = Body<'/api/files/{fileId}', 'get'>;
export type FileVersion = Body<'/api/files/{fileId}/versions', 'get'>['items'][number];
export type OpenProposal = Body<'/api/files/{fileId}/proposals', 'get'>['items'][number];
export type FileProposal = Body<'/api/files/{fileId}/proposals/{proposalId}', 'get'>;
export type Folder = Body<'/api/folders/{folderId}', 'get'>;
export type Visibility = StoredFile['visibility'];
export type Language = 'de' | 'en' | 'fr' | 'pt' | 'zh';
export type Theme = 'light' | 'dark' | 'system';

export interface Page<Item> {
  items: Item[];
  nextCursor?: string | null;
  total: number;
}

/** The query every list understands. */
export interface ListQuery {
  q?: string;
  sort?: string;
  order?: 'asc' | 'desc';
  limit?: number;
  cursor?: string;
}
