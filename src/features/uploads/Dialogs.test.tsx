// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { ToolbarButton } from '#app/engine/wire.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { openPage, refuses, type Answers, type Asked } from '#app/parts/openPage.tsx';
import SingleDocumentDialog from './SingleDocumentDialog.tsx';
import DocumentsDialog from './DocumentsDialog.tsx';
import RowsDialog from './RowsDialog.tsx';

const buttonOf = (btnScript: string): ToolbarButton => ({ id: 1, btnNo: btnScript, btnName: 'Do it', btnScript });
const matching = { total: 1, query: {}, condition: null, sort: {}, columns: [] };

async function opens(
  Dialog: (props: DialogProps) => React.ReactNode,
  module: string,
  script: string,
  answers: Answers,
  row: Record<string, unknown> = {},
) {
  const [onDone, onClose] = [vi.fn(), vi.fn()];
  const props = {
    menuNo: `${module}List`,
    module,
    button: buttonOf(script),
    matching,
    isForAll: false,
    onDone,
    onClose,
  };
  const page = await openPage(<Dialog {...props} rows={[{ id: 7, ...row }]} />, { lang: 'en', answers });
  await screen.findByRole('dialog', { name: 'Do it' });
  const input = await waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('input[type=file]');
    if (!found) throw new Error('no chooser yet');
    return found;
  });
  const choose = (...files: File[]) => fireEvent.change(input, { target: { files } });
  const press = async (name: string | RegExp) => page.user.click(await screen.findByRole('button', { name }));
  return { ...page, onDone, onClose, input, choose, press };
}

const file = (name: string, size = 1) => Object.defineProperty(new File(['x'], name), 'size', { value: size });
const form = {
  items: [{ name: 'File', queryName: 'file', type: 'file', required: true }],
  accept: ['xlsx'],
  maxBytes: 20 * 1024 * 1024,
  maxRows: 20_000,
  columns: [
    { name: 'sn', label: 'SN', type: 'String', required: true },
    { name: 'name', label: 'Item', type: 'String', required: false },
  ],
};
const found = {
  url: '/file/w.xlsx',
  jobId: 5,
  state: 'done',
  rows: 3,
  imported: 0,
  bad: 0,
  problems: [],
  notes: [],
  noted: 0,
  heads: ['SN', 'Item', 'Weather'],
  ignored: ['Weather'],
  sample: [{ row: 2, cells: ['A1', 'RX19', 'sunny'] }],
  report: null,
};
const withBad = {
  ...found,
  bad: 2,
  problems: [
    { row: 3, msg: 'SN A1 is already in row 2' },
    { row: 4, msg: 'The required fields must not be empty (SN)' },
  ],
  report: '/file/r.xlsx',
};

describe.each([
  ['upload', 'toUpload'],
  ['uploadSignForTime', 'toUploadSignForTime'],
])('rows by %s', (script, opener) => {
  const path = `/api/ubsItemObject/${script}.json`;
  const to = `/api/ubsItemObject/${opener}.json`;
  const id = script === 'upload' ? '[P-UPL-08] [P-FRM-12]' : '[P-UPL-09] [P-FRM-12]';
  const start = (answer: unknown) => opens(RowsDialog, 'ubsItemObject', script, { [to]: form, [path]: answer });

  it(`are looked at first, then imported by the same file, once ${id}`, async () => {
    const answer = (input: Record<string, unknown>) => ('dryRun' in input ? found : { ...found, imported: 3 });
    const { choose, press, callsTo, onDone, onClose } = await start(answer);
    expect(callsTo(to)).toHaveLength(1);
    expect(screen.getByText(/Columns: SN \*, Item/)).toBeTruthy();
    choose(file('rows.xlsx'));
    await press('Check');
    expect(await screen.findByText('3 rows are fine')).toBeTruthy();
    expect(screen.getByText('Columns that are not read: Weather')).toBeTruthy();
    expect(screen.getByRole('cell', { name: 'RX19' })).toBeTruthy();
    expect(onDone).not.toHaveBeenCalled();
    await press('Import 3 rows');
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(onClose).toHaveBeenCalledTimes(1);
    const [look, bring] = callsTo(path) as [Asked, Asked];
    expect([look.input['file'], look.input['dryRun']]).toEqual([expect.any(File), '1']);
    expect(bring.input).toEqual({ url: '/file/w.xlsx' });
    expect(bring.key).toMatch(/^[0-9a-f]{32}$/);
  });

  it('say what they replace, and are looked at again where that is refused', async () => {
    const replaces = { msg: 'Bill LCB1 is there already' };
    const answer = (input: Record<string, unknown>) =>
      'dryRun' in input ? { ...found, replaces } : refuses('replacesElse', 'has changed after the preview');
    const { choose, press, callsTo } = await start(answer);
    choose(file('rows.xlsx'));
    await press('Check');
    expect(await screen.findByText('Bill LCB1 is there already')).toBeTruthy();
    await press('Import 3 rows');
    expect(await screen.findByText('has changed after the preview')).toBeTruthy();
    expect(screen.queryByText('Bill LCB1 is there already')).toBe(null);
    await press('Check');
    await screen.findByText('Bill LCB1 is there already');
    await press('Import 3 rows');
    await waitFor(() => expect(callsTo(path)).toHaveLength(4));
    const keys = callsTo(path).map((it) => it.key);
    expect(keys[1]).not.toBe(keys[3]);
  });

  it('with problems name each, offer them as a workbook, and cannot be imported', async () => {
    const { choose, press, callsTo, onDone } = await start(withBad);
    choose(file('rows.xlsx'));
    await press('Check');
    const table = await screen.findByRole('region', { name: 'Problem' });
    expect(within(table).getByText('SN A1 is already in row 2')).toBeTruthy();
    expect(screen.getByText(/2 rows have a problem; nothing is imported/)).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Download the rows with their problems' });
    expect(link.getAttribute('href')).toBe('/file/r.xlsx');
    expect(screen.getByRole('button', { name: 'Check' })).toHaveProperty('disabled', true);
    expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
    choose(file('better.xlsx'));
    expect(screen.getByRole('button', { name: 'Check' })).toHaveProperty('disabled', false);
    expect(callsTo(path)).toHaveLength(1);
    expect(onDone).not.toHaveBeenCalled();
  });

  it('that were changed after the look are named, and can be looked at again', async () => {
    let runs = 0;
    const answer = (input: Record<string, unknown>) =>
      'dryRun' in input ? found : (runs += 1) === 1 ? withBad : { ...found, imported: 3 };
    const { choose, press, callsTo, onDone } = await start(answer);
    choose(file('rows.xlsx'));
    await press('Check');
    await press('Import 3 rows');
    expect(await screen.findByText('SN A1 is already in row 2')).toBeTruthy();
    await press('Check');
    expect(await screen.findByText('3 rows are fine')).toBeTruthy();
    await press('Import 3 rows');
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    const keys = callsTo(path).map((it) => it.key);
    expect([keys.length, new Set(keys).size]).toEqual([4, 4]);
  });

  it('that bring something to know say it, and can be imported', async () => {
    const msg = 'Price bill PRB1 will end';
    const { choose, press } = await start({ ...found, notes: [{ row: 2, msg }], noted: 60 });
    choose(file('rows.xlsx'));
    await press('Check');
    const table = await screen.findByRole('region', { name: 'Note' });
    expect(within(table).getByRole('row', { name: `2 ${msg}` })).toBeTruthy();
    expect(within(table).getByText(/The first 1/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Import 3 rows' })).toHaveProperty('disabled', false);
  });

  it('of an earlier version, which told nothing to know, are shown as well', async () => {
    const { notes: _, noted: __, ...earlier } = found;
    const { choose, press } = await start(earlier);
    choose(file('rows.xlsx'));
    await press('Check');
    expect(await screen.findByRole('button', { name: 'Import 3 rows' })).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Note' })).toBeNull();
  });

  it('are not sent without a file, of another kind, or too large [P-UPL-06]', async () => {
    const { choose, press, callsTo, input } = await start(found);
    await press('Check');
    expect(screen.getByRole('alert').textContent).toBe('No upload file selected');
    for (const name of ['rows.csv', 'rows.xls']) {
      choose(file(name));
      expect(screen.getByRole('alert').textContent).toContain('choose one of: xlsx');
    }
    choose(file('rows.xlsx', 20 * 1024 * 1024 + 1));
    expect(screen.getByRole('alert').textContent).toBe('The size cannot exceed 20 MB');
    fireEvent(input, new Event('cancel'));
    expect(screen.getByRole('alert').textContent).toBe('No upload file selected');
    expect(callsTo(path)).toEqual([]);
  });

  it('say why a workbook was refused', async () => {
    const { choose, press } = await start(() =>
      refuses('workbookHeads', 'The first row must name the columns; missing: SN'),
    );
    choose(file('rows.xlsx'));
    await press('Check');
    expect((await screen.findByRole('alert')).textContent).toBe('The first row must name the columns; missing: SN');
  });

  it('are followed as a job when they take their time', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 });
    const { choose, press } = await opens(RowsDialog, 'ubsItemObject', script, {
      [to]: form,
      [path]: { url: '/file/w.xlsx', jobId: 5, state: 'running' },
      '/rest/jobs/5': { id: 5, state: 'done', progress: 3, path: null, result: found, msg: '' },
    });
    choose(file('rows.xlsx'));
    await press('Check');
    expect(await screen.findByText('3 rows are fine')).toBeTruthy();
    vi.useRealTimers();
  });
});

it('the logistics costs say their month beside the file [P-UPL-14]', async () => {
  const path = '/api/rmaLogisticsCostsBill/upload.json';
  const asks = [...form.items, { name: 'Reconciliation month', queryName: 'recPeriod', type: 'Month', required: true }];
  const answers = { '/api/rmaLogisticsCostsBill/toUpload.json': { ...form, items: asks }, [path]: found };
  const { choose, press, callsTo } = await opens(RowsDialog, 'rmaLogisticsCostsBill', 'upload', answers);
  choose(file('costs.xlsx'));
  await press('Check');
  expect(screen.getByRole('alert').textContent).toBe('The required fields must not be empty');
  expect(callsTo(path)).toEqual([]);
  fireEvent.change(screen.getByLabelText(/Reconciliation month/), { target: { value: '2026-10' } });
  await press('Check');
  await screen.findByText('3 rows are fine');
  expect(callsTo(path)[0]?.input).toMatchObject({ recPeriod: '2026-10', dryRun: '1' });
  await press('Import 3 rows');
  await waitFor(() => expect(callsTo(path)).toHaveLength(2));
  expect(callsTo(path)[1]?.input).toEqual({ recPeriod: '2026-10', url: '/file/w.xlsx' });
});

it('the logistics costs begin with the currency that is usual, and send the one that is chosen', async () => {
  const path = '/api/rmaLogisticsCostsBill/upload.json';
  const options = [
    { value: 'CNY', optionName: 'CNY' },
    { value: 'USD', optionName: 'USD' },
  ];
  const asks = [...form.items, { name: 'Currency', queryName: 'currency', type: 'select', value: 'CNY', options }];
  const answers = { '/api/rmaLogisticsCostsBill/toUpload.json': { ...form, items: asks }, [path]: found };
  const { choose, press, callsTo, user } = await opens(RowsDialog, 'rmaLogisticsCostsBill', 'upload', answers);
  expect((await screen.findByRole('combobox', { name: 'Currency' })).textContent).toContain('CNY');
  choose(file('costs.xlsx'));
  await press('Check');
  await screen.findByText('3 rows are fine');
  expect(callsTo(path)[0]?.input).toMatchObject({ currency: 'CNY', dryRun: '1' });
  await user.click(screen.getByRole('combobox', { name: 'Currency' }));
  await user.click(await screen.findByRole('option', { name: 'USD' }));
  await press('Check');
  await screen.findByText('3 rows are fine');
  await press('Import 3 rows');
  await waitFor(() => expect(callsTo(path)).toHaveLength(3));
  expect(callsTo(path)[2]?.input).toEqual({ currency: 'USD', url: '/file/w.xlsx' });
});

describe('one paper for one row', () => {
  const oneForm = { items: [], accept: ['pdf', 'png'], maxBytes: 5 * 1024 * 1024 };
  it.each([
    ['uploadOne', 'toUploadOne', '[P-UPL-10] [P-FRM-12]'],
    ['uploadDocument', 'toUploadDocument', '[P-UPL-15]'],
  ])('goes by %s with its row %s', async (script, opener) => {
    const path = `/api/rmaMaintainBill/${script}.json`;
    const answers = { [`/api/rmaMaintainBill/${opener}.json`]: oneForm, [path]: { url: '/file/a.pdf' } };
    const { choose, press, callsTo, onDone, onClose } = await opens(
      SingleDocumentDialog,
      'rmaMaintainBill',
      script,
      answers,
    );
    await screen.findByText(/pdf, png, at most 5M/);
    await press('Do it');
    expect(screen.getByRole('alert').textContent).toBe('No upload file selected');
    choose(file('a.exe'));
    expect(screen.getByRole('alert').textContent).toContain('choose one of: pdf, png');
    choose(file('a.pdf', 5 * 1024 * 1024 + 1));
    expect(screen.getByRole('alert').textContent).toBe('The size cannot exceed 5M');
    expect(callsTo(path)).toEqual([]);
    choose(file('a.pdf'));
    await press('Do it');
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(onClose).toHaveBeenCalledTimes(1);
    expect(callsTo(path)[0]?.input).toMatchObject({ id: '7', file: expect.any(File) as File });
  });
});

describe('invoices and certificates', () => {
  const APPENDIX = '/api/RmaAppendix/upload.json';
  let sent = 0;
  const stores = () => ({ url: `/file/paper${(sent += 1)}.pdf` });
  const bill = (module: string, papers = {}) => ({
    [`/api/${module}/queryById.json`]: { id: 7, version: 6, ...papers },
  });
  it.each([
    ['rmaRepairFeeBill', 'uploadInvoice', 'invoiceUrls'],
    ['rmaLogisticsCostsBill', 'uploadCertificate', 'certificateUrls'],
  ])(
    'of %s go up one by one and are handed in together [P-UPL-16] [P-UPL-17] [P-FRM-12]',
    async (module, script, field) => {
      sent = 0;
      const path = `/api/${module}/${script}.json`;
      const answers = { [APPENDIX]: stores, [path]: { id: 7, billStatus: '5' }, ...bill(module) };
      const { choose, press, callsTo, onDone } = await opens(DocumentsDialog, module, script, answers);
      await waitFor(() => expect(screen.getByRole('button', { name: 'Submit' })).toHaveProperty('disabled', false));
      await press('Submit');
      expect(screen.getByRole('alert').textContent).toBe('No upload file selected');
      choose(file('a.exe'));
      expect(screen.getByRole('alert').textContent).toContain('choose one of');
      choose(...Array.from({ length: 11 }, (_, i) => file(`${i}.pdf`)));
      expect(screen.getByRole('alert').textContent).toBe('At most 10 files');
      expect(callsTo(APPENDIX)).toEqual([]);
      choose(file('one.pdf'), file('two.pdf'), file('three.pdf'));
      for (const name of ['one.pdf', 'two.pdf', 'three.pdf'])
        expect(await screen.findByRole('link', { name })).toBeTruthy();
      await press('Remove two.pdf');
      await press('Submit');
      await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
      expect(callsTo(path)[0]?.input).toEqual({ id: '7', version: 6, [field]: '/file/paper1.pdf##/file/paper3.pdf' });
    },
  );

  it('are those of the bill as well, which its row in the list does not say [P-UPL-17]', async () => {
    sent = 0;
    const path = '/api/rmaLogisticsCostsBill/uploadCertificate.json';
    const certificateUrls = '/file/a.pdf##/file/b.jpg';
    const answers = {
      [APPENDIX]: stores,
      [path]: { id: 7, billStatus: '1' },
      ...bill('rmaLogisticsCostsBill', { certificateUrls }),
    };
    const start = () => opens(DocumentsDialog, 'rmaLogisticsCostsBill', 'uploadCertificate', answers);
    const { choose, press, callsTo, onDone } = await start();
    await screen.findByRole('link', { name: '1 (pdf)' });
    await press('Remove 1 (pdf)');
    choose(file('one.pdf'));
    await screen.findByRole('link', { name: 'one.pdf' });
    expect(screen.getAllByRole('link').map((it) => it.textContent)).toEqual(['2 (jpg)', 'one.pdf']);
    await press('Submit');
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(callsTo(path)[0]?.input).toEqual({ id: '7', version: 6, certificateUrls: '/file/b.jpg##/file/paper1.pdf' });
  });

  it('go with those that the bill has by now, where somebody else has changed it', async () => {
    sent = 0;
    const path = '/api/rmaLogisticsCostsBill/uploadCertificate.json';
    const view = { fields: [], labels: {} };
    let now = { id: 7, version: 6, certificateUrls: '', view };
    const answers = {
      [APPENDIX]: stores,
      [path]: ({ version }: { version: number }) =>
        version === now.version ? { id: 7, billStatus: '1' } : refuses('stale', 'Somebody else has changed it'),
      '/api/rmaLogisticsCostsBill/queryById.json': () => now,
    };
    const start = () => opens(DocumentsDialog, 'rmaLogisticsCostsBill', 'uploadCertificate', answers);
    const { choose, press, callsTo, onDone } = await start();
    choose(file('one.pdf'));
    await screen.findByRole('link', { name: 'one.pdf' });
    now = { ...now, version: 8, certificateUrls: '/file/theirs.pdf' };
    await press('Submit');
    await screen.findByRole('button', { name: 'Look again' });
    await press('Look again');
    await screen.findByRole('link', { name: '1 (pdf)' });
    await press('Submit');
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(callsTo(path).map((it) => it.input)).toEqual([
      { id: '7', version: 6, certificateUrls: '/file/paper1.pdf' },
      { id: '7', version: 8, certificateUrls: '/file/theirs.pdf##/file/paper1.pdf' },
    ]);
  });

  it('cannot be handed in while nobody knows which ones the bill has', async () => {
    const answers = {
      '/api/rmaRepairFeeBill/queryById.json': () => refuses('notFound', 'This record does not exist'),
    };
    await opens(DocumentsDialog, 'rmaRepairFeeBill', 'uploadInvoice', answers);
    expect((await screen.findByRole('alert')).textContent).toBe('This record does not exist');
    expect(screen.getByRole('button', { name: 'Submit' })).toHaveProperty('disabled', true);
  });

  it('that fail can be tried again, and the bill says why it does not take them', async () => {
    let works = false;
    const answers = {
      [APPENDIX]: () => (works ? stores() : refuses('tooLarge', 'Too large')),
      '/api/rmaRepairFeeBill/uploadInvoice.json': () => refuses('stale', 'The data was changed by someone else'),
      ...bill('rmaRepairFeeBill'),
    };
    const { choose, press, onDone } = await opens(DocumentsDialog, 'rmaRepairFeeBill', 'uploadInvoice', answers);
    choose(file('one.pdf'));
    expect((await screen.findByRole('alert')).textContent).toBe('Too large');
    // Without it nothing goes.
    await press('Submit');
    expect(screen.getByRole('alert').textContent).toBe('one.pdf did not arrive: try it again or cancel it');
    works = true;
    await press('Try one.pdf again');
    await screen.findByRole('link', { name: 'one.pdf' });
    await press('Submit');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('The data was changed by someone else'));
    expect(onDone).not.toHaveBeenCalled();
  });
});
