import { describe, expect, it } from 'vitest';
import { addressIfShared, distinctName } from '../src/lib/panels/addressIfShared';

describe('workspaces of the same name', () => {
  it('are told apart by their addresses, others need none', () => {
    const all = [{ name: 'Test', slug: 'test' }, { name: 'Test', slug: 'test-2' }, { name: 'Offers', slug: 'offers' }];
    expect(all.map((workspace) => addressIfShared(workspace, all))).toEqual(['/i/test', '/i/test-2', undefined]);
    expect(all.map((workspace) => distinctName(workspace, all))).toEqual(['Test /i/test', 'Test /i/test-2', 'Offers']);
  });
});
