import { describe, expect, it } from 'vitest';
import { arrangedBy, changed, choicesOf, factsOfCard, moved, shownOf } from '#app/engine/list/columns.ts';
import type { Column } from '#app/engine/wire.ts';

const columns: Column[] = ['no', 'site', 'count', 'status'].map((name) => ({ name, label: name, type: 'String' }));
const plain = arrangedBy(columns, []);
const order = (arranged: typeof plain) => arranged.map((it) => it.column.name).join(' ');

describe('the arrangement of columns', () => {
  it('is the order of the definition until something is chosen', () => {
    expect(order(plain)).toBe('no site count status');
    expect(shownOf(plain)).toEqual(columns);
  });

  it('keeps the first column first and shown, whatever was kept', () => {
    const arranged = arrangedBy(columns, [{ name: 'status' }, { name: 'no', hidden: true }, { name: 'count' }]);
    expect(order(arranged)).toBe('no status count site');
    expect(arranged[0]?.hidden).toBe(false);
  });

  it('shows a column that came later at the end, and forgets one that is gone', () => {
    expect(order(arrangedBy(columns, [{ name: 'status' }, { name: 'gone' }, { name: 'site' }]))).toBe(
      'no status site count',
    );
  });

  it('comes back from what is kept of it', () => {
    const mine = changed(changed(moved(plain, 'status', 1), 'count', { width: 90.4 }), 'site', { hidden: true });
    expect(choicesOf(mine)).toEqual([
      { name: 'no' },
      { name: 'status' },
      { name: 'site', hidden: true },
      { name: 'count', width: 90 },
    ]);
    expect(arrangedBy(columns, choicesOf(mine))).toEqual(mine);
  });

  it.each([
    ['site', 3, 'no count status site'],
    ['site', 99, 'no count status site'],
    ['status', 0, 'no status site count'],
    ['no', 2, 'no site count status'],
    ['gone', 2, 'no site count status'],
  ])('moves %s to %i', (name, to, wanted) => {
    expect(order(moved(plain, name, to))).toBe(wanted);
  });

  it('bounds a width, and gives it back', () => {
    expect(choicesOf(changed(plain, 'site', { width: 3 }))[1]).toEqual({ name: 'site', width: 48 });
    expect(choicesOf(changed(plain, 'site', { width: 9999 }))[1]).toEqual({ name: 'site', width: 1200 });
    const wide = changed(plain, 'site', { width: 200 });
    expect(choicesOf(changed(wide, 'site', { hidden: true }))[1]).toEqual({ name: 'site', width: 200, hidden: true });
    expect(choicesOf(changed(wide, 'site', { width: undefined }))[1]).toEqual({ name: 'site' });
  });
});

describe('the facts of a card', () => {
  const column = (name: string): Column => ({ name, label: name, type: 'String' });
  const wide = ['no', 'status', 'supplier', 'model', 'project', 'price', 'from'].map((name) => ({
    ...column(name),
    below: column(`${name}Below`),
  }));
  const namesOf = (leftOut: readonly string[]) =>
    factsOfCard(wide, ({ name }) => leftOut.includes(name))
      .map(({ name }) => name)
      .join(' ');

  it('are the columns before what stands in small under them', () => {
    expect(namesOf(['no'])).toBe('status supplier model project price from');
  });

  it('fill the room that empty columns leave with what stands under, in the order of the table', () => {
    expect(namesOf(['no', 'noBelow', 'status', 'model', 'project', 'statusBelow'])).toBe(
      'supplier supplierBelow modelBelow projectBelow price from',
    );
  });
});
