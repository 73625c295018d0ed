/** Keys of the preview: through pages, zoom, search. Not in text fields, nor when a dialog or menu is open. */
import type { Look } from './look.svelte';

/** What moves through pages. */
export interface Steps {
  step(by: number): void;
  go(page: number): void;
}

export function keyPressed(event: KeyboardEvent, look: Look, pager: Steps | undefined): void {
  if (event.defaultPrevented || event.isComposing || !look.reading) return;
  if (document.querySelector('dialog[open]:not(.right), :popover-open')) return;
  const isChord = event.ctrlKey || event.metaKey;
  if (isChord && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f') {
    event.preventDefault();
    if (look.side === 'search') document.querySelector<HTMLElement>('.viewer input[type=search]')?.focus();
    else look.side = 'search';
    return;
  }
  if (isChord || event.altKey || isTyping(event.target)) return;
  const run = actionOf(event.key, look, pager);
  if (!run) return;
  event.preventDefault();
  run();
}

function actionOf(key: string, look: Look, pager: Steps | undefined): (() => void) | undefined {
  if (key === '+' || key === '=') return () => look.magnify(1);
  if (key === '-') return () => look.magnify(-1);
  if (key === '0') return () => (look.zoom = 1);
  if (look.view !== 'pages' && look.view !== 'slides' && look.view !== 'flow') return undefined;
  const steps: Record<string, () => void> = {
    PageDown: () => pager?.step(1),
    PageUp: () => pager?.step(-1),
    ArrowRight: () => pager?.step(1),
    ArrowLeft: () => pager?.step(-1),
    Home: () => pager?.go(1),
    End: () => pager?.go(Number.MAX_SAFE_INTEGER),
  };
  return (look.structure?.pages ?? look.structure?.slides.length ?? 0) > 1 ? steps[key] : undefined;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
