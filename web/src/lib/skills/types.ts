/** What the server says of skills that people make, by the names the pages use. */
import type { components } from '../api/schema';

type Shapes = components['schemas'];

export type Skill = Shapes['Skill'];
export type SkillContent = Shapes['SkillContent'];
export type SkillEntry = Shapes['SkillEntry'];
export type SkillVersion = Shapes['SkillVersion'];
export type SkillParameter = Shapes['SkillParameter'];
export type SkillExample = Shapes['SkillExample'];
export type SkillFile = Shapes['SkillFile'];
export type ImportedSkill = Shapes['ImportedSkill'];

/** What is needed to do something with one: of a list or as a whole. */
export type SkillRef = Pick<SkillEntry, 'id' | 'name' | 'ownerId'> & Pick<Skill, 'visibility'>;
