import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MenuNode } from '#domain/definition/grammar.ts';
import { layMenuOver } from '#domain/definition/overlay.ts';
import { validateChange } from '#domain/definition/validateChange.ts';
import { tries } from '#tests/support/tries.ts';
import { alteredInMenu, menuDifferences, movedInMenu, namesInMenu, placedInMenu, withoutNode } from './rules.menu.ts';

const words = (en: string) => ({ zh: en, en });
const group = (menuNo: string, ...children: MenuNode[]): MenuNode => ({ menuNo, label: words(menuNo), children });
const entry = (menuNo: string): MenuNode => ({ menuNo });
const tree = [group('a', entry('x'), group('b', entry('y'))), group('c'), entry('z')];

/** `a(x b(y)) c() z` */
const drawn = (nodes: readonly MenuNode[]): string =>
  nodes.map((it) => (it.children ? `${it.menuNo}(${drawn(it.children)})` : it.menuNo)).join(' ');

describe('the menu as it is edited', () => {
  it.each([
    ['z', 'up', 'a(x b(y)) z c()'],
    ['z', 'in', 'a(x b(y)) c(z)'],
    ['y', 'out', 'a(x b() y) c() z'],
    ['x', 'down', 'a(b(y) x) c() z'],
    ['b', 'out', 'a(x) b(y) c() z'],
    ['c', 'in', 'a(x b(y) c()) z'],
    ['x', 'in', drawn(tree)],
    ['a', 'up', drawn(tree)],
    ['z', 'out', drawn(tree)],
    // It holds a group already: a fourth level would be there.
    ['c', 'up', 'c() a(x b(y)) z'],
    ['nobody', 'down', drawn(tree)],
  ] as const)('%s moved %s', (name, to, expected) => {
    expect(drawn(movedInMenu(tree, name, to))).toBe(expected);
  });

  it.each([
    ['z', { before: 'y' }, 'a(x b(z y)) c()'],
    ['x', { into: 'c' }, 'a(b(y)) c(x) z'],
    ['a', { into: 'b' }, drawn(tree)],
    ['a', { before: 'a' }, drawn(tree)],
    ['a', { into: 'c' }, drawn(tree)],
  ] as const)('%s dropped %j', (name, at, expected) => {
    expect(drawn(placedInMenu(tree, name, at))).toBe(expected);
  });

  it('says of a node what is said of it, and nothing where that is taken back', () => {
    const hidden = alteredInMenu(tree, 'y', { hidden: true });
    expect(menuDifferences(tree, hidden)).toEqual([{ path: 'menu.y.hidden', from: undefined, to: true }]);
    expect(alteredInMenu(hidden, 'y', { hidden: null })).toEqual(tree);
  });

  it('tells of a group what it held and what it holds', () => {
    expect(menuDifferences(tree, movedInMenu(tree, 'z', 'in'))).toEqual([
      { path: 'menu', from: ['a', 'c', 'z'], to: ['a', 'c'] },
      { path: 'menu.c', from: [], to: ['z'] },
    ]);
    expect(menuDifferences(tree, tree)).toEqual([]);
  });

  it('loses nothing and breaks no law, whatever is moved where', () => {
    const name = fc.constantFrom(...namesInMenu(tree));
    const step = fc.oneof(
      fc.record({ name, to: fc.constantFrom('up' as const, 'down' as const, 'in' as const, 'out' as const) }),
      fc.record({ name, at: fc.oneof(fc.record({ before: name }), fc.record({ into: name })) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const laid = steps.reduce<MenuNode[]>(
          (menu, it) => ('to' in it ? movedInMenu(menu, it.name, it.to) : placedInMenu(menu, it.name, it.at)),
          tree,
        );
        expect(namesInMenu(laid).sort()).toEqual(namesInMenu(tree).sort());
        expect(validateChange({ shipped: undefined, current: undefined }, 'menu', { menu: laid })).toEqual([]);
      }),
      tries(200),
    );
  });
});

describe('a menu that was published', () => {
  it('keeps what another one brought meanwhile, in its group', () => {
    const theirs = [group('a', entry('x'), group('b', entry('y'), entry('new'))), group('c'), entry('z')];
    const mine = movedInMenu(tree, 'z', 'in');
    expect(drawn(layMenuOver(theirs, mine, () => true))).toBe('a(x b(y new)) c(z)');
    expect(drawn(layMenuOver(theirs, withoutNode(mine, 'c'), (it) => it !== 'new'))).toBe('a(x b(y)) z');
  });
});
