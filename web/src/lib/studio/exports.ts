/** A project as a file to take along, as items of a menu. */
import { saveExport } from '../files/saveExport';
import { t } from '../i18n/index.svelte';
import type { MenuItem } from '../ui/Menu.svelte';
import { exportProject } from './server';
import type { Project, ProjectFormat, Room } from './types';

type Named = Pick<Project, 'id' | 'name'>;

export function exportItems(project: Named, room: Room): MenuItem[] {
  const item = (format: ProjectFormat, label: string, detail?: string): MenuItem => ({ label, detail, icon: 'arrow-down', run: () => void download(project, room, format) });
  return [
    item('docx', t('companies.exportDocx')),
    item('pdf', t('companies.exportPdf')),
    item('md', t('projectFile.markdown')),
    item('json', t('projectFile.json'), t('projectFile.jsonText')),
  ];
}

function download(project: Named, room: Room, format: ProjectFormat): Promise<void> {
  return saveExport(`${project.name}.${format}`, () => exportProject({ instanceId: room.id, projectId: project.id }, format));
}
