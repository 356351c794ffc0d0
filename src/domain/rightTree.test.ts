import { describe, expect, it } from 'vitest';
import { isHalf, toggled, type RightNode } from '#domain/rightTree.ts';

const node = (id: string, ...children: RightNode[]): RightNode => ({ id, name: id, children });
const tree = [
  node('finance', node('prices', node('rmaPriceBill:list', node('rmaPriceBill:create'), node('rmaPriceBill:void')))),
  node('system', node('adminRole:list')),
];
const after = (checked: string[], id: string) => [...toggled(tree, new Set(checked), id)].sort();
const found = (id: string, of: RightNode[] = tree): RightNode | undefined =>
  of.find((it) => it.id === id) ?? of.map((it) => found(id, it.children)).find(Boolean);

describe('the tree of rights', () => {
  it('checks with a button the list, the submenu and the group that stand above it [S-RGT-02]', () => {
    expect(after([], 'rmaPriceBill:create')).toEqual(['finance', 'prices', 'rmaPriceBill:create', 'rmaPriceBill:list']);
  });

  it('checks and unchecks with a parent everything below it, and nothing beside it [S-RGT-03]', () => {
    const all = after(['system'], 'finance');
    expect(all).toEqual([
      'finance',
      'prices',
      'rmaPriceBill:create',
      'rmaPriceBill:list',
      'rmaPriceBill:void',
      'system',
    ]);
    expect(after(all, 'prices')).toEqual(['finance', 'system']);
  });

  it('leaves the parents when a child is unchecked', () => {
    expect(after(['finance', 'prices', 'rmaPriceBill:list', 'rmaPriceBill:create'], 'rmaPriceBill:create')).toEqual([
      'finance',
      'prices',
      'rmaPriceBill:list',
    ]);
  });

  it('leaves what is disabled as it is, and unchecks a parent when all else below it is checked', () => {
    const off = { ...node('rmaPriceBill:void'), disabled: true };
    const some = [node('prices', node('rmaPriceBill:list', node('rmaPriceBill:create'), off))];
    const once = toggled(some, new Set(), 'prices');
    expect([...once]).toEqual(['prices', 'rmaPriceBill:list', 'rmaPriceBill:create']);
    expect([...toggled(some, once, 'prices')]).toEqual([]);
  });

  it('leaves a disabled parent as it is, whatever is checked below it', () => {
    const some = [{ ...node('prices', node('rmaPriceBill:list')), disabled: true }];
    expect([...toggled(some, new Set(), 'rmaPriceBill:list')]).toEqual(['rmaPriceBill:list']);
  });

  it('completes a half-checked parent first', () => {
    expect(after(['finance', 'prices', 'rmaPriceBill:list', 'rmaPriceBill:create'], 'rmaPriceBill:list')).toContain(
      'rmaPriceBill:void',
    );
  });

  it('shows a parent half checked while only some below it are', () => {
    const list = found('rmaPriceBill:list') as RightNode;
    const half = (...ids: string[]) => isHalf(list, new Set(ids));
    expect(half('rmaPriceBill:list', 'rmaPriceBill:create')).toBe(true);
    expect(half('rmaPriceBill:list')).toBe(true);
    expect(half('rmaPriceBill:list', 'rmaPriceBill:create', 'rmaPriceBill:void')).toBe(false);
    expect(half()).toBe(false);
    expect(isHalf(found('adminRole:list') as RightNode, new Set(['adminRole:list']))).toBe(false);
  });
});
