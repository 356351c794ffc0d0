// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import { Notices } from '#app/shell/Notices.tsx';
import options from '#definitions/options.json';
import bumping from '#definitions/semiconductor/icopBumpingCpWorkOrder.json';
import ft from '#definitions/semiconductor/icopFtWorkOrder.json';
import assembly from '#definitions/semiconductor/icopAssemblyWorkOrder.json';
import WorkOrderCreatePage from './WorkOrderCreatePage.tsx';
import { styleOf } from '#app/testing/styles.ts';

interface Field {
  type: string;
  label: { en: string };
  options?: string;
  ref?: object;
  default?: string;
}
const choices = {
  ...{ supplierId: ['S1', 'Supplier One'], waferPn: ['P1', 'P1'], devicePn: ['D1', 'D1'] },
  ...{ btmSiteId: ['NB', 'Ningbo'], inventoryOrg: ['ANY', 'Any store'] },
} as const;

const other = { value: 'S2', optionName: 'Supplier Two' };

/** The form as the server makes it from the definition. */
function formOf({ fields, form }: { fields: object; form: string[][] }) {
  const all = fields as Record<string, Field>;
  const items = form.flat().map((queryName) => {
    const { label, options: list, ref, default: value = null, ...field } = all[queryName] as Field;
    const lists = options as Record<string, { value: string; label: { en: string } }[]>;
    const [own, name] = choices[queryName as keyof typeof choices] ?? [];
    const given = list
      ? (lists[list] ?? []).map((it) => ({ value: it.value, optionName: it.label.en }))
      : ref && [{ value: own, optionName: name }, ...(queryName === 'supplierId' ? [other] : [])];
    return { ...field, name: label.en, queryName, value, ...(given && { options: given }) };
  });
  return { items, rows: form };
}

const lot = {
  ...{ wipId: 'W1', waferLotId: 'LOT1', stage: '1', waferPn: 'P1', waferMpn: 'M1', devicePn: 'D1', chipQty: 180 },
  ...{ waferIds: '01,02', supplierId: 'S1', supplierName: 'Supplier One', frontFtTestProgram: '', originalMarking: '' },
  waferList: [
    { waferId: '01', chipQty: 100 },
    { waferId: '02', chipQty: 80 },
  ],
};
const binned = {
  ...lot,
  stage: '9',
  waferList: [
    { waferId: '1', chipQty: 40 },
    { waferId: '3', chipQty: 20 },
  ],
};
const made = {
  ...{ id: 5, workOrderNo: 'BCO1', siteId: 'SZ', siteName: 'Shenzhen' },
  ...{ supplierId: 'S1', supplierName: 'Supplier One' },
};
const stores = {
  '': [{ btmId: 'IC02', name: 'Work in process', remark: 'Dry cabinet' }],
  NB: [{ btmId: 'NB01', name: 'Ningbo chips', remark: '' }],
};
const create = (module: string) => `/api/${module}/create.json`;

const usual = { orders: 12, yield: 0.95 };

async function opens(
  module: string,
  definition: { fields: object; form: string[][] },
  devices: Record<string, string>[] = [],
) {
  const page = (
    <>
      <WorkOrderCreatePage menuNo={`${module}List`} />
      <Notices />
    </>
  );
  const view = await openPage(page, {
    lang: 'en',
    answers: {
      [`/api/${module}/toAdd.json`]: formOf(definition),
      [create(module)]: made,
      [`/api/${module}/usualYield.json`]: usual,
      '/api/icopPartNumberLine/queryAll.json': { items: devices },
      '/api/icopBumpingCpWorkOrder/getWipWafer.json': { items: [lot] },
      '/api/icopAssemblyWorkOrder/getWaferLot.json': { items: [{ ...lot, stage: '5' }] },
      '/api/icopStore/queryBySiteId.json': ({ siteId }: { siteId: keyof typeof stores }) => ({ items: stores[siteId] }),
      '/api/icopFtWorkOrder/getAssemblySiteList.json': { items: [{ siteId: 'SZ', siteName: 'Shenzhen' }] },
      '/api/icopFtWorkOrder/getFtLot.json': {
        items: [{ ...lot, stage: '7', waferList: [{ waferId: 'G', chipQty: 9 }] }, binned],
      },
    },
  });
  const choose = async (label: RegExp, option: string) => {
    await view.user.click(await screen.findByRole('combobox', { name: label }));
    await view.user.click(await screen.findByRole('option', { name: option }));
  };
  const press = (name: string | RegExp) => view.user.click(screen.getByRole('button', { name }));
  return { ...view, choose, press };
}

/** A select says it at the input that holds its value. */
const isRequired = (select: HTMLElement) => select.parentElement?.querySelector('input')?.getAttribute('aria-required');

/** What a choice shows, whether it is typed into or opened. */
const shownIn = (it: HTMLElement) => (it instanceof HTMLInputElement ? it.value : it.textContent);

describe('a work order that is made', () => {
  it('offers the stores of its site, and of another one those [S-WAF-10] [S-WOF-01]', async () => {
    const { user, press, choose, callsTo } = await opens('icopBumpingCpWorkOrder', bumping);
    await choose(/^Inventory organization/, 'Work in process · Dry cabinet');
    await choose(/^Store site/, 'Ningbo');
    // The one that was chosen is not there.
    const select = () => screen.getByRole('combobox', { name: /^Inventory organization/ });
    await waitFor(() => expect(select().textContent).not.toContain('Work in process'));
    await choose(/^Inventory organization/, 'Ningbo chips');
    await choose(/^For a work order/, 'Yes');
    await user.type(screen.getByRole('textbox', { name: /^Tax rate/ }), '6');
    await user.type(screen.getByRole('textbox', { name: /^Repair organization/ }), 'Board shop');
    await choose(/^Supplier/, 'Supplier One');
    await choose(/^Wafer PN/, 'P1');
    await press('Add wafers');
    const dialog = await screen.findByRole('dialog');
    await user.click(await within(dialog).findByRole('checkbox', { name: 'LOT1' }));
    await user.click(within(dialog).getByRole('button', { name: 'Take (2)' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Save');
    await waitFor(() => expect(callsTo(create('icopBumpingCpWorkOrder'))).toHaveLength(1));
    expect(callsTo(create('icopBumpingCpWorkOrder'))[0]?.input).toMatchObject({
      ...{ btmSiteId: 'NB', inventoryOrg: 'NB01', correspondsWorkOrder: '1', taxRate: '6', repairOrg: 'Board shop' },
      waferList: [{ wipId: 'W1' }, { wipId: 'W1' }],
    });
  });

  it('asks for a supplier before wafers can be added [P-FRM-10] [S-WAF-09]', async () => {
    const { press, choose, callsTo } = await opens('icopBumpingCpWorkOrder', bumping);
    await screen.findByRole('button', { name: 'Add wafers' });
    await press('Add wafers');
    expect(await screen.findByText('Choose the supplier first')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(callsTo('/api/icopBumpingCpWorkOrder/getWipWafer.json')).toEqual([]);
    await choose(/^Supplier/, 'Supplier One');
    await choose(/^Wafer PN/, 'P1');
    await press('Add wafers');
    expect(await screen.findByRole('dialog')).toBeTruthy();
    expect(callsTo('/api/icopBumpingCpWorkOrder/getWipWafer.json')[0]?.input).toMatchObject({
      supplierId: 'S1',
      waferPn: 'P1',
    });
  });

  it('takes wafers from the tabs of its banks in a modal of 1000, nothing entered being all of it, and never more [P-FRM-13] [S-WAF-07] [S-WAF-08]', async () => {
    const { user, press, choose, callsTo, where } = await opens('icopBumpingCpWorkOrder', bumping);
    await choose(/^Supplier/, 'Supplier One');
    await choose(/^Wafer PN/, 'P1');
    await press('Add wafers');
    const dialog = await screen.findByRole('dialog');
    expect(styleOf(dialog).maxWidth).toBe('1000px');
    expect(
      within(dialog)
        .getAllByRole('tab')
        .map((it) => it.textContent),
    ).toEqual(['Wafer bank']);
    await user.click(await within(dialog).findByRole('button', { name: 'Open LOT1' }));
    await user.click(within(dialog).getByRole('checkbox', { name: 'LOT1' }));
    const second = within(dialog).getByRole('textbox', { name: 'Input LOT1 02' });
    await user.type(second, '999');
    expect((second as HTMLInputElement).value).toBe('80');
    await user.clear(second);
    await user.type(second, '4,20');
    await user.click(within(dialog).getByRole('button', { name: 'Take (2)' }));
    expect(await screen.findByText('Whole numbers only')).toBeTruthy();
    expect((second as HTMLInputElement).value).toBe('4,20');
    await user.clear(second);
    await user.type(second, '30');
    const foreseen = 'Lots 1 · wafers 2 · dies 130 · about 123 good, at the 95% of the latest 12 orders';
    expect(within(dialog).getByRole('status').textContent).toBe(foreseen);
    await user.click(within(dialog).getByRole('button', { name: 'Take (2)' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText(foreseen)).toBeTruthy();
    const table = screen.getByRole('region', { name: 'Input wafers', hidden: true });
    expect(within(table).getByText('130')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Save');
    await waitFor(() => expect(where()).toBe('/icopBumpingCpWorkOrderList/detail/5'));
    expect(callsTo(create('icopBumpingCpWorkOrder'))[0]?.input).toMatchObject({
      processType: '1',
      supplierId: 'S1',
      waferList: [
        { wipId: 'W1', waferId: '01', inputQty: 100 },
        { wipId: 'W1', waferId: '02', inputQty: 30 },
      ],
    });
  });

  it('takes its lines off with another supplier, once that is confirmed', async () => {
    const { user, press, choose } = await opens('icopBumpingCpWorkOrder', bumping);
    await choose(/^Supplier/, 'Supplier One');
    await choose(/^Wafer PN/, 'P1');
    await press('Add wafers');
    const dialog = await screen.findByRole('dialog');
    await user.click(await within(dialog).findByRole('checkbox', { name: 'LOT1' }));
    await user.click(within(dialog).getByRole('button', { name: 'Take (2)' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const supplier = () => screen.getByRole('combobox', { name: /^Supplier/ });
    await choose(/^Supplier/, 'Supplier Two');
    await screen.findByRole('dialog');
    await press('Cancel');
    await waitFor(() => expect(supplier().textContent).toBe('Supplier One'));
    expect(screen.getByText('LOT1')).toBeTruthy();
    await choose(/^Supplier/, 'Supplier Two');
    await screen.findByRole('dialog');
    await press('Change supplier, remove lines');
    expect(await screen.findByText('Nothing added yet')).toBeTruthy();
    expect(supplier().textContent).toBe('Supplier Two');
  });

  it('asks for the wafer part before it looks for wafers [S-BCP-03]', async () => {
    const { press, choose, callsTo } = await opens('icopBumpingCpWorkOrder', bumping);
    await choose(/^Supplier/, 'Supplier One');
    await press('Add wafers');
    expect(await screen.findByText('The required fields must not be empty')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(callsTo('/api/icopBumpingCpWorkOrder/getWipWafer.json')).toEqual([]);
  });

  it.each([
    ['icopBumpingCpWorkOrder', bumping, /^Process type/, 'CP', ['Bumping bank', 'Wafer bank'], /^Wafer PN/, 'P1'],
    ['icopAssemblyWorkOrder', assembly, null, '', ['CP bank', 'Bumping bank', 'Wafer bank'], /^Wafer PN/, 'P1'],
    ['icopFtWorkOrder', ft, /^FT type/, 'FT1', ['Assembly bank'], /^Device PN/, 'D1'],
    ['icopFtWorkOrder', ft, /^FT type/, 'FT2', ['FT1 bank', 'FT2 bank'], /^Device PN/, 'D1'],
  ] as const)(
    'of %s has a tab for each bank that it takes from, in a modal of 1000 [S-WAF-01] [S-WAF-02] [S-WAF-03]',
    async (module, definition, kind, value, tabs, part, partName) => {
      const { choose, press } = await opens(module, definition);
      await choose(/^Supplier/, 'Supplier One');
      if (kind) await choose(kind, value);
      await choose(part, partName);
      await press(/^Add (wafers|lots)$/);
      const dialog = await screen.findByRole('dialog');
      expect(styleOf(dialog).maxWidth).toBe('1000px');
      expect(
        within(dialog)
          .getAllByRole('tab')
          .map((it) => it.textContent),
      ).toEqual(tabs);
    },
  );

  it('moves what is taken from the bank to its lines, and back when a line is taken out [S-WAF-05] [S-WAF-06]', async () => {
    const { user, press, choose } = await opens('icopBumpingCpWorkOrder', bumping);
    await choose(/^Supplier/, 'Supplier One');
    await choose(/^Wafer PN/, 'P1');
    const open = async () => {
      await press('Add wafers');
      const dialog = await screen.findByRole('dialog');
      await user.click(await within(dialog).findByRole('button', { name: 'Open LOT1' }));
      return dialog;
    };
    const rows = (dialog: HTMLElement) =>
      within(dialog)
        .getAllByRole('row')
        .slice(2)
        .map((it) => [it.children[2]?.textContent, it.children[3]?.textContent].join(': '));
    const take = async (dialog: HTMLElement, ...names: [name: string, input: string][]) => {
      for (const [name, input] of names) {
        await user.click(within(dialog).getByRole('checkbox', { name }));
        if (input) await user.type(within(dialog).getByRole('textbox', { name: `Input ${name}` }), input);
      }
      await user.click(within(dialog).getByRole('button', { name: `Take (${names.length})` }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    const before = await open();
    expect(rows(before)).toEqual(['01: 100', '02: 80']);
    await take(before, ['LOT1 01', ''], ['LOT1 02', '30']);
    expect(within(screen.getByRole('region', { name: 'Input wafers' })).getByText('01, 02')).toBeTruthy();
    const after = await open();
    expect(rows(after)).toEqual(['02: 50']);
    await user.click(within(after).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Remove LOT1');
    expect(rows(await open())).toEqual(['01: 100', '02: 80']);
  });

  it('asks for the engineering code of an engineering lot, which other lots have not [P-FRM-07]', async () => {
    const { press, choose, callsTo } = await opens('icopBumpingCpWorkOrder', bumping);
    await choose(/^Supplier/, 'Supplier One');
    expect(screen.queryByRole('textbox', { name: /Engineering code/ })).toBeNull();
    await choose(/^Lot type/, 'Engineering');
    expect((await screen.findByRole('textbox', { name: /Engineering code/ })).getAttribute('aria-required')).toBe(
      'true',
    );
    await press('Save');
    expect(await screen.findByText('The required fields must not be empty')).toBeTruthy();
    expect(callsTo(create('icopBumpingCpWorkOrder'))).toEqual([]);
  });

  it('of assembly has the wafers and the package of its device', async () => {
    const device = { devicePn: 'D1', waferPn: 'P1', waferMpn: 'M1', deviceErpCode: 'E1', packageType: 'QFN-48' };
    const { choose } = await opens('icopAssemblyWorkOrder', assembly, [device]);
    await choose(/Device PN/, 'D1');
    expect(await screen.findByDisplayValue('QFN-48')).toBeTruthy();
    await waitFor(() => expect(shownIn(screen.getByRole('combobox', { name: /Wafer PN/ }))).toBe('P1'));
  });

  it('of assembly asks for the kind of final test only where it goes on to one [P-FRM-08]', async () => {
    const { choose } = await opens('icopAssemblyWorkOrder', assembly);
    await choose(/^Supplier/, 'Supplier One');
    expect(screen.queryByRole('combobox', { name: /^FT type/ })).toBeNull();
    await choose(/^Process type/, 'Assembly + FT');
    expect(isRequired(await screen.findByRole('combobox', { name: /^FT type/ }))).toBe('true');
  });
});

describe('a final test that is made', () => {
  it('always asks for its kind [P-FRM-09]', async () => {
    await opens('icopFtWorkOrder', ft);
    expect(isRequired(await screen.findByRole('combobox', { name: /^FT type/ }))).toBe('true');
  });

  it('chooses among nine bins [P-FRM-14]', async () => {
    const { user, choose } = await opens('icopFtWorkOrder', ft);
    await choose(/^FT type/, 'FT2');
    await user.click(await screen.findByRole('combobox', { name: /^FT bin/ }));
    const names = (await screen.findAllByRole('option')).map((it) => it.textContent);
    expect(names.filter((it) => it?.startsWith('bin'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((it) => `bin${it}`));
  });

  it('takes lots as a group with its program, which each needs, and numbers the groups [S-FTW-05] [S-FTW-06]', async () => {
    const { user, choose, press, callsTo } = await opens('icopFtWorkOrder', ft);
    await choose(/^FT type/, 'FT2');
    await choose(/^Supplier/, 'Supplier One');
    await choose(/^Device PN/, 'D1');
    await press('Add lots');
    const dialog = await screen.findByRole('dialog');
    await user.click(await within(dialog).findByRole('checkbox', { name: 'LOT1' }));
    await user.click(within(dialog).getByRole('button', { name: 'Take (2)' }));
    expect(await screen.findByText('The required fields must not be empty')).toBeTruthy();
    expect(screen.getByRole('dialog')).toBe(dialog);
    await user.type(within(dialog).getByRole('textbox', { name: /FT program/ }), 'FT2_V1');
    await user.click(within(dialog).getByRole('button', { name: 'Open LOT1' }));
    await user.type(within(dialog).getByRole('textbox', { name: 'Input LOT1 bin1' }), '30');
    await user.click(within(dialog).getByRole('checkbox', { name: 'LOT1 bin3' }));
    await user.click(within(dialog).getByRole('button', { name: 'Take (1)' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Add lots');
    const again = await screen.findByRole('dialog');
    // A bin is in one group: the rest of one that the order has is not offered.
    await user.click(await within(again).findByRole('checkbox', { name: 'LOT1' }));
    await user.type(within(again).getByRole('textbox', { name: /FT program/ }), 'FT2_V2');
    await user.click(within(again).getByRole('button', { name: 'Take (1)' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.type(screen.getByRole('textbox', { name: 'Remark 2' }), 'Again');
    await user.type(screen.getByRole('textbox', { name: 'Origin 2' }), 'Suzhou');
    await press('Save');
    await waitFor(() => expect(callsTo(create('icopFtWorkOrder'))).toHaveLength(1));
    expect(callsTo(create('icopFtWorkOrder'))[0]?.input).toMatchObject({
      ftType: '2',
      ftWorkOrderLineGroupList: [
        { wipId: 'W1', group: 1, bin: '1', ftTestProgram: 'FT2_V1', chipQty: 30 },
        {
          ...{ wipId: 'W1', group: 2, bin: '3', ftTestProgram: 'FT2_V2', chipQty: 20 },
          ...{ originPlace: 'Suzhou', remark: 'Again' },
        },
      ],
    });
  });

  it('narrows its lots by where they were assembled and when they came [S-FTW-03]', async () => {
    const { user, choose, press, callsTo } = await opens('icopFtWorkOrder', ft);
    await choose(/^FT type/, 'FT2');
    await choose(/^Supplier/, 'Supplier One');
    await choose(/^Device PN/, 'D1');
    await press('Add lots');
    const dialog = await screen.findByRole('dialog');
    await user.click(await within(dialog).findByRole('checkbox', { name: 'LOT1' }));
    await choose(/^Assembly site/, 'Shenzhen');
    await user.type(within(dialog).getByRole('textbox', { name: /^Stored from/ }), '2026-11-01');
    await user.type(within(dialog).getByRole('textbox', { name: /^Stored to/ }), '2026-11-30{Tab}');
    await waitFor(() =>
      expect(callsTo('/api/icopFtWorkOrder/getFtLot.json').at(-1)?.input).toMatchObject({
        ...{ supplierId: 'S1', devicePn: 'D1', assySiteId: 'SZ', startDate: '2026-11-01', endDate: '2026-11-30' },
      }),
    );
    // What is no longer seen is not taken.
    expect(within(dialog).getByRole('button', { name: 'Take (0)' })).toBeTruthy();
  });
});
