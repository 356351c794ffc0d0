// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { openDialog } from '#app/parts/openDialog.tsx';
import { type Answers, openPage } from '#app/parts/openPage.tsx';
import { repairAnswers } from '#app/parts/repair/repairAnswers.ts';
import Palette from '#app/palette/Palette.tsx';
import { features } from '#tests/support/modules.tsx';

const sources = import.meta.glob<string>(
  ['/src/app/**/*.tsx', '/src/features/**/*.tsx', '!**/*.test.tsx', '!**/gallery/**'],
  { query: '?raw', import: 'default', eager: true },
);
/** How many inputs each file draws that are meant to be scanned into. */
const drawn = Object.fromEntries(
  Object.entries(sources).flatMap(([file, text]) => {
    const count = [...text.matchAll(/'data-scan': '\w+'/g)].length;
    return count > 0 ? [[/(\w+)\.tsx$/.exec(file)?.[1] ?? file, count] as const] : [];
  }),
);

const item = { itemId: 3, salesCode: 'RX19', name: 'Miner', deviceType: '0', bomId: null, boardCount: 4 };
const unit = { mtbId: 'MTB1', item, checkIssueCodes: [], lastFailIssueCodes: [], components: [], boundParts: [] };
const codes = [{ codeId: 1, code: 'FX54', name: 'No board', disposition: 'repair', billType: '2', passFlag: null }];
const answers: Answers = {
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
};

type View = Awaited<ReturnType<typeof openPage>>;
type User = View['user'];
const scanUnit = (user: User) => user.type(screen.getByLabelText('Scan SN'), 'SN0001{Enter}');
/** What must be done first, that all inputs of a page are there. */
const reach: Record<string, (user: User) => Promise<unknown>> = {
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

const nothing = () => undefined;
const lang = 'en';
const openings: [name: string, open: () => Promise<View>][] = [
  ['the search for everything', () => openPage(<Palette onClose={nothing} />, { lang, answers })],
  ...Object.entries(features.pages).map(([name, load]): [string, () => Promise<View>] => [
    name,
    async () => {
      const { default: Page } = await load();
      const id = features.recordPages.has(name) ? { id: '1' } : {};
      return openPage(<Page menuNo={`${name.split(':')[0]}List`} {...id} />, { lang, answers });
    },
  ]),
  ...Object.entries(features.dialogs).map(([name, load]): [string, () => Promise<View>] => [
    name,
    async () => openDialog((await load()).default, (name.split(':')[0] ?? '').replace('*', 'rmaStockupBill'), answers),
  ]),
];

const inputs = () => [...document.querySelectorAll<HTMLInputElement>('input[data-scan]')];
interface Fiber {
  type: { name?: string } | string | null;
  return: Fiber | null;
}
/** The file that draws an input: a component is called as its file. */
function fileOf(input: Element): string {
  const key = Object.keys(input).find((it) => it.startsWith('__reactFiber$')) ?? '';
  for (let at = (input as unknown as Record<string, Fiber | null>)[key]; at; at = at?.return ?? null) {
    const name = typeof at.type === 'function' ? (at.type as { name: string }).name : '';
    if (name in drawn) return name;
  }
  return 'nobody';
}
const nameOf = (it: HTMLInputElement) =>
  it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent?.replace(/[\s*]+$/, '') ?? '';

const state = ({ asked, where }: View) => {
  const { activeElement: at } = document;
  const values = [...document.querySelectorAll('input')].map((it) => it.value);
  return JSON.stringify([
    asked.length,
    at?.id,
    at?.getAttribute('aria-label'),
    at?.tagName,
    values,
    where(),
    document.body.textContent,
  ]);
};
/** Waits until nothing changes by itself any more. */
async function settle(view: View): Promise<string> {
  let now = state(view);
  for (let still = 0; still < 3; still++) {
    // eslint-disable-next-line no-restricted-globals -- what changes by a timer of its own is seen
    await new Promise((done) => setTimeout(done, 15));
    const then = state(view);
    if (then !== now) still = 0;
    now = then;
  }
  return now;
}
/** As fast as a scanner, which one of them asks for. */
function typeInto(input: HTMLInputElement, text: string): void {
  input.focus();
  if (input.readOnly) [...text].forEach((key) => fireEvent.keyDown(input, { key }));
  else fireEvent.change(input, { target: { value: text } });
}
function pressEnter(input: HTMLInputElement): void {
  // What a browser does with the Enter of a form that nobody has taken.
  if (fireEvent.keyDown(input, { key: 'Enter', code: 'Enter' }) && input.form) fireEvent.submit(input.form);
}

const found = new Map<string, Set<string>>();

describe('what is scanned into', () => {
  it.each(openings)('takes at Enter what stands in it (%s) [S-GEN-03]', async (name, open) => {
    vi.spyOn(console, 'error').mockImplementation(nothing);
    const start = async () => {
      cleanup();
      document.body.innerHTML = '';
      localStorage.clear();
      const view = await open();
      await reach[name]?.(view.user);
      await settle(view);
      return view;
    };
    let view = await start();
    for (const label of inputs().map(nameOf)) {
      const find = () => inputs().find((it) => nameOf(it) === label);
      if (!find()) view = await start();
      const input = find() as HTMLInputElement;
      const file = fileOf(input);
      found.set(file, (found.get(file) ?? new Set()).add(label));
      if (input.dataset['scan'] === 'only') await view.user.click(screen.getByRole('button', { name: 'Scan' }));
      // A text of its own, as a label has it: what has been said of another one says nothing of this.
      typeInto(input, ` ab12c${found.get(file)?.size} `);
      // Whoever asks for a scanner's speed forgets what has waited.
      const before = input.readOnly ? state(view) : await settle(view);
      pressEnter(input);
      await waitFor(() => expect(state(view), `${label} takes nothing`).not.toBe(before));
      await settle(view);
    }
  });

  it('has all been found', () => {
    const missing = Object.entries(drawn).filter(([file, count]) => (found.get(file)?.size ?? 0) < count);
    expect(missing.map(([file]) => file)).toEqual([]);
    expect(found.has('nobody')).toBe(false);
  });
});
