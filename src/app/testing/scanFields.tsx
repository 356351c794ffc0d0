import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { openDialog } from '#app/parts/openDialog.tsx';
import { type Answers, openPage, type Opening, refuses } from '#app/parts/openPage.tsx';
import { repairAnswers } from '#app/parts/repair/repairAnswers.ts';
import Palette from '#app/palette/Palette.tsx';
import { features } from '#tests/support/modules.tsx';

const sources = import.meta.glob<string>(
  ['/src/app/**/*.tsx', '/src/features/**/*.tsx', '!**/*.test.tsx', '!**/gallery/**'],
  { query: '?raw', import: 'default', eager: true },
);
/** How many inputs each file draws that are meant to be scanned into. */
export const drawn = Object.fromEntries(
  Object.entries(sources).flatMap(([file, text]) => {
    const count = [...text.matchAll(/'data-scan': '\w+'/g)].length;
    return count > 0 ? [[/(\w+)\.tsx$/.exec(file)?.[1] ?? file, count] as const] : [];
  }),
);

const item = { itemId: 3, salesCode: 'RX19', name: 'Miner', deviceType: '0', bomId: null, boardCount: 4 };
const unit = { mtbId: 'MTB1', item, checkIssueCodes: [], lastFailIssueCodes: [], components: [], boundParts: [] };
const codes = [{ codeId: 1, code: 'FX54', name: 'No board', disposition: 'repair', billType: '2', passFlag: null }];
/** The server knows nothing of it. */
export const UNKNOWN_SN = 'ZZ99NONE';
const answers = refusingUnknown({
  ...repairAnswers,
  '/api/ubsIssueCode/loadIssueCodeList.json': { issueCodeList: codes },
  '/api/ubsEnumComponentType/all.json': { items: [] },
  '/api/rmaEnumDepreciation/all.json': { items: [] },
  '/api/rmaCheckBill/validateSn.json': ({ sn }: { sn: string }) => ({
    ...{ ...unit, sn, powerSn: null, receiveIssueCodes: [], quotedFaultCode: null, maintains: 0, warranty: '1' },
  }),
  '/api/rmaCheckBill/getScrapRemark.json': { declineScrapRemark: null, nofaultConfirmRemark: null },
  '/api/rmaRepairBill/validateSn.json': ({ sn }: { sn: string }) => ({
    ...{ ...unit, sn, type: '0', repairTypeNeeded: '0', repairType: null, slotList: ['U1'] },
  }),
  '/api/rmaAssembleBill/validateSn.json': ({ sn }: { sn: string }) => ({ ...unit, sn }),
  '/api/ubsItem/queryById.json': {
    ...{ itemId: 3, salesCode: 'RX19', name: 'Miner', type: '0', modelCode: 'RX01', saleDesc: 'Miner' },
    productVerList: '1.0',
  },
  '/api/openOrders.json': { items: [] },
  '/api/getSnDetail.json': {
    ...{ salesCode: 'RX19', saleItemDesc: 'Miner', productVer: '1.0', modelCode: 'RX01', productVerType: '1' },
    ...{ orderNo: null, snDetailId: 5 },
  },
  '/api/ubsItemObject/querySnInfo.json': {
    ...{ itemObjectId: 7, sn: 'SN0001', salesCode: 'RX19', description: 'Miner', modelCode: 'RX01', shape: '1' },
    ...{ ivyId: '50', siteId: 'SZ' },
  },
  '/api/ubsShipment/pager.json': { items: [], itemTotal: 0 },
  '/api/ubsCountry/pager.json': { items: [], itemTotal: 0 },
  '/api/rmaScrapRepairBill/getSiteList.json': { ubsSiteList: [] },
  '/api/find.json': { items: [{ kind: 'bill', menuNo: 'rmaMaintainBillList', id: 1, text: 'AB12C1', label: '' }] },
});
function refusingUnknown(given: Answers): Answers {
  return Object.fromEntries(
    Object.entries(given).map(([path, answer]) => [
      path,
      (input: unknown) => {
        if (JSON.stringify(input).includes(UNKNOWN_SN)) return refuses('notFound', 'There is no such SN');
        return typeof answer === 'function' ? (answer as (input: unknown) => unknown)(input) : answer;
      },
    ]),
  );
}

export type View = Awaited<ReturnType<typeof openPage>>;
type User = View['user'];
const scanUnit = (user: User) => user.type(screen.getByLabelText('Scan SN'), 'SN0001{Enter}');
/** What must be done first, that all inputs of a page are there. */
export const reach: Record<string, (user: User) => Promise<unknown>> = {
  'rmaCheckBill:check': async (user) => {
    await scanUnit(user);
    fireEvent.change(await screen.findByLabelText('Power SN'), { target: { value: 'PW0001' } });
  },
  'rmaRepairBill:repair': async (user) => {
    await scanUnit(user);
    await waitFor(() => expect(document.querySelector('[data-field=slot]')).toBeTruthy());
  },
  'rmaAssembleBill:assemble': async (user) => {
    await scanUnit(user);
    await screen.findByLabelText(/^Power SN/);
  },
  'ubsItemObject:reprintSerial': async (user) => {
    await user.click(screen.getByRole('combobox'));
    await user.click(await screen.findByRole('option', { name: /Controls/ }));
    await user.type(screen.getByLabelText(/^SN/), 'SN0001{Enter}');
    await screen.findByLabelText(/^Production order/);
  },
  'ubsItemObject:changeSerial': async (user) => {
    await user.type(screen.getByLabelText(/^Old SN/), 'SN0001{Enter}');
    await screen.findByText('Description');
  },
};

/** What stands around what is opened, and what the server answers to that. */
type Around = Pick<Opening, 'Frame' | 'answers'>;
const withAnswers = (around: Around = {}) => ({ ...around, answers: { ...answers, ...around.answers } });

const nothing = () => undefined;
const lang = 'en';
/** Everything that can be opened and may be scanned into: pages and dialogs of the registers, and the search. */
export const openings: [name: string, open: (around?: Around) => Promise<View>][] = [
  ['the search for everything', () => openPage(<Palette onClose={nothing} />, { lang, answers })],
  ...Object.entries(features.pages).map(([name, load]): [string, (around?: Around) => Promise<View>] => [
    name,
    async (around) => {
      const { default: Page } = await load();
      const id = features.recordPages.has(name) ? { id: '1' } : {};
      return openPage(<Page menuNo={`${name.split(':')[0]}List`} {...id} />, { lang, ...withAnswers(around) });
    },
  ]),
  ...Object.entries(features.dialogs).map(([name, load]): [string, (around?: Around) => Promise<View>] => [
    name,
    async (around) => {
      const module = (name.split(':')[0] ?? '').replace('*', 'rmaStockupBill');
      const { answers: all, ...opening } = withAnswers(around);
      return openDialog((await load()).default, module, all, opening);
    },
  ]),
];

export const inputs = () => [...document.querySelectorAll<HTMLInputElement>('input[data-scan]')];
/** React's own note at what it draws. */
interface Fiber {
  type: { name?: string } | string | null;
  return: Fiber | null;
}
/** The file that draws an input: a component is called as its file. */
export function fileOf(input: Element): string {
  const key = Object.keys(input).find((it) => it.startsWith('__reactFiber$')) ?? '';
  for (let at = (input as unknown as Record<string, Fiber | null>)[key]; at; at = at?.return ?? null) {
    const name = typeof at.type === 'function' ? (at.type as { name: string }).name : '';
    if (name in drawn) return name;
  }
  return 'nobody';
}
export const nameOf = (it: HTMLInputElement) =>
  it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent?.replace(/[\s*]+$/, '') ?? '';
