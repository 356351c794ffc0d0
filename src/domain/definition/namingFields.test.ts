import { expect, it } from 'vitest';
import { namingFields } from '#domain/definition/namingFields.ts';
import bomItem from '#definitions/base/ubsBomItem.json' with { type: 'json' };
import ledger from '#definitions/system/sysLedger.json' with { type: 'json' };
import lineOfBill from '#definitions/intake/rmaMaintainBillLine.json' with { type: 'json' };
import lineOfDelivery from '#definitions/storing/rmaDeliverBillLine.json' with { type: 'json' };
import lineOfFt from '#definitions/semiconductor/icopFtWorkOrderLine.json' with { type: 'json' };
import repairBill from '#definitions/workflow/rmaRepairBill.json' with { type: 'json' };
import site from '#definitions/base/ubsSite.json' with { type: 'json' };
import type { Definition } from '#domain/definition/grammar.ts';

// Rule: lists#naming
it.each([
  ['a unique first column', site, ['siteId']],
  ['the first column that leads to the record', repairBill, ['rpbId']],
  ['what no two rows share together', bomItem, ['bomid', 'location']],
  ['an SN, wherever it stands', lineOfDelivery, ['sn']],
  ['the first code instead of a choice', lineOfBill, ['salesCode']],
  ['the first code instead of a count', lineOfFt, ['waferLotId']],
  ['else the first column', ledger, ['createTime']],
])('a row is called by %s', (_, definition, names) => {
  expect(namingFields(definition as unknown as Definition)).toEqual(names);
});
