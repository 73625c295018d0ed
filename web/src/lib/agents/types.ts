/** What the server says of agents, by the names the pages use. */
import type { components } from '../api/schema';

type Shapes = components['schemas'];

export type Agent = Shapes['AgentDefinition'];
export type AgentContent = Shapes['AgentContent'];
export type AgentVersion = Shapes['AgentVersion'];
export type AgentFile = Shapes['AgentFile-Output'];
export type AgentSwitch = Shapes['AgentSwitch'];
export type Forcing = Shapes['Forcing'];
export type FileEdits = AgentContent['fileEdits'];
export type Strategy = Shapes['Strategy'];
export type Intent = Shapes['Intent'];
export type ImportedAgent = Shapes['ImportedAgent'];
export type ImportWarning = Shapes['ImportWarning'];
export type Work = NonNullable<AgentContent['operation']>;
