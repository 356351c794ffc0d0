// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import AssemblePage from './AssemblePage.tsx';

const paths = { validate: '/api/rmaAssembleBill/validateSn.json', assemble: '/api/rmaAssembleBill/assemble.json' };
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

async function opens() {
  const page = await openPage(<AssemblePage menuNo="rmaAssembleBillList" />, {
    lang: 'en',
    answers: { [paths.validate]: unit, [paths.assemble]: { asbId: 'ASB1', sn: 'SN0001', nextNode: '70' } },
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

  it('refuses a QR code of another length, and a part that is there twice [W-ASM-10] [W-ASM-12]', async () => {
    const { submit, callsTo } = await opens();
    scan('pw0001', 'ct0001', 'HB0001', 'QR1', 'XXXX', 'XXXX', 'XXXX');
    await submit();
    await waitFor(() => expect(verdict()).toContain('The QR code number does not meet the rules'));
    const fill = (name: RegExp, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });
    fill(/^Controls SN/, 'PW0001');
    fill(/^Board 1 SN QR code/, 'QR000000000000001');
    await submit();
    await waitFor(() => expect(verdict()).toContain('Duplicate SN'));
    expect(callsTo(paths.assemble)).toEqual([]);
  });
});
