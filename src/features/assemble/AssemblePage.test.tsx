// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answers, openPage, refuses } from '#app/parts/openPage.tsx';
import AssemblePage from './AssemblePage.tsx';

const paths = {
  validate: '/api/rmaAssembleBill/validateSn.json',
  assemble: '/api/rmaAssembleBill/assemble.json',
  part: '/api/rmaAssembleBill/validatePart.json',
};
const unit = ({ sn }: { sn: string }) => ({
  sn,
  mtbId: 'MTB1',
  item: { itemId: 1, salesCode: 'RX21-188T', name: 'RX-21', deviceType: '0', boardCount: 4 },
  boundParts: [{ componentType: 'COIT000000S1', componentSn: 'OLDPOWER1', qrCodeNum: null }],
});

/** Each text into the field that has the focus, with the Enter of a scanner. */
function scan(...texts: string[]) {
  for (const text of texts) {
    const field = document.activeElement as HTMLInputElement;
    fireEvent.change(field, { target: { value: text } });
    fireEvent.keyDown(field, { key: 'Enter' });
  }
}

const selected = (field: HTMLInputElement) => {
  expect(document.activeElement).toBe(field);
  return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
};

async function opens(more: Answers = {}) {
  const page = await openPage(<AssemblePage menuNo="rmaAssembleBillList" />, {
    lang: 'en',
    answers: {
      [paths.validate]: unit,
      [paths.part]: ({ componentSn }: { componentSn: string }) => ({ componentSn }),
      [paths.assemble]: { asbId: 'ASB1', sn: 'SN0001', nextNode: '70' },
      ...more,
    },
  });
  await page.user.type(screen.getByLabelText('Scan SN'), 'SN0001{Enter}');
  await screen.findByLabelText(/^Power SN/);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Power SN/)));
  await waitFor(() => expect(verdict()).toContain('Verified'));
  return { ...page, submit: () => page.user.keyboard('{Control>}{Enter}{/Control}') };
}
const verdict = () => document.querySelector('[data-verdict]')?.textContent;
const inputs = () => document.querySelectorAll('input[data-scan=part]');

describe('the assembly station', () => {
  it('asks for power, controls and four boards with their QR codes [W-ASM-02] [W-ASM-13]', async () => {
    const { callsTo } = await opens();
    expect(callsTo(paths.validate)[0]?.input).toEqual({ sn: 'SN0001' });
    expect(screen.getByLabelText(/^Controls SN/)).toBeTruthy();
    expect(screen.getAllByLabelText(/^Board \d SN \*$/)).toHaveLength(4);
    expect(screen.getAllByLabelText(/^Board \d SN QR code/)).toHaveLength(4);
  });

  it('has one tab only: simple [W-ASM-01]', async () => {
    await opens();
    expect(screen.getAllByRole('tab').map((it) => [it.textContent, it.getAttribute('aria-selected')])).toEqual([
      ['Simple', 'true'],
    ]);
  });

  it('follows the chosen number of boards: 1, 2, 3, 4 or 8 [W-ASM-03]', async () => {
    const { user } = await opens();
    await user.click(screen.getByRole('combobox', { name: /Computing boards/ }));
    expect(screen.getAllByRole('option').map((it) => it.textContent)).toEqual(['1', '2', '3', '4', '8']);
    await user.click(screen.getByRole('option', { name: '8' }));
    await waitFor(() => expect(inputs()).toHaveLength(2 + 8 * 2));
  });

  it('is filled by scanner alone, XXXX with its QR code, and sends each part as what it is [W-ASM-06] [W-ASM-07] [W-ASM-11] [W-ASM-14]', async () => {
    const { submit, callsTo } = await opens();
    scan('pw0001', 'ct0001', 'HB00000000000001A', 'QR000000000000001', 'XXXX', 'XXXX', 'XXXX');
    await submit();
    await waitFor(() => expect(callsTo(paths.assemble)).toHaveLength(1));
    const board = (sn: string, qrCodeNum: string) => ({ sn, component_type: 'COIT000000S0', qrCodeNum });
    expect(callsTo(paths.assemble)[0]?.input).toEqual({
      sn: 'SN0001',
      partsList: [
        { sn: 'PW0001', component_type: 'COIT000000S1', qrCodeNum: '' },
        { sn: 'CT0001', component_type: 'COIT000000RZ', qrCodeNum: '' },
        board('HB00000000000001A', 'QR000000000000001'),
        ...Array.from({ length: 3 }, () => board('XXXX', 'XXXX')),
      ],
    });
  });

  it('refuses empty positions [W-ASM-09]', async () => {
    const { submit, callsTo } = await opens();
    await submit();
    await waitFor(() => expect(verdict()).toContain('The required fields must not be empty'));
    expect(callsTo(paths.assemble)).toEqual([]);
  });

  it("judges each part when it is scanned: what can't stay keeps the focus, selected [W-ASM-10] [W-ASM-12]", async () => {
    const { submit, callsTo } = await opens();
    scan('pw0001', 'PW0001');
    const controls = screen.getByLabelText<HTMLInputElement>(/^Controls SN/);
    await waitFor(() => expect(verdict()).toContain('Duplicate SN'));
    expect(selected(controls)).toBe('PW0001');
    scan('SN0001');
    expect(selected(controls)).toBe('SN0001');
    scan('ct0001', 'HB0001', 'QR1');
    await waitFor(() => expect(verdict()).toContain('The QR code number does not meet the rules'));
    expect(selected(screen.getByLabelText<HTMLInputElement>(/^Board 1 SN QR code/))).toBe('QR1');
    await submit();
    expect(callsTo(paths.assemble)).toEqual([]);
    scan('QR000000000000001', 'XXXX', 'XXXX', 'XXXX');
    await submit();
    await waitFor(() => expect(callsTo(paths.assemble)).toHaveLength(1));
  });

  it('asks the server about each part, and leads back to what it refuses', async () => {
    const { callsTo } = await opens({
      [paths.part]: ({ componentSn }: { componentSn: string }) =>
        componentSn === 'PW0001' ? refuses('isDevice', 'PW0001 is a device') : { componentSn },
    });
    scan('pw0001');
    await waitFor(() => expect(verdict()).toContain('PW0001 is a device'));
    const power = screen.getByLabelText<HTMLInputElement>(/^Power SN/);
    expect(selected(power)).toBe('PW0001');
    expect(power.getAttribute('aria-invalid')).toBe('true');
    scan('pw0002');
    expect(document.activeElement).toBe(screen.getByLabelText(/^Controls SN/));
    expect(callsTo(paths.part).map((it) => it.input)).toEqual(
      ['PW0001', 'PW0002'].map((componentSn) => ({ sn: 'SN0001', componentSn })),
    );
  });

  it('takes nothing for the next device while a position is empty or refused', async () => {
    const { callsTo } = await opens();
    const toStation = (sn: string) => {
      fireEvent.change(screen.getByLabelText('Scan SN'), { target: { value: sn } });
      fireEvent.keyDown(screen.getByLabelText('Scan SN'), { key: 'Enter' });
    };
    const valueAt = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name).value;
    toStation('PW0001');
    await waitFor(() => expect(valueAt(/^Power SN/)).toBe('PW0001'));
    toStation('PW0001');
    await waitFor(() => expect(verdict()).toContain('Duplicate SN'));
    toStation('CT0001');
    await waitFor(() => expect(valueAt(/^Controls SN/)).toBe('CT0001'));
    expect(document.activeElement).toBe(screen.getByLabelText(/^Board 1 SN \*/));
    scan('HB0001', 'QR000000000000001', 'XXXX', 'XXXX', 'XXXX');
    expect(callsTo(paths.validate)).toHaveLength(1);
    toStation('SN0002');
    await waitFor(() => expect(document.querySelectorAll('tr[data-state]')).toHaveLength(2));
  });

  it('keeps for the device what is scanned while that is being asked about', async () => {
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((done) => (answer = done));
    const { user, callsTo } = await openPage(<AssemblePage menuNo="rmaAssembleBillList" />, {
      lang: 'en',
      answers: {
        [paths.validate]: (input: { sn: string }) => asked.then(() => unit(input)),
        [paths.part]: ({ componentSn }: { componentSn: string }) => ({ componentSn }),
      },
    });
    await user.type(screen.getByLabelText('Scan SN'), 'SN0001{Enter}');
    await waitFor(() => expect(callsTo(paths.validate)).toHaveLength(1));
    await user.type(screen.getByLabelText('Scan SN'), 'PW0001{Enter}CT0001{Enter}');
    answer();
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Controls SN/).value).toBe('CT0001'));
    expect(screen.getByLabelText<HTMLInputElement>(/^Power SN/).value).toBe('PW0001');
    expect(callsTo(paths.validate)).toHaveLength(1);
  });

  it('leads to the first empty position once the bound parts are taken over', async () => {
    const { user } = await opens();
    await user.click(screen.getByRole('button', { name: /bound parts/ }));
    expect(screen.getByLabelText<HTMLInputElement>(/^Power SN/).value).toBe('OLDPOWER1');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Controls SN/)));
  });
});
