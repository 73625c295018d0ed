import { describe, expect, it } from 'vitest';
import { cutName } from '../src/lib/files/cutting';

const seen = (name: string) => {
  const { head, middle, tail } = cutName(name);
  return middle ? `${head}…${tail}` : head + tail;
};

describe('a long name', () => {
  it('keeps its beginning, its ending, and what tells it from its neighbour', () => {
    const year = (at: number) => `Annual report of the laboratory for applied mechanics, final version ${at} (signed).pdf`;
    expect([seen(year(2024)), seen(year(2025))]).toEqual(['Annual report of the laborator… 2024 (signed).pdf', 'Annual report of the laborator… 2025 (signed).pdf']);
  });

  it.each(['a', 'notes.txt', '.env', 'Annual report of the laboratory 2024.pdf', `${'x'.repeat(200)}.tar.gz`, '年度报告'.repeat(30) + '.pdf', '👩‍👩‍👧‍👦'.repeat(40), ''])('is all there in its three parts: %#', (name) => {
    const { head, middle, tail } = cutName(name);
    expect(head + middle + tail).toBe(name);
  });

  it('is not cut when it is short', () => {
    for (const name of ['notes.txt', 'Annual report of the laboratory 2024.pdf']) expect(seen(name)).toBe(name);
  });

  it('counts signs as wide as they are, and cuts none apart', () => {
    expect(seen(`${'年'.repeat(60)}.pdf`)).toBe(`${'年'.repeat(15)}…${'年'.repeat(7)}.pdf`);
    expect(cutName('👩‍👩‍👧‍👦'.repeat(40)).tail).toBe('👩‍👩‍👧‍👦'.repeat(9));
  });
});
