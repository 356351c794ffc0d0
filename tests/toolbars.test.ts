import { describe, expect, it } from 'vitest';
import { inOrder } from '#app/engine/actions.ts';
import type { ToolbarButton } from '#app/engine/wire.ts';
import { readModel } from '#server/definitions/read.ts';
import { registers } from '#tests/support/features.ts';

const lists = [...readModel(registers).definitions.values()].flatMap(({ module, buttons = [] }) => {
  const all = buttons.map(({ btnNo, script, label, rows, tone }) => ({
    ...{ id: btnNo, btnNo, btnName: label.en, btnScript: script },
    ...(rows && { rows }),
    ...(tone && { tone }),
  }));
  return all.length > 0 ? [{ module, all }] : [];
});
const namesOf = (buttons: readonly ToolbarButton[], isSelecting = false) =>
  inOrder(buttons, isSelecting).map((it) => it.btnNo);
const of = (wanted: string) => lists.find(({ module }) => module === wanted)?.all ?? [];

describe('the buttons above a list', () => {
  it.each(lists)('$module begin with what people come for, and end with what is dangerous', ({ all }) => {
    const [first] = inOrder(all, false);
    const tones = inOrder(all, false).map((it) => it.tone ?? 'plain');
    if (all.some((it) => it.tone === 'primary')) expect(first?.tone).toBe('primary');
    else if (all.some((it) => !it.btnScript.startsWith('export') && it.tone !== 'danger' && it.btnScript !== 'detail'))
      expect(first?.btnScript).not.toMatch(/^export/);
    expect(tones.join(' ')).not.toMatch(/danger (primary|plain)/);
  });

  it.each([
    ['rmaSelfPickup', ['selfPickupReview', 'export', 'detail', 'uploadDocument']],
    ['rmaScrapConfirm', ['scrapConfirm', 'export']],
    ['rmaInventory', ['viewHistory', 'findMany', 'activation', 'modifyIvyId', 'querySalesCode', 'export']],
  ])('%s are in this order: the list’s before those that wait for a row, exports behind', (module, names) => {
    expect(namesOf(of(module))).toEqual(names);
  });

  it('begin with the first review for who may do nothing louder', () => {
    const mine = of('rmaRepairFeeBill').filter((it) => ['export', 'detail', 'financialReview'].includes(it.btnNo));
    expect(namesOf(mine)).toEqual(['financialReview', 'export', 'detail']);
  });

  it('are those of the rows first once rows are selected', () => {
    expect(namesOf(of('rmaStockupBill'), true).at(0)).toBe('modify');
    expect(namesOf(of('rmaStockupBill'), true).at(-1)).toBe('export');
  });
});
