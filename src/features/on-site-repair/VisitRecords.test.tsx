// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { useState } from 'react';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { AssemblySlots, type Parts } from '#app/parts/AssemblySlots.tsx';
import { openPage } from '#app/parts/openPage.tsx';
import { BOARD_COUNT } from '#domain/assembly.ts';
import { allRepairMethods } from '#domain/lookups.ts';
import { repairAnswers } from '#app/parts/repair/repairAnswers.ts';
import { validateVisitParts, visitSlots } from './rules.ts';
import { noRecords, type RecordKind, type Records, useVisitRecords } from './useVisitRecords.ts';
import { VisitRecords } from './VisitRecords.tsx';

function Held({ start = noRecords }: { start?: Records }) {
  const [kind, setKind] = useState<RecordKind>('component');
  const [records, setRecords] = useState(start);
  const entry = useVisitRecords(kind, records, (to) => setRecords(to));
  return (
    <VisitRecords
      entry={entry}
      onKind={setKind}
      checkCodes={[]}
      components={[]}
      onSubmit={() => undefined}
      onOpen={() => undefined}
    />
  );
}
const opens = (start?: Records, answers = repairAnswers) =>
  openPage(<Held {...(start && { start })} />, { lang: 'en', answers });
type User = Awaited<ReturnType<typeof opens>>['user'];
const set = (label: RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } });
const choose = async (user: User, label: RegExp, option: RegExp) => {
  await user.click(screen.getByRole('combobox', { name: label }));
  await user.click(await screen.findByRole('option', { name: option }));
};
const count = () => screen.getByLabelText<HTMLInputElement>(/^Parts replaced/, { selector: 'input' });
const add = (user: User) => user.click(screen.getByRole('button', { name: 'Add record' }));
const rows = () => within(screen.getByRole('table', { name: 'Records of this repair' })).getAllByRole('row');
const missing = () => screen.queryAllByText('The required fields must not be empty').length;

describe('the records of a visit', () => {
  it('have the SN of a part, its type, codes, slots, method, marking, count and pictures [S-OSR-09]', async () => {
    await opens();
    const fields = [/^Part SN/, /^Part type/, /^Issue code/, /^Slots/, /^Repair method/, /^Marking/, /^Parts replaced/];
    for (const it of fields) expect(screen.getByLabelText(it, { selector: 'input' })).toBeTruthy();
    expect(screen.getByRole('combobox', { name: 'BOM name' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Delete records' })).toBeTruthy();
  });

  it('have any method that is offered, also one that an administrator has added', async () => {
    const items = [{ value: '13', name: 'Cleaning' }];
    const { user } = await opens(noRecords, { ...repairAnswers, [allRepairMethods.path]: { items } });
    await choose(user, /^Repair method/, /Cleaning/);
    await add(user);
    expect(missing()).toBe(4);
  });

  it('are added once the part, its type, a code, the method and a slot are there [S-OSR-15]', async () => {
    const { user } = await opens();
    await add(user);
    expect(missing()).toBe(5);
    expect(screen.queryByRole('table')).toBeNull();
    set(/^Part SN/, 'hb0001');
    await choose(user, /^Part type/, /Board 1/);
    await choose(user, /^Repair method/, /Fly line/);
    set(/^Slots/, 'U1');
    await add(user);
    expect(missing()).toBe(1);
    await choose(user, /^Issue code/, /C01/);
    await add(user);
    expect(rows().map((it) => it.textContent)).toEqual([expect.stringContaining('HB0001Board 1 · Fly lineU1× 1C01')]);
  });

  it('count what is replaced by the slots, which nobody changes [S-OSR-17]', async () => {
    const { user } = await opens();
    expect(count().readOnly).toBe(false);
    await choose(user, /^Repair method/, /Replace/);
    set(/^Slots/, 'U1,U2,U3');
    expect([count().value, count().readOnly]).toEqual(['3', true]);
    set(/^Slots/, '');
    expect(count().value).toBe('0');
    set(/^Slots/, 'U1, u1,U2');
    expect(count().value).toBe('2');
    fireEvent.blur(screen.getByLabelText(/^Slots/, { selector: 'input' }));
    expect(screen.getByLabelText<HTMLInputElement>(/^Slots/, { selector: 'input' }).value).toBe('U1,U2');
  });

  it('are deleted where one is chosen [S-OSR-16]', async () => {
    const row = { ...noRecords.row, sn: 'HB0001', slot: 'U1' };
    const { user } = await opens({ ...noRecords, rows: [row, { ...row, sn: 'HB0002' }] });
    const remove = () => user.click(screen.getByRole('button', { name: 'Delete records' }));
    await remove();
    expect(screen.getByText('Select the Data')).toBeTruthy();
    expect(rows()).toHaveLength(2);
    await user.click(screen.getByRole('checkbox', { name: 'Record 1' }));
    await remove();
    expect(rows().map((it) => it.textContent)).toEqual([expect.stringContaining('HB0002')]);
  });

  it('show the slots of the bill of material that is chosen [S-OSR-14]', async () => {
    const { user, callsTo } = await opens();
    await user.type(screen.getByRole('combobox', { name: 'BOM name' }), 'Hash');
    await user.click(await screen.findByRole('option', { name: 'Hash board' }));
    const list = await screen.findByRole('list', { name: 'Slots of the BOM' });
    await waitFor(() => expect(list.textContent).toBe('U1 Chip BM1'));
    expect(callsTo('/api/ubsItem/queryBomItemByBomId.json')[0]?.input).toMatchObject({ bomId: 'BOM7' });
  });
});

describe('the parts of the device', () => {
  function Slots() {
    const [parts, setParts] = useState<Parts>({});
    return <AssemblySlots isOptional slots={visitSlots} boards={BOARD_COUNT} parts={parts} onChange={setParts} />;
  }

  it('are six, each with its QR code number [S-OSR-19]', async () => {
    await openPage(<Slots />, { lang: 'en' });
    expect(visitSlots).toHaveLength(6);
    expect(screen.getAllByRole('textbox')).toHaveLength(12);
  });

  it('have XXXX as the QR code number of a board that is XXXX [S-OSR-22]', async () => {
    await openPage(<Slots />, { lang: 'en' });
    const [sn, qrCode] = screen.getAllByRole<HTMLInputElement>('textbox').slice(4);
    fireEvent.change(sn as HTMLInputElement, { target: { value: 'xxxx' } });
    expect(qrCode?.value).toBe('XXXX');
  });

  const found = (parts: Parts) => validateVisitParts('RX0001', parts).map((it) => [it.field, it.key]);
  const qrCode = 'Q'.repeat(17);

  it('may stay empty; an SN needs its QR code number of 17, 25 or 28 characters [S-OSR-21]', () => {
    expect(found({})).toEqual([]);
    expect(found({ power: { sn: 'PW0001', qrCode } })).toEqual([]);
    expect(found({ power: { sn: 'PW0001', qrCode: '' } })).toEqual([['power.qrCode', 'required']]);
    expect(found({ power: { sn: '', qrCode } })).toEqual([['power.sn', 'required']]);
    expect(found({ board1: { sn: 'HB0001', qrCode: 'Q'.repeat(18) } })).toEqual([['board1.qrCode', 'qrCodeIllegal']]);
    expect(found({ board1: { sn: 'HB0001', qrCode: 'XXXX' } })).toEqual([]);
    expect(found({ power: { sn: 'PW0001', qrCode: 'XXXX' } })).toEqual([['power.qrCode', 'qrCodeIllegal']]);
    expect(found({ power: { sn: 'XXXX', qrCode: 'XXXX' } })).toEqual([['power.sn', 'required']]);
  });

  it('have each SN once, XXXX excepted', () => {
    const gone = { sn: 'XXXX', qrCode: 'XXXX' };
    expect(found({ board1: gone, board2: gone })).toEqual([]);
    expect(found({ board1: { sn: 'RX0001', qrCode } })).toEqual([['board1.sn', 'duplicateSn']]);
  });
});
