// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import { noteStore } from '#app/parts/scan/noteStore.ts';
import { savedScans } from '#app/parts/scan/savedScans.ts';
import { features } from '#tests/support/modules.tsx';

const sources = import.meta.glob<string>('/src/features/*/*Page.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const walked = Object.values(sources).filter((it) => /<(ScanStation|TestStation|RegistrationStation)\b/.test(it));
const stations = [
  'rmaReceiveBill:receive',
  'rmaCheckBill:check',
  'rmaRepairBill:repair',
  'rmaAssembleBill:assemble',
  'rmaBurninBill:burnin',
  'rmaExamineBill:examine',
  'rmaStoreBill:store',
  'rmaDeliverBill:deliver',
  'rmaStockTransferBill:deliverAccept',
  'rmaStockTransferBill:receiverAccept',
  'rmaScrapRepairBill:combineRepair',
  'rmaScrapRepairBill:outsourcingAccept',
  'rmaDefectiveProductRepairBill:defectiveProductRepair',
  'rmaDefectiveProductRepairBill:testAndStore',
];

const opens = async (name: string) => {
  const { default: Page } = await (
    features.pages[name] as () => Promise<{ default: React.ComponentType<{ menuNo: string }> }>
  )();
  await openPage(<Page menuNo={`${name.split(':')[0]}List`} />, {
    lang: 'en',
    answers: {
      '/api/ubsIssueCode/loadIssueCodeList.json': { issueCodeList: [] },
      '/api/rmaEnumDepreciation/all.json': { items: [] },
      '/api/ubsEnumPartsType/all.json': { items: [] },
      '/api/rmaEnumRepairMethod/all.json': { items: [] },
      '/api/rmaScrapRepairBill/getSiteList.json': { ubsSiteList: [] },
      '/api/ubsShipment/pager.json': { items: [], itemTotal: 0 },
    },
  });
};
const verdict = () => document.querySelector<HTMLElement>('[data-verdict]');

describe('each station', () => {
  it('is walked', () => {
    expect(walked).toHaveLength(stations.length);
  });

  it.each(stations)('says nothing of its list before that has been read (%s)', async (name) => {
    const never = new Promise<never>(() => undefined);
    vi.spyOn(savedScans, 'claim').mockReturnValue(never);
    vi.spyOn(noteStore, 'read').mockReturnValue(never);
    await opens(name);
    await waitFor(() => expect(screen.getByRole('table', { name: 'Scanned' }).getAttribute('aria-busy')).toBe('true'));
    expect(document.body.textContent).not.toContain('Nothing scanned yet');
    expect(document.body.textContent).not.toMatch(/load (it|the .*bill) first/);
  });

  it.each(stations)(
    'refuses in its large line what is submitted with nothing in it, and takes a column (%s)',
    async (name) => {
      await opens(name);
      await screen.findAllByText('Nothing scanned yet');
      fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
      await waitFor(() => expect(verdict()?.dataset['verdict']).toBe('wrong'));
      expect(verdict()?.textContent).not.toBe('');
      // A pasted column is one scan a line, and no text of the field.
      const field = document.querySelector<HTMLInputElement>('input[data-scan=field]') as HTMLInputElement;
      expect(fireEvent.paste(field, { clipboardData: { getData: () => 'SN0001\r\nSN0002\r\n' } })).toBe(false);
      expect(field.value).toBe('');
    },
  );
});
