import { expect, it } from 'vitest';
import { pageScripts } from '#features/scripts.ts';
import { readModel } from '#server/definitions/read.ts';
import { registers } from '#tests/support/features.ts';

const { definitions, roles } = readModel(registers);
const detailOf = (module: string) => definitions.get(module)?.detail ?? [];
const linesOf = (module: string) =>
  (definitions.get(module)?.lines ?? []).flatMap((it) => definitions.get(it.module)?.list?.columns ?? []);

const rightsOf = (role: string, module: string) => roles.find((it) => it.roleId === role)?.rights[module] ?? [];

const stations: Record<string, string> = {
  rmaArrivalBill: 'signFor',
  rmaReceiveBill: 'receive',
  rmaCheckBill: 'check',
  rmaRepairBill: 'repair',
  rmaAssembleBill: 'assemble',
  rmaBurninBill: 'burnin',
  rmaExamineBill: 'examine',
  rmaStoreBill: 'store',
  rmaDeliverBill: 'deliver',
};
it.each(Object.entries(stations))(
  '%s has a submit page and a detail that edits nothing [W-COM-03]',
  (module, script) => {
    const definition = definitions.get(module);
    expect(definition?.buttons?.map((it) => it.script)).toContain(script);
    expect(definition?.buttons?.map((it) => it.script)).not.toContain('modify');
    expect(definition?.form).toBeUndefined();
    expect(definition?.detail?.length).toBeGreaterThan(2);
  },
);

/** The screens of the workflow, and the role whose work each is. Rule: screens#workflow-screens. */
const screens: [screen: string, page: string, role: string][] = [
  ['sign-for', 'rmaArrivalBill:signFor', 'warehouse'],
  ['receipt', 'rmaReceiveBill:receive', 'warehouse'],
  ['check', 'rmaCheckBill:check', 'tech'],
  ['scrap confirmation', 'rmaScrapConfirm:scrapConfirm', 'supervisor'],
  ['no-fault confirmation', 'rmaNofaultConfirm:nofaultConfirm', 'supervisor'],
  ['repair', 'rmaRepairBill:repair', 'tech'],
  ['assembly', 'rmaAssembleBill:assemble', 'tech'],
  ['aging test', 'rmaBurninBill:burnin', 'tech'],
  ['QC test', 'rmaExamineBill:examine', 'tech'],
  ['store', 'rmaStoreBill:store', 'warehouse'],
  ['deliver', 'rmaDeliverBill:deliver', 'warehouse'],
  ['self-pickup review', 'rmaSelfPickup:selfPickupReview', 'aftersales'],
];
it.each(screens)('%s is a page of the workshop, opened by a button that its worker has [W-COM-01]', (_, page, role) => {
  const [module = '', btnNo = ''] = page.split(':');
  expect(pageScripts).toContain(page);
  expect(definitions.get(module)?.buttons?.find((it) => it.script === btnNo)).toMatchObject({ btnNo });
  expect(rightsOf(role, module)).toEqual(expect.arrayContaining(['list', btnNo]));
});

it('a maintain bill’s detail, with the actions on its lines, opens from its list [W-COM-01]', () => {
  expect(pageScripts).toContain('rmaMaintainBill:detail');
  expect(definitions.get('rmaMaintainBill')?.list?.link).toBe(true);
  for (const role of ['office', 'aftersales']) expect(rightsOf(role, 'rmaMaintainBill')).toContain('list');
});

it('the detail of a receipt shows its bills, when, by whom, and under each line its SNs [W-RCV-03]', () => {
  expect(detailOf('rmaReceiveBill')).toEqual(expect.arrayContaining(['rvbId', 'mtbId', 'billTime', 'userId']));
  const [lines, sns] = definitions.get('rmaReceiveBill')?.lines ?? [];
  expect(lines).toMatchObject({ name: 'rmaReceiveBillLineList', module: 'rmaReceiveBillLine' });
  expect(sns).toMatchObject({ module: 'rmaReceiveBillLineItem', under: { name: lines?.name, by: 'mtblId' } });
  expect(linesOf('rmaReceiveBill')).toEqual(expect.arrayContaining(['salesCode', 'receiveCount', 'receiveSn']));
});

it('the detail of a delivery shows its stock-up, courier, account and what it holds, and edits nothing [S-DLV-01]', () => {
  expect(detailOf('rmaDeliverBill')).toEqual(
    expect.arrayContaining(['dvbId', 'skbId', 'deliverShipId', 'userId', 'signForTime']),
  );
  expect(linesOf('rmaDeliverBill')).toEqual(expect.arrayContaining(['salesCode', 'name']));
  expect(definitions.get('rmaDeliverBill')?.list?.link).toBe(true);
  expect(definitions.get('rmaDeliverBill')?.form).toBeUndefined();
});

it('the detail of a repair, an assembly and a storing shows what belongs to it [W-REP-02] [W-ASM-04] [W-STO-01]', () => {
  const repaired = [
    'partsType',
    'sn',
    'icdIds',
    'icdDescriptions',
    'slot',
    'repairMethod',
    'repairMarking',
    'spendCount',
  ];
  expect(linesOf('rmaRepairBill')).toEqual([...repaired, 'repairUrls']);
  expect(detailOf('rmaAssembleBill')).toEqual(expect.arrayContaining(['asbId', 'createTime', 'userId', 'sn']));
  expect(linesOf('rmaAssembleBill')).toEqual(expect.arrayContaining(['sn', 'salesCode', 'salesDescription']));
  expect(detailOf('rmaStoreBill')).toEqual(expect.arrayContaining(['stbId', 'createTime', 'userId']));
  expect(linesOf('rmaStoreBill')).toEqual(expect.arrayContaining(['sn', 'salesCode', 'name', 'icdId']));
});
