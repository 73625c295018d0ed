/** Opens a dialog as long as it is drawn. Closed by the user it tells so; removed by us it does not. */

export function modal(close: () => void): (dialog: HTMLDialogElement) => () => void {
  return (dialog) => {
    const closed = () => close();
    dialog.addEventListener('close', closed);
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-focus]')?.focus();
    return () => {
      dialog.removeEventListener('close', closed);
      dialog.close();
    };
  };
}
