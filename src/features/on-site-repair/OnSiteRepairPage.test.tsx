// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answers, openPage, refuses } from '#app/parts/openPage.tsx';
import { scanOn } from '#app/testing/keys.ts';
import { slowUploads } from '#app/testing/slowUploads.ts';
import OnSiteRepairPage from './OnSiteRepairPage.tsx';
import { repairAnswers } from '#app/parts/repair/repairAnswers.ts';

const BILLS = '/api/rmaSiteRepairBill';
const paths = {
  device: `${BILLS}/queryDevice.json`,
  validate: `${BILLS}/onSiteValidateSn.json`,
  submit: `${BILLS}/onSiteRepair.json`,
  end: `${BILLS}/finishOnSiteRepair.json`,
  boms: '/api/ubsItem/queryBomByName.json',
  slots: '/api/ubsItem/queryBomItemByBomId.json',
};
const item = { code: 'RX19', name: 'Miner RX-19', itemId: 1 };
const SN = 'RX19A26110001';
const MTB = 'MTB2611001';
const opens = (more: Answers = {}, lang: 'zh' | 'en' = 'en') =>
  openPage(<OnSiteRepairPage menuNo="rmaSiteRepairBillList" />, {
    lang,
    answers: {
      ...repairAnswers,
      [paths.validate]: { sn: SN, mtbId: MTB, item, components: [] },
      [paths.device]: { item },
      [paths.submit]: { osbId: 'OSB1', mtbId: MTB, productSn: SN, deviceCount: 1 },
      [paths.end]: { osbId: 'OSB1', mtbId: MTB, billStatus: '2', notReceivedCount: 0 },
      ...more,
    },
  });
type User = Awaited<ReturnType<typeof opens>>['user'];

const input = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
const set = (label: RegExp, value: string) => fireEvent.change(input(label), { target: { value } });
const bill = () => input(/^Maintain bill/);
const device = () => input(/^Device SN/);
const verdict = () => document.querySelector('[data-verdict]');
const kind = () => verdict()?.getAttribute('data-verdict');
const button = (name: string) => screen.getByRole('button', { name });
const submit = (user: User) => user.click(button('Submit device'));
const missing = () => screen.queryAllByText('The required fields must not be empty', { selector: 'p, p *' }).length;

/** The keys of a scanner, or those of a hand, so many milliseconds apart. */
async function scan(user: User, sn = SN, gap = 20) {
  await user.click(button('Scan'));
  scanOn(device(), sn, gap);
}
const choose = async (user: User, label: RegExp, option: RegExp) => {
  await user.click(screen.getByRole('combobox', { name: label }));
  await user.click(await screen.findByRole('option', { name: option }));
};
const codeEntry = () => within(screen.getByRole('region', { name: 'Check issues' }));
const enterCode = async (user: User, it: string) => {
  fireEvent.change(codeEntry().getByRole('combobox'), { target: { value: it } });
  await user.click(codeEntry().getByRole('button', { name: 'Add' }));
};
const enterRecord = async (user: User) => {
  set(/^Part SN/, 'hb0001');
  await choose(user, /^Part type/, /Board 1/);
  await choose(user, /^Repair method/, /Fly line/);
  set(/^Slots/, 'U1');
  const form = within(screen.getByRole('region', { name: 'Repair record' }));
  await user.click(form.getByRole('combobox', { name: /^Issue code/ }));
  await user.click(await screen.findByRole('option', { name: /C02/ }));
};
const rows = () => within(screen.getByRole('table', { name: 'Records of this repair' })).getAllByRole('row');
/** All that a submit needs. */
async function enterAll(user: User) {
  set(/^Maintain bill/, MTB);
  await scan(user);
  await waitFor(() => expect(codeEntry().getByRole('combobox')).toBeTruthy());
  await screen.findByText('Miner RX-19');
  await enterCode(user, 'C01');
  await enterRecord(user);
}

it('the page opens in the field of its bill', async () => {
  await opens();
  expect(document.activeElement).toBe(bill());
});

describe('the page of a repair on site', () => {
  it('has a field for the bill [S-OSR-01]', async () => {
    const { user, callsTo } = await opens();
    expect(bill().value).toBe('');
    await scan(user);
    await waitFor(() => expect(kind()).toBe('wrong'));
    expect(verdict()?.textContent).toContain('Enter the maintain bill first');
    expect(callsTo(paths.validate)).toEqual([]);
  });

  it('takes the SN of the device from a scanner alone, and clears it [S-OSR-02]', async () => {
    const { user } = await opens();
    set(/^Maintain bill/, MTB);
    await user.click(button('Scan'));
    await user.paste(SN);
    await scan(user, SN, 110);
    expect([device().readOnly, device().value]).toEqual([true, '']);
    await scan(user, SN, 60);
    await waitFor(() => expect(device().value).toBe(SN));
    await user.click(button('Clear'));
    await waitFor(() => expect(device().value).toBe(''));
  });

  it('asks about the device, and shows what it is [S-OSR-03] [S-OSR-04]', async () => {
    const { user, callsTo } = await opens();
    set(/^Maintain bill/, MTB);
    await scan(user);
    expect(await screen.findByText('Miner RX-19')).toBeTruthy();
    expect(screen.getByText('RX19')).toBeTruthy();
    for (const path of [paths.validate, paths.device])
      expect(callsTo(path)[0]?.input).toMatchObject({ mtbId: MTB, sn: SN });
  });

  it('says why a device can not be repaired here, and has none then', async () => {
    const { user } = await opens({ [paths.validate]: refuses('notFound', 'No such device on this bill') });
    set(/^Maintain bill/, MTB);
    await scan(user);
    await waitFor(() => expect(verdict()?.textContent).toContain('No such device on this bill'));
    expect(device().value).toBe('');
  });

  it('has check issues one by one, none of them empty, each of which can be deleted [S-OSR-05] [S-OSR-06]', async () => {
    const { user } = await opens();
    await waitFor(() => expect(document.querySelectorAll('datalist option').length).toBeGreaterThan(0));
    await enterCode(user, '');
    expect(codeEntry().getByText('The required fields must not be empty')).toBeTruthy();
    expect(codeEntry().queryByRole('table')).toBeNull();
    await enterCode(user, 'C01');
    await enterCode(user, 'c02');
    const list = () => codeEntry().getAllByRole('row');
    expect(list().map((it) => it.textContent)).toEqual(['C01Name of C01', 'C02Name of C02']);
    await user.click(codeEntry().getByRole('checkbox', { name: 'C01' }));
    await user.click(codeEntry().getByRole('button', { name: /Delete/ }));
    expect(list().map((it) => it.textContent)).toEqual(['C02Name of C02']);
  });

  it('has a form for a record, and a search for bills of material of 250 px [S-OSR-09] [S-OSR-13]', async () => {
    const { user, callsTo } = await opens();
    const fields = [/^Part SN/, /^Part type/, /^Slots/, /^Repair method/, /^Marking/, /^Parts replaced/, /^BOM name/];
    for (const it of fields) expect(input(it)).toBeTruthy();
    await user.type(input(/^BOM name/), 'Hash');
    const option = await screen.findByRole('option', { name: 'Hash board' });
    expect(screen.getByRole('listbox').style.maxHeight).toBe('250px');
    expect(callsTo(paths.boms).at(-1)?.input).toMatchObject({ bomName: 'Hash' });
    await user.click(option);
    const list = await screen.findByRole('list', { name: 'Slots of the BOM' });
    expect(list.textContent).toBe('U1 Chip BM1');
  });

  it('adds no record that is not whole, and deletes those that are chosen [S-OSR-15] [S-OSR-16]', async () => {
    const { user } = await opens();
    await user.click(button('Add record'));
    expect(missing()).toBe(5);
    expect(screen.queryByRole('table', { name: 'Records of this repair' })).toBeNull();
    await enterRecord(user);
    await user.click(button('Add record'));
    expect(rows()).toHaveLength(1);
    await user.click(button('Delete records'));
    expect(screen.getByText('Select the Data')).toBeTruthy();
    expect(rows()).toHaveLength(1);
    await user.click(screen.getByRole('checkbox', { name: 'Record 1' }));
    await user.click(button('Delete records'));
    expect(screen.queryByRole('table', { name: 'Records of this repair' })).toBeNull();
  });

  it('locks the count where slots are replaced or changed, and counts them [S-OSR-17]', async () => {
    const { user } = await opens();
    const count = () => input(/^Parts replaced/);
    expect([count().value, count().readOnly]).toEqual(['1', false]);
    for (const method of [/Replace/, /Change slot/]) {
      await choose(user, /^Repair method/, method);
      set(/^Slots/, 'U1,U2,U2');
      expect([count().value, count().readOnly]).toEqual(['2', true]);
    }
  });

  it('refuses a count below one [S-OSR-18]', async () => {
    const { user } = await opens();
    await enterRecord(user);
    set(/^Parts replaced/, '0');
    await user.click(button('Add record'));
    expect(screen.queryByRole('table', { name: 'Records of this repair' })).toBeNull();
  });

  it('has six positions, each with its QR code number; XXXX is that of a board of XXXX [S-OSR-19] [S-OSR-22]', async () => {
    await opens();
    const parts = within(screen.getByRole('region', { name: /^Assembly/ })).getAllByRole<HTMLInputElement>('textbox');
    expect(parts).toHaveLength(12);
    fireEvent.change(parts[4] as HTMLInputElement, { target: { value: 'xxxx' } });
    expect(parts[5]?.value).toBe('XXXX');
  });
});

describe('the submit of a device', () => {
  it('sends what was entered, then begins the next device of the same bill [S-OSR-24]', async () => {
    const { user, callsTo } = await opens();
    await enterAll(user);
    await submit(user);
    await waitFor(() => expect(callsTo(paths.submit)).toHaveLength(1));
    expect(callsTo(paths.submit)[0]?.input).toMatchObject({
      mtbId: MTB,
      productSn: SN,
      checkIssueCodeIdList: [4],
      repairInfoList: [
        {
          componentSn: 'HB0001',
          componentType: '7',
          partsTypeName: 'Board 1',
          repairMethod: '1',
          repairMethodName: 'Fly line',
          repairIssueCodeIdList: [5],
          issueCodeName: 'Name of C02',
          slot: 'U1',
          spendItemCount: 1,
        },
      ],
      assembleInfoList: [],
    });
    await waitFor(() => expect(kind()).toBe('ok'));
    await waitFor(() => expect(device().value).toBe(''));
    expect(bill().value).toBe(MTB);
    expect(codeEntry().queryByRole('table')).toBeNull();
    expect(input(/^Part SN/).value).toBe('');
  });

  it('sends nothing without a device, a check issue and a record', async () => {
    const { user, callsTo } = await opens();
    await submit(user);
    await waitFor(() => expect(missing()).toBeGreaterThan(2));
    expect(callsTo(paths.submit)).toEqual([]);
  });

  it('sends no veneer whose slots are not in its bill of material [S-OSR-23]', async () => {
    const { user, callsTo } = await opens();
    await enterAll(user);
    await user.click(button('Add record'));
    await user.click(screen.getByRole('tab', { name: 'Veneer repair' }));
    await enterRecord(user);
    await submit(user);
    await waitFor(() => expect(kind()).toBe('wrong'));
    expect(screen.getAllByText(/slot/i).length).toBeGreaterThan(0);
    expect(input(/^Slots/).getAttribute('aria-invalid')).toBe('true');
    expect(callsTo(paths.submit)).toEqual([]);
    await user.type(input(/^BOM name/), 'Hash');
    await user.click(await screen.findByRole('option', { name: 'Hash board' }));
    await screen.findByRole('list', { name: 'Slots of the BOM' });
    await submit(user);
    await waitFor(() => expect(callsTo(paths.submit)).toHaveLength(1));
    expect(callsTo(paths.submit)[0]?.input).toMatchObject({
      bomId: 'BOM7',
      partsList: [{ sn: 'HB0001', partsType: '7', issueCodeIdList: [5], slot: 'U1' }],
    });
  });

  it('names an illegal QR code number at its position, and sends nothing', async () => {
    const { user, callsTo } = await opens();
    await enterAll(user);
    const parts = within(screen.getByRole('region', { name: /^Assembly/ })).getAllByRole<HTMLInputElement>('textbox');
    fireEvent.change(parts[0] as HTMLInputElement, { target: { value: 'PW0001' } });
    fireEvent.change(parts[1] as HTMLInputElement, { target: { value: 'SHORT' } });
    await submit(user);
    await waitFor(() => expect(parts[1]?.getAttribute('aria-invalid')).toBe('true'));
    expect(callsTo(paths.submit)).toEqual([]);
  });

  it('waits for the network, under one key, although the device could not be asked about', async () => {
    let isOffline = true;
    const online = (answer: unknown) => () => {
      if (isOffline) throw new TypeError('no network');
      return answer;
    };
    const { user, callsTo } = await opens({
      [paths.validate]: online({ sn: SN, mtbId: MTB, item, components: [] }),
      [paths.submit]: online({ osbId: 'OSB1', mtbId: MTB, productSn: SN, deviceCount: 1 }),
    });
    set(/^Maintain bill/, MTB);
    await scan(user);
    await waitFor(() => expect(device().value).toBe(SN));
    await enterCode(user, 'C01');
    await enterRecord(user);
    await submit(user);
    await screen.findByRole('button', { name: 'Send now' });
    expect(device().value).toBe(SN);
    isOffline = false;
    await user.click(button('Send now'));
    await waitFor(() => expect(kind()).toBe('ok'));
    expect(new Set(callsTo(paths.submit).map((it) => it.key)).size).toBe(1);
    await waitFor(() => expect(device().value).toBe(''));
  });
});

describe('the end of the order', () => {
  const askEnd = async (user: User) => {
    await user.click(button('End order'));
    return within(await screen.findByRole('dialog'));
  };

  it('is beside cancel and submit, and asks before it ends it [S-OSR-25]', async () => {
    const { user, callsTo } = await opens();
    expect(button('Cancel')).toBeTruthy();
    expect(button('Submit device')).toBeTruthy();
    set(/^Maintain bill/, MTB);
    const dialog = await askEnd(user);
    expect(callsTo(paths.end)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'End order' }));
    await waitFor(() => expect(callsTo(paths.end)[0]?.input).toMatchObject({ mtbId: MTB }));
    await waitFor(() => expect(kind()).toBe('ok'));
    await waitFor(() => expect(bill().value).toBe(''));
  });

  it('clears the bill where it failed, and keeps the rest [S-OSR-26]', async () => {
    const { user } = await opens({ [paths.end]: refuses('billFinished', 'The order has ended already') });
    await enterAll(user);
    await user.click((await askEnd(user)).getByRole('button', { name: 'End order' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(verdict()?.textContent).toContain('The order has ended already'));
    await waitFor(() => expect(bill().value).toBe(''));
    expect(device().value).toBe(SN);
    expect(codeEntry().getAllByRole('row')).toHaveLength(1);
    expect(input(/^Part SN/).value).toBe('hb0001');
  });

  it('is left by cancel, which asks where something was entered', async () => {
    const { user, where } = await opens();
    set(/^Part SN/, 'HB0001');
    await user.click(button('Cancel'));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(where()).toBe('/rmaSiteRepairBillList'));
  });
});

it('a picture that did not arrive stays with its record, which waits for it', async () => {
  const uploads = slowUploads();
  const { user, callsTo } = await opens(uploads.answers);
  await enterAll(user);
  uploads.choose('board.jpg');
  await uploads.isSent(1);
  await user.click(screen.getByRole('tab', { name: 'Veneer repair' }));
  await waitFor(() => expect(verdict()?.textContent).toContain('Pictures are still being sent'));
  uploads.fail(1);
  const retry = await screen.findByRole('button', { name: 'Try board.jpg again' });
  for (const press of [screen.getByRole('tab', { name: 'Veneer repair' }), button('Add record')]) {
    await user.click(press);
    await waitFor(() => expect(verdict()?.textContent).toContain('board.jpg did not arrive'));
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Component repair');
    expect(screen.queryByRole('table', { name: 'Records of this repair' })).toBeNull();
  }
  await user.click(retry);
  await uploads.isSent(2);
  uploads.arrive(2);
  await screen.findByText('Upload succeeded');
  await user.click(screen.getByRole('tab', { name: 'Veneer repair' }));
  await submit(user);
  await waitFor(() => expect(callsTo(paths.submit)).toHaveLength(1));
  expect(callsTo(paths.submit)[0]?.input).toMatchObject({ repairInfoList: [{ repairUrls: ['/file/p2'] }] });
});
