// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { join } from 'node:path';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answers, openPage } from '#app/parts/openPage.tsx';
import { features } from '#tests/support/modules.tsx';
import { read } from '#tests/support/pages.ts';

const MOST_KEYS = 8;
const MOST_OF_A_BILL = 20;
const SUBMIT = 'Control+Enter';

/** Works as a hand beside a scanner does: only what the hand presses is counted. */
interface Bench {
  scan: (...texts: string[]) => Promise<void>;
  /** Keys of the hand; a chord is as many as it holds. */
  press: (...chords: string[]) => Promise<void>;
  asked: (path: string, times?: number) => Promise<void>;
  listed: (count: number) => Promise<void>;
  focused: (name: RegExp | string) => Promise<void>;
}

interface Work {
  page: string;
  id?: string;
  answers: Answers;
  /** The call that the device ends with. */
  ends: string;
  /** Boards that are received by their number, and what begins a bill. */
  opensBill?: boolean;
  work: (bench: Bench) => Promise<void>;
}

const goods = { salesCode: 'RX21-188T', name: 'RX-21' };
const item = { itemId: 1, ...goods, deviceType: '0' };
const code = (codeId: number, text: string, billType: string, passFlag: string | null = null) => ({
  ...{ codeId, code: text, name: text, billType, passFlag, disposition: null, imageRequired: '0' },
});
const sites = { ubsSiteList: ['SZ', 'NB'].map((siteId) => ({ siteId, name: siteId })) };
const tested = (module: string, submit: string, attempt: string, billType: string): Answers => ({
  [`/api/${module}/loadIssueCodeList.json`]: {
    issueCodeList: [code(0, 'P00', billType, '1'), code(1, 'F01', billType, '0')],
  },
  [`/api/${module}/${attempt}.json`]: ({ sn, icdId }: { sn: string; icdId: number }) => ({
    ...{ sn, ...goods, mtbId: 'MTB1', icdId, code: 'P00', codeName: 'Pass', passFlag: '1' },
  }),
  [`/api/${module}/${submit}.json`]: { bnbId: 'B1', exbId: 'B1', passCount: 1, failCount: 0 },
});
const line = (sktblId: string, snStatus: string) => ({
  ...{ sktblId, salesCode: 'RX19', name: 'RX-19', itemType: '0', storageType: '0', count: 1 },
  stockTransferBillLineItemList: [{ id: 1, sn: snStatus === '0' ? null : 'SN0001', snStatus }],
});
const transfer = (billStatus: string) => ({
  ...{ id: 7, sktbId: 'SKT1', billStatus, deliverSiteId: 'SZ', deliverSiteName: 'SZ', receiveSiteId: 'SZ' },
  ...{ receiveSiteName: 'SZ', count: 1, remark: null, rmaStockTransferBillLineList: [line('SKL1', billStatus)] },
});
const receiptLine = {
  ...{ mtblId: 'MBL1', type: '0', salesCode: 'RX21-188T', itemName: '', productName: null },
  ...{ count: 2, receiveCount: 0, receivedCount: 0 },
};

const receipt: Answers = {
  '/api/rmaReceiveBill/queryByShipNo.json': {
    ...{ mtbId: 'MTB1', receiveShipNo: 'SF1', billStatus: '0', userName: 'Acme', itemsReceived: [] },
    rmaMaintainBillLineList: [receiptLine],
  },
  '/api/rmaReceiveBill/validateSn.json': ({ sn }: { sn: string }) => ({
    ...{ sn, item: { ...item, code: 'RX21-188T', slaveCodeList: [] }, warranty: '1', maintains: 0 },
    ...{ continues: '0', mixbound: '0', secondHand: '0', components: [] },
  }),
  '/api/rmaReceiveBill/receive.json': { rvbId: 'RVB1', mtbId: 'MTB1', receivedCount: 1, snList: [], lineList: [] },
  '/api/rmaEnumDepreciation/all.json': { items: [{ value: 'B', name: 'Normal wear' }] },
  '/api/ubsIssueCode/loadIssueCodeList.json': { issueCodeList: [] },
  '/api/ubsItem/queryBySalesCode.json': { items: [] },
};

const works: Record<string, Work> = {
  'Sign-for': {
    page: 'rmaArrivalBill:signFor',
    answers: { '/api/rmaArrivalBill/signFor.json': { id: 7, abId: 'ABL1', receiveShipNo: 'SF123', mtbId: 'MTB1' } },
    ends: '/api/rmaArrivalBill/signFor.json',
    work: async ({ scan, press }) => {
      await scan('SF123');
      await press('1', 'Enter');
    },
  },
  'Receipt of a device': {
    page: 'rmaReceiveBill:receive',
    answers: receipt,
    ends: '/api/rmaReceiveBill/receive.json',
    work: async ({ scan, press, listed, focused }) => {
      await scan('SF1');
      await screen.findByText('MTB1');
      await focused('Scan SN');
      await scan('SN0001');
      await listed(1);
      await press(SUBMIT);
    },
  },
  'Receipt of boards': {
    page: 'rmaReceiveBill:receive',
    answers: receipt,
    ends: '/api/rmaReceiveBill/receive.json',
    opensBill: true,
    work: async ({ scan, press, focused }) => {
      await scan('%TAB-2', 'SF1');
      await screen.findByText('MTB1');
      await focused(/Board sales code/);
      await scan('HB19');
      await focused('Repairable');
      await press('2', 'Enter', 'Enter');
      await screen.findByRole('button', { name: 'Receive 2 boards' });
      await press(SUBMIT);
    },
  },
  Check: {
    page: 'rmaCheckBill:check',
    answers: {
      '/api/rmaCheckBill/validateSn.json': ({ sn }: { sn: string }) => ({
        ...{ sn, powerSn: null, mtbId: 'MTB1', item, receiveIssueCodes: [], quotedFaultCode: null, maintains: 0 },
        warranty: '1',
      }),
      '/api/rmaCheckBill/check.json': { ckbId: 'CKB1', sn: 'SN0001', nextNode: '50', confirm: 'none' },
      '/api/rmaCheckBill/getScrapRemark.json': { declineScrapRemark: null, nofaultConfirmRemark: null },
      '/api/ubsIssueCode/loadIssueCodeList.json': { issueCodeList: [code(3, 'FX409', '2')] },
    },
    ends: '/api/rmaCheckBill/check.json',
    work: async ({ scan, press }) => {
      await scan('SN0001');
      await screen.findByText('What was found');
      await scan('FX409');
      await waitFor(() => expect(screen.getByRole('table', { name: 'Issue code' }).textContent).toContain('FX409'));
      await press(SUBMIT);
    },
  },
  Repair: {
    page: 'rmaRepairBill:repair',
    answers: {
      '/api/rmaRepairBill/validateSn.json': ({ sn }: { sn: string }) => ({
        ...{ sn, type: '0', item: { ...item, bomId: null }, mtbId: 'MTB1', lastFailIssueCodes: [], slotList: ['U1'] },
        ...{ checkIssueCodes: [code(101, 'FX57', '2')], repairTypeNeeded: '0', repairType: null, components: [] },
      }),
      '/api/ubsEnumPartsType/all.json': { items: [{ value: '1', name: 'Device' }] },
      '/api/rmaEnumRepairMethod/all.json': { items: [{ value: '8', name: 'Welding' }] },
      '/api/rmaRepairBill/repair.json': { rpbId: 'RPB1', sn: 'SN0001', nextNode: '60' },
      '/api/ubsIssueCode/loadIssueCodeList.json': { issueCodeList: [code(41, 'RP01', '4')] },
      '/api/ubsEnumComponentType/all.json': { items: [] },
    },
    ends: '/api/rmaRepairBill/repair.json',
    work: async ({ scan, press, focused }) => {
      await scan('SN0001');
      await focused(/Repair method/);
      await press('8', 'Enter');
      await focused(/Slots/);
      await press('U', '1', SUBMIT);
    },
  },
  Assembly: {
    page: 'rmaAssembleBill:assemble',
    answers: {
      '/api/rmaAssembleBill/validateSn.json': ({ sn }: { sn: string }) => ({
        ...{ sn, mtbId: 'MTB1', item: { ...item, boardCount: 1 }, boundParts: [] },
      }),
      '/api/rmaAssembleBill/validatePart.json': ({ componentSn }: { componentSn: string }) => ({ componentSn }),
      '/api/rmaAssembleBill/assemble.json': { asbId: 'ASB1', sn: 'SN0001', nextNode: '70' },
    },
    ends: '/api/rmaAssembleBill/assemble.json',
    work: async ({ scan, press, focused }) => {
      await scan('SN0001');
      await focused(/^Power SN/);
      await scan('PW0001');
      await focused(/^Controls SN/);
      await scan('CT0001');
      await focused(/^Board 1 SN \*/);
      await scan('HB00000000000001A', 'QR000000000000001');
      await press(SUBMIT);
    },
  },
  Aging: {
    page: 'rmaBurninBill:burnin',
    answers: tested('rmaBurninBill', 'submitBurninBill', 'attemptBurnin', '6'),
    ends: '/api/rmaBurninBill/submitBurninBill.json',
    work: listOf('SN0001', /P00/),
  },
  QC: {
    page: 'rmaExamineBill:examine',
    answers: tested('rmaExamineBill', 'submitExamineBill', 'attemptExamine', '7'),
    ends: '/api/rmaExamineBill/submitExamineBill.json',
    work: listOf('SN0001', /P00/),
  },
  Storing: {
    page: 'rmaStoreBill:store',
    answers: {
      '/api/rmaStoreBill/attemptStore.json': ({ sn }: { sn: string }) => ({ sn, ...goods, mtbId: 'MTB1' }),
      '/api/rmaStoreBill/submitStoreBill.json': { stbId: 'STB1', storedCount: 1, skbIdList: [] },
    },
    ends: '/api/rmaStoreBill/submitStoreBill.json',
    work: listOf('SN0001'),
  },
  Delivery: {
    page: 'rmaDeliverBill:deliver',
    answers: {
      '/api/rmaStockupBill/loadStockupBill.json': {
        bill: {
          ...{ id: 1, skbId: 'SKB1', mtbId: 'MTB1', status: '0', deliverShipNo: 'SF9', deliverShipId: null },
          ...{ allCount: 1, deliveredCount: 0, userName: 'Acme', mobile: null, address: null },
          rmaStockupBillLineList: [
            {
              ...{ skblId: 'SKL1', itemId: 11, sn: 'SN0001', mtblId: 'MBL1', salesCode: 'RX21-188T' },
              ...{ productName: 'RX-21', delivered: '0', deliverPriority: '0' },
            },
          ],
        },
        maintainBillLines: [
          {
            ...{ mtbId: 'MTB1', mtblId: 'MBL1', type: '0', salesCode: 'RX21-188T', productName: 'RX-21' },
            ...{ userName: 'Acme', deliverCount: 0, shouldDeliverCount: 1 },
          },
        ],
      },
      '/api/rmaDeliverBill/attemptDeliver.json': ({ sn }: { sn: string }) => ({
        ...{ sn, deliverItemId: 11, sklId: 'SKL1', mtblId: 'MBL1', ...goods, needRebind: '0' },
      }),
      '/api/rmaDeliverBill/submitDeliverBill.json': {
        ...{ dvbId: 'DVB1', deliveredCount: 1, remainCount: 0, stockupStatus: '2' },
      },
    },
    ends: '/api/rmaDeliverBill/submitDeliverBill.json',
    work: async ({ scan, press, listed, focused }) => {
      await scan('SF9');
      await focused('Scan SN');
      await scan('SN0001');
      await listed(1);
      await press(SUBMIT);
    },
  },
  'Transfer, sent': {
    page: 'rmaStockTransferBill:deliverAccept',
    id: '7',
    answers: {
      '/api/rmaStockTransferBill/loadTransfer.json': transfer('0'),
      '/api/rmaStockTransferBill/querySnInfo.json': ({ sn }: { sn: string }) => ({
        ...{
          sn,
          salesCode: 'RX19',
          itemType: '0',
          storageType: '0',
          name: 'RX-19',
          subinventoryCode: 'FG',
          siteId: 'SZ',
        },
      }),
      '/api/rmaStockTransferBill/deliverAccept.json': { sktbId: 'SKT1', billStatus: '1', sentCount: 1 },
    },
    ends: '/api/rmaStockTransferBill/deliverAccept.json',
    work: listOf('SN0001', /1 still to scan|0 \/ 1/),
  },
  'Transfer, received': {
    page: 'rmaStockTransferBill:receiverAccept',
    id: '7',
    answers: {
      '/api/rmaStockTransferBill/loadTransfer.json': transfer('1'),
      '/api/rmaStockTransferBill/attemptReceiverAccept.json': ({ sn }: { sn: string }) => ({
        ...{ id: 1, sn, sktblId: 'SKL1', salesCode: 'RX19', name: 'RX-19' },
      }),
      '/api/rmaStockTransferBill/receiverAccept.json': {
        ...{ sktbId: 'SKT1', billStatus: '2', receivedCount: 1, remainCount: 0 },
      },
    },
    ends: '/api/rmaStockTransferBill/receiverAccept.json',
    work: listOf('SN0001', '1 still to scan'),
  },
  'Test package': {
    page: 'rmaDefectiveProductRepairBill:testAndStore',
    answers: {
      '/api/rmaDefectiveProductRepairBill/validateSn.json': ({ sn }: { sn: string }) => ({
        ...{ sn, itemObject: { itemObjectId: 100, sn }, item },
      }),
      '/api/rmaDefectiveProductRepairBill/testAndStore.json': { id: 5, dpbId: 'DPB1', mtbId: 'MTB1', count: 1 },
    },
    ends: '/api/rmaDefectiveProductRepairBill/testAndStore.json',
    opensBill: true,
    work: listOf('SN0001'),
  },
  Defectives: {
    page: 'rmaDefectiveProductRepairBill:defectiveProductRepair',
    answers: {
      '/api/rmaDefectiveProductRepairBill/validateSnForDefective.json': ({ sn }: { sn: string }) => ({
        ...{ sn, itemObject: { itemObjectId: 100, sn }, item },
      }),
      '/api/rmaDefectiveProductRepairBill/defectiveProductRepair.json': {
        id: 5,
        dpbId: 'DPB1',
        mtbId: 'MTB1',
        count: 1,
      },
      '/api/ubsShipment/pager.json': {
        items: [
          { id: 1, shipId: 'SF', name: '顺丰', nameEn: 'SF Express' },
          { id: 2, shipId: 'DHL', name: '敦豪', nameEn: 'DHL' },
        ],
        itemTotal: 2,
      },
    },
    ends: '/api/rmaDefectiveProductRepairBill/defectiveProductRepair.json',
    opensBill: true,
    work: async ({ scan, press, listed, focused }) => {
      await focused('Scan SN');
      await press('Shift+Tab', 'Shift+Tab');
      await focused(/Inbound courier/);
      await press('Enter', 'Enter', 'Tab');
      await focused(/Inbound waybill/);
      await scan('SF7');
      await focused('Scan SN');
      await scan('SN0001');
      await listed(1);
      await press(SUBMIT);
    },
  },
  'Scrap, sent out': {
    page: 'rmaScrapRepairBill:combineRepair',
    answers: {
      '/api/rmaScrapRepairBill/getSiteList.json': sites,
      '/api/rmaScrapRepairBill/validateSnForCombineRepair.json': ({ sn }: { sn: string }) => ({ sn, item }),
      '/api/rmaScrapRepairBill/combineRepair.json': { id: 3, srbId: 'SRB1', count: 1 },
    },
    ends: '/api/rmaScrapRepairBill/combineRepair.json',
    opensBill: true,
    work: async ({ scan, press, listed, focused }) => {
      await focused('Scan SN');
      await press('Shift+Tab', 'Shift+Tab');
      await focused(/^Count/);
      await press('1', 'Shift+Tab');
      await focused(/Scrap site/);
      await press('Enter', 'Enter');
      await focused('Scan SN');
      await scan('SN0001');
      await listed(1);
      await press(SUBMIT);
    },
  },
};

/** A list of one: what is chosen beside it stands as it was. */
function listOf(sn: string, known?: RegExp | string) {
  return async ({ scan, press, listed }: Bench) => {
    if (known) await screen.findAllByText(known);
    await scan(sn);
    await listed(1);
    await press(SUBMIT);
  };
}

async function measure({ page, id, answers, ends, work }: Work): Promise<number> {
  const load = features.pages[page] as () => Promise<{
    default: React.ComponentType<{ menuNo: string; id?: string }>;
  }>;
  const { default: Page } = await load();
  const view = await openPage(<Page menuNo={`${page.split(':')[0]}List`} {...(id && { id })} />, {
    lang: 'en',
    answers,
  });
  let keys = 0;
  const { user, callsTo } = view;
  const bench: Bench = {
    scan: async (...texts) => {
      for (const it of texts) await user.keyboard(`${it}{Enter}`);
    },
    press: async (...chords) => {
      for (const chord of chords) {
        const held = chord.split('+');
        keys += held.length;
        const last = held.pop() ?? '';
        const key = last.length === 1 ? last : `{${last}}`;
        await user.keyboard(held.map((it) => `{${it}>}`).join('') + key + held.map((it) => `{/${it}}`).join(''));
      }
    },
    asked: (path, times = 1) => waitFor(() => expect(callsTo(path)).toHaveLength(times)),
    listed: (count) => waitFor(() => expect(document.querySelectorAll('tr[data-state=ok]')).toHaveLength(count)),
    focused: (name) =>
      waitFor(() => expect(screen.getAllByLabelText(name) as Element[]).toContain(document.activeElement)),
  };
  // What was left here is known, and the station takes scans.
  await waitFor(() => expect(document.querySelector('table[aria-busy=true]')).toBeNull());
  await work(bench);
  await bench.asked(ends);
  return keys;
}

/** As the rules tell it: what was measured here. */
const section = /## Keys\n([\s\S]*?)\n## /.exec(read(join('docs', 'rules', 'scanning.md')))?.[1] ?? '';
const table = Object.fromEntries(
  [...section.matchAll(/^\| ([^|]+?) +\| +(\d+) +\|/gm)].map(([, name, count]) => [name, Number(count)] as const),
);

describe('what a hand presses beside the scanner, for a device alone', () => {
  it.each(Object.entries(works))('%s', async (name, work) => {
    const keys = await measure(work);
    expect(keys).toBeLessThanOrEqual(work.opensBill ? MOST_OF_A_BILL : MOST_KEYS);
    expect([name, keys]).toEqual([name, table[name]]);
  });

  it('is told of all of them', () => {
    expect(Object.keys(table).sort()).toEqual(Object.keys(works).sort());
  });
});
