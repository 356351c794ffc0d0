// @vitest-environment jsdom
import type { Problem } from '#domain/refusal.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import { emptyRow, validateRow, RepairRecordForm } from './RepairRecordForm.tsx';

const partsTypes = [
  { value: '7', name: 'Computing 1' },
  { value: '15', name: 'Other' },
];
const methods = [
  { value: '2', name: 'Replace' },
  { value: '8', name: 'Welding' },
];
const code = { codeId: 41, code: 'RP01', name: 'Chip fault', disposition: null, imageRequired: null };

const bomPath = '/api/ubsItem/queryBomItemByBomId.json';
const bom = {
  items: [
    { location: 'U10', productName: 'ASIC A' },
    { location: 'U2', productName: 'ASIC A' },
    { location: 'R7', productName: 'Resistor 10k' },
  ],
};

async function opens(slots: string[] | null = null, bomId: string | null = null) {
  const onAdd = vi.fn();
  const form = { partsTypes, methods, choices: [code], components: [], bomId, filled: 0 };
  const nothing = { onSubmit: () => undefined, onScanned: () => false, onOpen: () => undefined };
  const Form = () => {
    const [row, setRow] = useState(emptyRow);
    const [shownProblems, setShownProblems] = useState<readonly Problem[]>([]);
    const problems = validateRow(row, slots && new Set(slots));
    const add = () => {
      setShownProblems(problems);
      if (problems.length === 0) onAdd(row);
    };
    return (
      <RepairRecordForm
        {...form}
        {...nothing}
        row={row}
        onChange={setRow}
        problems={problems}
        shownProblems={shownProblems}
        onAdd={add}
      />
    );
  };
  const page = await openPage(<Form />, { lang: 'en', answers: { [bomPath]: bom } });
  const choose = async (name: RegExp, option: string) => {
    await page.user.click(screen.getByRole('combobox', { name }));
    await page.user.click(screen.getByRole('option', { name: new RegExp(`${option}$`) }));
  };
  const fill = (name: RegExp, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });
  const addCode = async () => {
    await page.user.type(screen.getByRole('combobox', { name: /Issue code/ }), 'rp01{Enter}');
    expect(screen.getByRole('button', { name: 'RP01' })).toBeTruthy();
  };
  const add = () => page.user.click(screen.getByRole('button', { name: 'Add record' }));
  return { ...page, choose, fill, addCode, add, onAdd };
}

describe('a record of a repair', () => {
  it('needs board type, mode, codes and slots [W-REP-08] [W-REP-09]', async () => {
    const { add, onAdd } = await opens();
    await add();
    expect(screen.getAllByText('The required fields must not be empty')).toHaveLength(4);
    expect(onAdd).not.toHaveBeenCalled();
  });

  it('waits, once a scan has filled it in, in the first field that it still needs', async () => {
    await opens();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: /Part type/ })));
  });

  it('offers the slots of the bill of material, one after the other, and says what is there', async () => {
    const { user, callsTo } = await opens(null, 'HB19');
    const slot = screen.getByRole('combobox', { name: /Slots/ });
    const offered = () => screen.queryAllByRole('option').map((it) => it.textContent);
    await user.click(slot);
    await waitFor(() => expect(offered()).toEqual(['R7Resistor 10k', 'U2ASIC A', 'U10ASIC A']));
    expect(callsTo(bomPath)[0]?.input).toMatchObject({ bomId: 'HB19' });
    await user.click(screen.getByRole('option', { name: /^U2/ }));
    expect(slot).toHaveProperty('value', 'U2');
    expect(screen.getByLabelText(/Material used/)).toHaveProperty('value', 'ASIC A');
    await user.type(slot, ',u');
    expect(offered()).toEqual(['U10ASIC A']);
    await user.clear(slot);
    await user.type(slot, 'u2,resist');
    await user.click(screen.getByRole('option', { name: /^R7/ }));
    expect(slot).toHaveProperty('value', 'u2,R7');
    expect(screen.getByLabelText(/Material used/)).toHaveProperty('value', 'ASIC A');
  });

  it('asks for no bill of material where there is none: slots are typed', async () => {
    const { user, callsTo } = await opens();
    await user.type(screen.getByRole('combobox', { name: /Slots/ }), 'U12');
    expect(screen.queryAllByRole('option')).toEqual([]);
    expect(callsTo(bomPath)).toEqual([]);
  });

  it('needs no slot where there is no board [W-REP-09]', async () => {
    const { choose, addCode, add, onAdd } = await opens();
    await choose(/Part type/, 'Other');
    await choose(/Repair method/, 'Welding');
    await addCode();
    await add();
    expect(onAdd).toHaveBeenCalledWith(expect.objectContaining({ partsType: '15', repairMethod: '8', slot: '' }));
  });

  it('asks what replaces a part, hints at XXXX and counts by slots [W-REP-11] [W-REP-12] [W-REP-13]', async () => {
    const { choose, fill, addCode, add, onAdd } = await opens();
    expect(screen.queryByLabelText(/Replacement SN/)).toBeNull();
    await choose(/Part type/, 'Computing 1');
    await choose(/Repair method/, 'Replace');
    expect(screen.getByText('If not repaired, enter XXXX')).toBeTruthy();
    fill(/Slots/, 'U1，U2, U3');
    expect(screen.getByLabelText(/Parts replaced/)).toMatchObject({ value: '3', readOnly: true });
    await addCode();
    await add();
    expect(onAdd).not.toHaveBeenCalled();
    fill(/Replacement SN/, 'SHORT');
    await add();
    expect(onAdd).not.toHaveBeenCalled();
    fill(/Replacement SN/, 'xxxx');
    await add();
    expect(onAdd).toHaveBeenCalledWith(
      expect.objectContaining({
        replaceSn: 'xxxx',
        codes: [expect.objectContaining({ codeId: 41 })],
      }),
    );
  });

  it('of a part names slots of its bill of material alone [W-REP-14]', async () => {
    const { choose, fill, addCode, add, onAdd } = await opens(['U1', 'U2']);
    await choose(/Part type/, 'Computing 1');
    await choose(/Repair method/, 'Welding');
    await addCode();
    fill(/^Slots/, 'U1,u9');
    await add();
    expect(screen.getByText('The slot is not in the BOM slot list')).toBeTruthy();
    expect(onAdd).not.toHaveBeenCalled();
    fill(/^Slots/, 'U1，u2');
    await add();
    expect(screen.queryByText('The slot is not in the BOM slot list')).toBeNull();
    expect(onAdd).toHaveBeenCalledOnce();
  });
});
