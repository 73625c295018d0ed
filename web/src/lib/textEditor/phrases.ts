/** What CodeMirror says, in the language of the page. */
import { t } from '../i18n/index.svelte';

export const phrases = (): Record<string, string> => ({
  Find: t('edit.find'),
  Replace: t('edit.replaceWith'),
  next: t('edit.next'),
  previous: t('edit.previous'),
  all: t('edit.all'),
  'match case': t('edit.matchCase'),
  regexp: t('edit.regexp'),
  'by word': t('edit.byWord'),
  replace: t('edit.replace'),
  'replace all': t('edit.replaceAll'),
  close: t('action.close'),
  'current match': t('edit.currentMatch'),
  'on line': t('edit.onLine'),
  'replaced match on line $': t('edit.replacedOn', { line: '$' }),
  'replaced $ matches': t('edit.replaced', { count: '$' }),
  'Go to line': t('edit.goToLine'),
  go: t('edit.go'),
  'Control character': t('edit.control'),
});
