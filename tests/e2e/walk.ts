import sharp from 'sharp';
import { expect, test } from './journey.ts';
import {
  fetchBill,
  readDefinition,
  createOperator,
  fetchUnitHistory,
  newBill,
  newDevices,
  type Operator,
} from './operator.ts';
import { listenForErrors, tabTo, type Language } from './workshop.ts';

export type Request = Parameters<typeof fetchUnitHistory>[0];
export interface Walk {
  operator: Operator;
  request: Request;
  picture: Buffer;
}
const language: Language = 'en';

/** One device on a bill of its own whose receipt is closed. */
export async function arrive(request: Request) {
  const sns = await newDevices(request, 1);
  return { ...(await newBill(request, sns)), sn: sns[0] as string };
}

const buttons = ['rmaMaintainBillLineItem', 'rmaMaintainBill', 'rmaReceiveBill'].flatMap(
  (it) => readDefinition(`intake/${it}`).buttons,
);
/** How a button of the bills, their items or the receipts is called. */
export const buttonLabel = (btnNo: string): string =>
  buttons.find((it) => it.btnNo === btnNo)?.label[language] ?? btnNo;

/** Opens what is done with a unit of a bill: its line, its box, the button. */
export async function actOn(
  { page, pressButton, press, button, openBill }: Operator,
  mtbId: string,
  sn: string,
  btnNo: string,
) {
  await openBill(mtbId);
  const box = page.getByRole('checkbox', { name: new RegExp(sn) });
  if (!(await box.isVisible())) await pressButton(page.getByRole('button', { name: /^Units of / }));
  await tabTo(page, box);
  await press('Space');
  await pressButton(button(buttonLabel(btnNo)));
  return page.getByRole('dialog');
}

export const fetchNode = async (request: Request, sn: string) => (await fetchUnitHistory(request, sn)).node;

export const fetchBillLine = async (request: Request, mtbId: string) => {
  const { status, lines } = await fetchBill(request, mtbId);
  return { billStatus: status, ...lines[0] };
};

/** A journey each, named for what becomes of the unit; each must go without an error in the console. */
export function walks(prefix: string, paths: Record<string, (walk: Walk) => Promise<void>>): void {
  for (const [title, walk] of Object.entries(paths)) {
    test(`${prefix} ${title}`, async ({ page, context, baseURL }) => {
      const errors = listenForErrors(page);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.addInitScript((it) => localStorage.setItem('local', it), language);
      const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#b5651d' } })
        .jpeg()
        .toBuffer();
      await walk({
        operator: createOperator(page, context, language, { directUrl: baseURL }),
        request: context.request,
        picture,
      });
      expect(errors).toEqual([]);
    });
  }
}
