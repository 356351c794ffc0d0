import { cities, countries, labelRules, repairSuppliers, shipments, sites, states, subinventories } from './sites.ts';
import { bomItems, boms, families, itemRows, models } from './items.ts';
import type { Factory } from './machines.ts';
import type { Rows, TableName, Row } from './rows.ts';

/** Base data that no event changes: sites, addresses and goods. */
export function addBaseData(rows: Rows, at: number): void {
  const all = <T extends TableName>(table: T, of: readonly Row<T>[]) => {
    for (const row of of) rows.add(table, { ...row, createBy: 'admin', createTime: new Date(at) });
  };
  all('ubs_site', sites);
  all('ubs_subinventory', subinventories);
  all('ubs_label_rule', labelRules);
  all('ubs_shipment', shipments);
  all('rma_repair_supplier', repairSuppliers);
  all('ubs_country', countries);
  all('ubs_state', states);
  all('ubs_city', cities);
  all(
    'ubs_model_family',
    families.map((family) => ({ family })),
  );
  all('ubs_item', itemRows);
  all('ubs_bom', boms);
  all('ubs_bom_item', bomItems);
}

const FREE_A_MODEL = 34;
/** They were sold before a fixed day, so that their SNs are the same on every machine and every day. */
const SOLD = Date.UTC(2026, 10, 1);

/** Machines of ours that are out with their customers: what comes in next. */
export function addFreeMachines(factory: Factory): void {
  for (const model of models) {
    for (let i = 0; i < FREE_A_MODEL; i++) factory.device(model, null, SOLD);
  }
}
