/** Tables of an answer: heads that sort, a button that copies. While the answer grows its last table is drawn again and again: what
 * the reader has sorted stays so. */
import { i18n } from '../i18n/index.svelte';
import { nextDirection, sortedOrder, type Direction } from '../tables/order';
import { tabSeparated } from '../tables/export';

interface Sorting {
  column: number;
  direction: Direction;
}

/** Of each block: its tables that are sorted, by their place in it. */
const sortings = new WeakMap<Element, Map<number, Sorting>>();

/** Buttons in the heads, and one below; a table of one row is left alone. */
export function dressTables(fragment: DocumentFragment, copyLabel: string): void {
  for (const table of fragment.querySelectorAll('table')) {
    const rows = rowsOf(table);
    if (rows.length < 2) continue;
    rows.forEach((row, at) => (row.dataset['row'] = String(at)));
    for (const head of table.querySelectorAll('thead th')) head.replaceChildren(sortButton(head));
    const copy = document.createElement('button');
    copy.type = 'button';
    copy.className = 'copy-table';
    copy.dataset['copyTable'] = '';
    copy.textContent = copyLabel;
    table.parentElement?.after(copy);
  }
}

function sortButton(head: Element): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.dataset['sort'] = '';
  button.append(...head.childNodes);
  return button;
}

/** Sorts by the column of a head; `block` is what is drawn again as one. */
export function sortBy(button: Element, block: Element): void {
  const table = button.closest('table');
  const head = button.closest('th');
  if (!table || !head) return;
  const place = [...block.querySelectorAll('table')].indexOf(table);
  const column = [...(head.parentElement?.children ?? [])].indexOf(head);
  const known = sortings.get(block) ?? new Map<number, Sorting>();
  const before = known.get(place);
  const direction = nextDirection(before?.column === column ? before.direction : undefined);
  if (direction) known.set(place, { column, direction });
  else known.delete(place);
  sortings.set(block, known);
  arrange(table, known.get(place));
}

/** A block that is drawn: its tables as they were sorted, and the keyboard where it was. */
export function redrawn(block: Element, draw: () => void): void {
  const focused = block.contains(document.activeElement) ? [...block.querySelectorAll('button')].findIndex((button) => button === document.activeElement) : -1;
  draw();
  const tables = block.querySelectorAll('table');
  for (const [place, sorting] of sortings.get(block) ?? []) {
    const table = tables[place];
    if (table && rowsOf(table).length > 1) arrange(table, sorting);
  }
  if (focused >= 0) block.querySelectorAll('button')[focused]?.focus();
}

/** As a spreadsheet takes it, in the order that is shown. */
export function tableText(table: HTMLTableElement): string {
  return tabSeparated([...table.rows].map((row) => [...row.cells].map(textOf)), i18n.locale);
}

function arrange(table: HTMLTableElement, sorting: Sorting | undefined): void {
  const rows = rowsOf(table).sort((a, b) => Number(a.dataset['row']) - Number(b.dataset['row']));
  const cells = rows.map((row) => (sorting && row.cells[sorting.column] ? textOf(row.cells[sorting.column]!) : ''));
  const order = sorting ? sortedOrder(cells, sorting.direction, i18n.locale) : rows.map((_, at) => at);
  table.tBodies[0]?.append(...order.map((at) => rows[at]!));
  for (const [column, head] of [...table.querySelectorAll('thead tr > *')].entries()) {
    if (sorting?.column === column) head.setAttribute('aria-sort', sorting.direction);
    else head.removeAttribute('aria-sort');
  }
}

function rowsOf(table: Element): HTMLTableRowElement[] {
  return [...table.querySelectorAll<HTMLTableRowElement>('tbody > tr')];
}

/** Without the numbers of sources, which are no part of what is said. */
function textOf(cell: Element): string {
  const copy = cell.cloneNode(true) as Element;
  for (const cite of copy.querySelectorAll('.cite')) cite.remove();
  for (const line of copy.querySelectorAll('br')) line.replaceWith(' ');
  return copy.textContent?.trim() ?? '';
}
