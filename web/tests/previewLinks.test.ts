/** Links of a page that can be clicked. */
import { describe, expect, it } from 'vitest';
import { drawable, tipSide } from '../src/lib/preview/links';

const box = { x: 10, y: 20, width: 30, height: 12 };
const goals = (...addresses: string[]) => drawable(addresses.map((address) => ({ ...box, address, pageIndex: null })), 9).map((link) => 'address' in link && link.address);

describe('links of a page', () => {
  it('lead to web pages and mails, and to nothing else', () => {
    expect(goals('https://example.org/a', 'HTTP://example.org', 'mailto:a@example.org')).toEqual(['https://example.org/a', 'HTTP://example.org', 'mailto:a@example.org']);
    expect(goals('javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'ftp://example.org', 'tel:117', '/settings', '//example.org', '')).toEqual([]);
  });

  it('lead to pages that are there, counted as people count them', () => {
    const links = [0, 8, 9, -1].map((pageIndex) => ({ ...box, address: null, pageIndex }));
    expect(drawable(links, 9)).toEqual([{ ...box, page: 1 }, { ...box, page: 9 }]);
    expect(drawable([box], 9)).toEqual([]);
  });

  it('say where they lead away from the nearest edges of their page', () => {
    const page = { width: 600, height: 800 };
    expect(tipSide(box, page)).toEqual({ up: false, left: false });
    expect(tipSide({ ...box, x: 560, y: 780 }, page)).toEqual({ up: true, left: true });
  });
});
