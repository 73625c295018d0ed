/** Shapes of the catalogue, read off the API so that they can never differ from it. */
import type { components } from '../api/schema';

type Schemas = components['schemas'];
export type CataloguedModel = Schemas['CataloguedModel'];
export type CatalogueChange = Schemas['CatalogueChange'];
export type CatalogueProblem = Schemas['CatalogueProblem'];
export type CatalogueRevision = Schemas['CatalogueRevision'];
export type CatalogueCheck = Schemas['CatalogueCheck'];
export type CataloguePreview = Schemas['CataloguePreview'];
export type Described = Schemas['DescribedModel'];
export type DollarPrice = Schemas['DollarPrice'];
export type Strategy = Schemas['CatalogueStrategy'];
export type Wanted = Schemas['WantedModel'];
export type Update = Schemas['CatalogueUpdate'];
export type ProviderName = Wanted['provider'];

export const PROVIDERS: Record<ProviderName, string> = { openai: 'OpenAI', anthropic: 'Anthropic', google: 'Google' };

export const TYPES = ['gpt-advanced', 'gpt-standard', 'gpt-lite', 'reasoning-model', 'google-advanced', 'google-standard', 'google-lite', 'google-legacy', 'claude-advanced', 'claude-standard'] as const satisfies readonly Strategy['type'][];
export const TEMPLATES = ['hierarchical', 'simple', 'minimal', 'reasoning-focused', 'direct-command', 'direct-simple', 'xml-tags'] as const satisfies readonly Strategy['agentSwitchTemplate'][];
export const DEGREES = ['low', 'medium', 'high'] as const satisfies readonly Strategy['assertiveness'][];
export const HANDLINGS = ['priority-system', 'role-override', 'identity-override', 'role-assignment', 'step-by-step', 'efficient-processing', 'legacy-compatibility', 'gentle-reset'] as const satisfies readonly Strategy['specialHandling'][number][];
