// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answers, openPage, refuses } from '#app/parts/openPage.tsx';
import CombineRepairPage from './CombineRepairPage.tsx';
import OutsourcingAcceptPage from './OutsourcingAcceptPage.tsx';

const BILLS = '/api/rmaScrapRepairBill';
const menuNo = 'rmaScrapRepairBillList';
const paths = {
  sites: `${BILLS}/getSiteList.json`,
  check: `${BILLS}/validateSnForCombineRepair.json`,
  combine: `${BILLS}/combineRepair.json`,
  load: `${BILLS}/loadScrapRepair.json`,
  scan: `${BILLS}/validateSnForAccept.json`,
  attempt: `${BILLS}/attemptAccept.json`,
  accept: `${BILLS}/outsourcingAccept.json`,
};
const verdict = () => document.querySelector('[data-verdict]');
const kind = () => verdict()?.getAttribute('data-verdict');
const submit = () => fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
const scan = (text: string) => {
  const field = screen.getByLabelText('Scan SN', { selector: 'input' });
  fireEvent.change(field, { target: { value: text } });
  fireEvent.keyDown(field, { key: 'Enter' });
};
const checked = () => within(screen.getByRole('table', { name: 'Scanned' })).queryAllByText('Checked').length;

describe('the station that sends scrap out', () => {
  const both = {
    ubsSiteList: [
      { siteId: 'SZ', name: 'Shenzhen' },
      { siteId: 'NB', name: 'Ningbo' },
    ],
  };
  const opens = (more: Answers = {}) =>
    openPage(<CombineRepairPage menuNo={menuNo} />, {
      lang: 'en',
      answers: {
        [paths.sites]: both,
        [paths.check]: ({ sn }: { sn: string }) => ({ sn, item: { salesCode: 'RX19', name: 'RX-19', itemId: 1 } }),
        [paths.combine]: { id: 3, srbId: 'SRB1', count: 2 },
        ...more,
      },
    });
  type User = Awaited<ReturnType<typeof opens>>['user'];
  const choose = async (user: User, site: string) => {
    await user.click(await screen.findByRole('combobox', { name: /Scrap site/ }));
    await user.click(await screen.findByRole('option', { name: site }));
  };
  const enterCount = (count: string) =>
    fireEvent.change(screen.getByLabelText(/^Count/, { selector: 'input' }), { target: { value: count } });

  it('takes no SN before there is a site [S-SCR-02]', async () => {
    const { user, callsTo } = await opens();
    await screen.findAllByText('Choose the scrap site first');
    scan('RX0001');
    await waitFor(() => expect(kind()).toBe('wrong'));
    expect(verdict()?.textContent).toContain('Choose the scrap site first');
    expect(callsTo(paths.check)).toEqual([]);
    await choose(user, 'Ningbo');
    scan('RX0001');
    await waitFor(() => expect(checked()).toBe(1));
    expect(callsTo(paths.check)[0]?.input).toMatchObject({ sn: 'RX0001', siteId: 'NB' });
  });

  it('has the only site of its user chosen', async () => {
    const { callsTo } = await opens({ [paths.sites]: { ubsSiteList: both.ubsSiteList.slice(0, 1) } });
    await screen.findByText('Shenzhen');
    scan('RX0001');
    await waitFor(() => expect(callsTo(paths.check)[0]?.input).toMatchObject({ sn: 'RX0001', siteId: 'SZ' }));
  });

  it('refuses an SN that is on its list, without asking [S-SCR-04]', async () => {
    const { user, callsTo } = await opens();
    await choose(user, 'Shenzhen');
    scan('RX0001');
    await waitFor(() => expect(checked()).toBe(1));
    scan('rx0001');
    await waitFor(() => expect(kind()).toBe('duplicate'));
    expect(callsTo(paths.check)).toHaveLength(1);
  });

  it('sends nothing while the count is missing or another one [S-SCR-05]', async () => {
    const { user, callsTo } = await opens();
    await choose(user, 'Shenzhen');
    scan('RX0001');
    await waitFor(() => expect(checked()).toBe(1));
    submit();
    await waitFor(() => expect(verdict()?.textContent).toContain('Count'));
    enterCount('2');
    submit();
    await waitFor(() => expect(verdict()?.textContent).toContain('The scanned count differs from the count'));
    expect(callsTo(paths.combine)).toEqual([]);
  });

  it('sends its list with what stands beside it, and goes back to the bills [S-SCR-06] [S-SCR-01]', async () => {
    const { user, callsTo, where } = await opens();
    await choose(user, 'Shenzhen');
    scan('RX0001');
    scan('RX0002');
    await waitFor(() => expect(checked()).toBe(2));
    enterCount('2');
    fireEvent.change(screen.getByLabelText('Department'), { target: { value: ' Line 3 ' } });
    fireEvent.change(screen.getByLabelText('Remark'), { target: { value: 'burnt' } });
    submit();
    await waitFor(() => expect(where()).toBe(`/${menuNo}`));
    expect(callsTo(paths.combine)[0]?.input).toEqual({
      siteId: 'SZ',
      count: 2,
      department: 'Line 3',
      remark: 'burnt',
      scrapRepairLineRequestList: [
        { sn: 'RX0001', salesCode: 'RX19' },
        { sn: 'RX0002', salesCode: 'RX19' },
      ],
    });
  });

  it('clears its list for another site once that is confirmed', async () => {
    const { user } = await opens();
    await choose(user, 'Shenzhen');
    scan('RX0001');
    await waitFor(() => expect(checked()).toBe(1));
    await choose(user, 'Ningbo');
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(checked()).toBe(1);
    await choose(user, 'Ningbo');
    await user.click(await screen.findByRole('button', { name: 'Change and clear the list' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(checked()).toBe(0));
  });
});

describe('the station that accepts outsourcing', () => {
  const bill = (billStatus = '0', unitList: object[] = []) => ({
    id: 7,
    srbId: 'SRB2026112400001',
    billType: '1',
    billStatus,
    siteId: 'SZ',
    siteName: 'Shenzhen',
    count: 4,
    department: null,
    remark: null,
    createBy: 'warehouse',
    createTime: 1,
    acceptBy: null,
    acceptTime: null,
    rmaScrapRepairBillLineList: ['M1', 'A1', 'M2', 'A2'].map((sn) => ({
      sn,
      salesCode: 'RX19',
      name: 'RX-19',
      snRole: '0',
      productSn: null,
    })),
    unitList,
  });
  const code = (codeId: number, name: string) => ({
    codeId,
    code: name,
    name,
    billType: '2',
    disposition: null,
    passFlag: null,
    imageRequired: null,
  });
  const opens = async (more: Answers = {}) => {
    const page = await openPage(<OutsourcingAcceptPage menuNo={menuNo} id="7" />, {
      lang: 'en',
      answers: {
        [paths.load]: bill(),
        [paths.scan]: ({ sn }: { sn: string }) => ({
          sn,
          type: '0',
          item: { itemId: 1, salesCode: 'RX19', name: 'RX-19', bomId: null },
          components: [],
        }),
        [paths.attempt]: { productSn: 'M1' },
        [paths.accept]: { srbId: 'SRB2026112400001', billStatus: '1', unitCount: 1, consumedCount: 1, freedCount: 2 },
        '/api/ubsIssueCode/loadIssueCodeList.json': ({ billType }: { billType: string }) => ({
          issueCodeList: billType === '2' ? [code(11, 'FX401')] : [code(41, 'RP01')],
        }),
        '/api/ubsEnumPartsType/all.json': { items: [{ value: '15', name: 'Other' }] },
        '/api/rmaEnumRepairMethod/all.json': { items: [{ value: '8', name: 'Welding' }] },
        ...more,
      },
    });
    await screen.findAllByText('SRB2026112400001');
    return page;
  };
  const enter = (name: string | RegExp, value: string) =>
    fireEvent.change(screen.getByLabelText(name, { selector: 'input' }), { target: { value } });
  const scanAll = async (...sns: string[]) => {
    const before = checked();
    for (const sn of sns) scan(sn);
    await waitFor(() => expect(checked()).toBe(before + sns.length));
  };
  const enterParts = (set = 'P') => {
    enter(/^Power/, `${set}-POWER`);
    enter(/^Controls/, `${set}-CONTROLS`);
    for (const n of [1, 2, 3, 4]) {
      enter(new RegExp(`^Board ${n} SN( \\*)?$`), `${set}-BOARD${n}`);
      enter(new RegExp(`^Board ${n} SN QR`), `${set}${n}`.padEnd(17, 'Q'));
    }
  };
  const pick = (name: string, number: string) => {
    const field = document.querySelector(`[data-field=${name}]`) as HTMLInputElement;
    fireEvent.change(field, { target: { value: number } });
    fireEvent.keyDown(field, { key: 'Enter' });
  };
  const enterRecord = async () => {
    pick('partsType', '15');
    pick('repairMethod', '8');
    // Whole as it stands: Enter adds it.
    fireEvent.keyDown(document.querySelector('[data-field=repairMarking], [data-field=sn]') as Element, {
      key: 'Enter',
    });
    await screen.findByRole('button', { name: 'Remove record 1' });
  };
  const enterUnit = async (main = 'M1', donor = 'A1') => {
    await scanAll(main, donor);
    scan('FX401');
    await waitFor(() => expect(screen.getAllByText('FX401').length).toBeGreaterThan(0));
    enterParts(main);
    await enterRecord();
  };

  it('asks about each SN by the bill: the first is the main one, the others are auxiliary [S-OUT-03] [S-OUT-01]', async () => {
    const { callsTo } = await opens();
    await scanAll('M1', 'A1');
    expect(callsTo(paths.scan).map((it) => it.input)).toMatchObject([
      { sn: 'M1', srbId: 'SRB2026112400001' },
      { sn: 'A1', srbId: 'SRB2026112400001' },
    ]);
    expect(within(screen.getByRole('group', { name: 'Main SN' })).getByText('M1')).toBeTruthy();
    expect(within(screen.getByRole('group', { name: 'Auxiliary SNs' })).getByText('A1')).toBeTruthy();
  });

  it('takes no SN twice, and the main one not as auxiliary [S-OUT-04] [S-OUT-05]', async () => {
    await opens();
    await scanAll('M1', 'A1');
    scan('A1');
    await waitFor(() => expect(verdict()?.textContent).toContain('Duplicate SN'));
    scan('M1');
    await waitFor(() => expect(verdict()?.textContent).toContain('A main SN cannot be an auxiliary SN'));
    expect(checked()).toBe(2);
  });

  it('says what a unit lacks, and adds nothing [S-OUT-07] [S-OUT-08]', async () => {
    const { callsTo } = await opens();
    await scanAll('M1');
    submit();
    await waitFor(() => expect(verdict()?.textContent).toContain('The assembly information is incomplete'));
    enterParts();
    submit();
    await waitFor(() => expect(verdict()?.textContent).toContain('The check issues are missing'));
    expect(screen.getAllByText(/repair information is missing/).length).toBeGreaterThan(0);
    expect(screen.getAllByText(/auxiliary SNs are missing/).length).toBeGreaterThan(0);
    expect(callsTo(paths.attempt)).toEqual([]);
  });

  it('submits nothing without a unit [S-OUT-09]', async () => {
    const { callsTo } = await opens();
    await screen.findAllByText('Nothing scanned yet');
    submit();
    await waitFor(() => expect(verdict()?.textContent).toContain('Add at least one unit'));
    expect(callsTo(paths.accept)).toEqual([]);
  });

  it('keeps all that was entered when a unit is refused, says why, and goes on [S-OUT-12]', async () => {
    let isRefused = true;
    await opens({
      [paths.attempt]: () => (isRefused ? refuses('partBound', 'P-POWER is bound to device RX9') : { productSn: 'M1' }),
    });
    await enterUnit();
    submit();
    await waitFor(() => expect(verdict()?.textContent).toContain('is bound to device RX9'));
    expect(screen.getByLabelText<HTMLInputElement>(/^Power/).value).toBe('M1-POWER');
    expect(screen.getByRole('heading', { name: 'Units (0)' })).toBeTruthy();
    expect(checked()).toBe(2);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Scan SN', { selector: 'input' })));
    isRefused = false;
    submit();
    expect(await screen.findByRole('heading', { name: 'Units (1)' })).toBeTruthy();
  });

  it('submits its units after it told how many SNs were not used [S-OUT-11]', async () => {
    const page = await opens();
    await enterUnit();
    submit();
    expect(await screen.findByRole('heading', { name: 'Units (1)' })).toBeTruthy();
    submit();
    expect(await screen.findByText('2 SNs of this bill are unused')).toBeTruthy();
    expect(page.callsTo(paths.accept)).toEqual([]);
    await page.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Submit 1 unit' }));
    await waitFor(() => expect(verdict()?.textContent).toContain('1 unit accepted, 1 used up, 2 returned to scrap'));
    const [call] = page.callsTo(paths.accept);
    expect(call?.key).toBeTruthy();
    const input = call?.input as { list: Record<string, unknown>[] };
    expect(input).toMatchObject({ srbId: 'SRB2026112400001', siteId: 'SZ' });
    expect(input.list).toHaveLength(1);
    expect(input.list[0]).toMatchObject({
      productSn: 'M1',
      assistSnList: ['A1'],
      checkIssueCodeIdList: [11],
      repairInfoList: [{ partsType: '15', repairMethod: '8', issueCodeIdList: [11] }],
    });
    expect(input.list[0]?.['assembleInfoList']).toHaveLength(6);
  });

  it('shows a bill that has ended, and takes nothing more for it [S-OUT-02] [S-OUT-10]', async () => {
    const unit = {
      productSn: 'M1',
      salesCode: 'RX19',
      name: 'RX-19',
      checkIssueCodes: [{ codeId: 11, code: 'FX401', name: 'no hash' }],
      assistSnList: ['A1'],
      repairInfoList: [],
      assembleInfoList: [],
    };
    const { callsTo } = await opens({ [paths.load]: bill('1', [unit]) });
    await screen.findByRole('heading', { name: 'Units (1)' });
    expect(screen.getByRole('button', { name: /M1/ })).toBeTruthy();
    scan('M2');
    await waitFor(() => expect(verdict()?.textContent).toContain('already received by outsourcing'));
    expect(callsTo(paths.scan)).toEqual([]);
    expect(screen.queryByLabelText(/^Power/)).toBeNull();
    expect(screen.getByRole('button', { name: /Submit 0 units/ }).hasAttribute('disabled')).toBe(true);
  });
});
