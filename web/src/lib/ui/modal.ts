/** Opens a dialog as long as it is drawn. Closed by the user it tells so; removed by us it does not.
 *
 * The browser gives focus back only when it closes the dialog itself; a dialog that is removed, or replaced by the next
 * one, would leave the keyboard nowhere. So we remember where it was before the first of them.
 */

let before: HTMLElement | null = null;

export function modal(close: () => void): (dialog: HTMLDialogElement) => () => void {
  return (dialog) => {
    const closed = () => close();
    const active = document.activeElement;
    if (active instanceof HTMLElement && active !== document.body && !active.closest('dialog')) before = active;
    dialog.addEventListener('close', closed);
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-focus]')?.focus();
    return () => {
      dialog.removeEventListener('close', closed);
      dialog.close();
      queueMicrotask(giveBack);
    };
  };
}

function giveBack(): void {
  const active = document.activeElement;
  if (document.querySelector('dialog[open]') || (active !== null && active !== document.body)) return;
  const target = before?.isConnected ? before : document.getElementById('page');
  target?.focus();
}
