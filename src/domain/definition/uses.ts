import { indexesOf, indexOn, named, sqlTypes, type Index } from '#domain/definition/columns.ts';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { referencesOf } from '#domain/definition/references.ts';
import { ISSUE_CODE_MODULE } from '#domain/issueCode.ts';
import type { Words } from '#domain/words.ts';

/** A column whose values name rows of a module: while one does, the row is in use. Rule: definitions#in-use. */
export interface Use {
  /** Whose rows name them. */
  module: string;
  table: string;
  column: string;
  to: { module: string; table: string; column: string; /** As the database calls it. */ type: string };
  /** What stands between several names in one text. */
  separator?: string;
  /** Another column of both, which has to be the same: a warehouse is named within its site. */
  within?: string;
  /** Whether a foreign key holds it; otherwise a trigger does (`hold_named`). */
  isHeld: boolean;
  /** A view: it names what its tables name. */
  isView: boolean;
}

/** Where a row is named, beside the modules: what the platform keeps of a site. */
export const platformUses: readonly (Pick<Use, 'table' | 'column'> & { to: string; label: Words })[] = [
  { table: 'file', column: 'siteId', to: 'ubsSite', label: { zh: '文件', en: 'Files' } },
];

/** Options whose values are rows as well: a module, named by its `value`. */
const enumerations: Readonly<Record<string, string>> = {
  depreciation: 'rmaEnumDepreciation',
  repairMethods: 'rmaEnumRepairMethod',
  partsTypes: 'ubsEnumPartsType',
  componentTypes: 'ubsEnumComponentType',
};

/** How a field of a format names rows. */
const formats: { readonly [Format in NonNullable<Field['format']>]?: Named } = {
  roles: { module: 'adminRole', column: 'roleId', separator: '|' },
  issueCodes: { module: ISSUE_CODE_MODULE, column: 'code', separator: ',' },
};

type Named = { module: string; column: string } & Pick<Use, 'separator' | 'within'>;
const item: Named = { module: 'ubsItem', column: 'salesCode' };

/** What these fields mean that are no choice from another module's rows. */
const byName: Readonly<Record<string, Readonly<Record<string, Named>>>> = {
  ubsBom: { salesCode: item },
  ubsItem: { bomId: { module: 'ubsBom', column: 'bomid' } },
  ubsItemObject: {
    salesCode: item,
    itemId: { module: 'ubsItem', column: 'itemId' },
    productOrder: { module: 'ubsProductOrder', column: 'orderNo' },
  },
  ubsAssembly: { salesCode: item },
  rmaMaintainBillLine: { salesCode: item },
  rmaInventory: {
    salesCode: item,
    subinventoryCode: { module: 'ubsSubinventory', column: 'subinventoryCode', within: 'siteId' },
  },
  rmaUnhandledPackageBill: { stateCode: { module: 'ubsState', column: 'stateId' } },
  rmaRepairFeeBillLine: { prbId: { module: 'rmaPriceBill', column: 'prbId' } },
};

/**
 * Fields that are called as a key of another module and hold none of its rows: what a line carries of its unit or of the head
 * of its bill is held there, and some are called alike by chance.
 */
export const carried: Readonly<Record<string, readonly string[]>> = {
  'ubsItem.salesCode': [
    ...['rmaMiscellaneousExpensesBill.salesCode', 'rmaRepairFeeBillLine.salesCode', 'rmaReceiveBillLine.salesCode'],
    ...['rmaMaintainBillLineItem.deliverSalesCode', 'ubsSnChangeLog.salesCode', 'rmaScrapRepairBillLine.salesCode'],
    ...['rmaDefectiveProductRepairBillLine.salesCode', 'rmaSiteRepairBillLine.salesCode'],
    ...['rmaStockTransferBillLine.salesCode', 'rmaDeliverBillLine.salesCode', 'rmaDeliverBillLine.deliverSalesCode'],
    ...['rmaDeliverBillLine.promisedSalesCode', 'rmaStockupBillLine.salesCode', 'rmaStoreBillLine.salesCode'],
    ...['rmaAssembleBillLine.salesCode', 'rmaBurninBillLine.salesCode', 'rmaCheckBillLine.salesCode'],
    'rmaExamineBillLine.salesCode',
  ],
  'ubsItem.itemId': ['rmaDeliverBillLine.deliverItemId', 'rmaStockupBillLine.itemId'],
  'icopPartNumberLine.devicePn': [
    ...['icopAssemblyWorkOrderLine.devicePn', 'icopFtWorkOrderLine.devicePn', 'icopWip.devicePn'],
  ],
  'icopPartNumber.waferPn': [
    ...['icopAssemblyWorkOrderLine.waferPn', 'icopBumpingCpWorkOrderLine.waferPn', 'icopWaferWorkOrderLine.waferPn'],
    'icopWip.waferPn',
  ],
  'icopSupplier.supplierId': ['icopWip.supplierId'],
  'ubsSite.siteId': ['icopWip.siteId'],
  'adminUser.userId': [
    ...['rmaMaintainBill.btmUserId', 'rmaSelfPickup.btmUserId', 'rmaReportDownload.userId', 'sysLedger.userId'],
  ],
  'ubsProductOrder.orderNo': ['sysMenu.orderNo'],
  'rmaRepairSupplier.supplierName': ['icopSupplier.supplierName'],
};

/**
 * Every column that names rows of a module: what refers by `ref`, also where it may dangle, lines by the number of their
 * bill, enumerations, lists of roles and issue codes, what is named by its code alone, and through which rows that may go others
 * are seen.
 */
export function usesOf(all: ReadonlyMap<string, Definition>): readonly Use[] {
  const known = cached.get(all);
  if (known) return known;
  const held = new Set(referencesOf(all.values()).references.map((it) => it.name));
  const uses = new Map<string, Use>();
  const add = (from: Definition, column: string, { module, column: key, ...how }: Named) => {
    const to = all.get(module);
    const type = to?.fields[key]?.type;
    if (!to || to.rowsOf || to.viewOf || from.rowsOf || type === undefined) return;
    const isView = from.viewOf !== undefined;
    const isHeld = !isView && held.has(named(from.table, [column], 'fkey'));
    const use: Use = {
      ...{
        module: from.module,
        table: from.table,
        column,
        to: { module, table: to.table, column: key, type: sqlTypes[type] },
      },
      ...how,
      isHeld,
      isView,
    };
    uses.set(`${from.table} ${column}`, use);
  };
  for (const definition of all.values()) {
    for (const [name, field] of Object.entries(definition.fields)) {
      const how = namedBy(definition, name, field);
      if (how) add(definition, name, how);
    }
    for (const { module, by, related } of definition.lines ?? []) {
      const lines = all.get(module);
      if (lines && !related && !uses.has(`${lines.table} ${by}`))
        add(lines, by, { module: definition.module, column: by });
    }
  }
  for (const definition of all.values()) {
    for (const { by, through, as = by } of seenThrough(definition)) {
      const parent = all.get(through);
      if (parent?.writes && !uses.has(`${definition.table} ${by}`))
        add(definition, by, { module: through, column: as });
    }
  }
  const found = [...uses.values()];
  cached.set(all, found);
  return found;
}
const cached = new WeakMap<ReadonlyMap<string, Definition>, readonly Use[]>();

/**
 * Through which rows its own, or their values, are seen: whoever made one anew under the name of one that went would see what
 * was the other's. Rule: definitions#in-use.
 */
function seenThrough({ site, fields }: Definition): { through: string; by: string; as?: string }[] {
  const ofRows = typeof site === 'object' && 'through' in site ? [site] : [];
  return [...ofRows, ...Object.values(fields).flatMap((it) => it.site ?? [])];
}

function namedBy({ module }: Definition, name: string, { ref, options, format }: Field): Named | undefined {
  if (ref) return { module: ref.module, column: ref.value };
  const list = options === undefined ? undefined : enumerations[options];
  if (list !== undefined) return { module: list, column: 'value' };
  return (format && formats[format]) ?? byName[module]?.[name];
}

/** How a column of several names is split, for an index and whoever asks it. */
export const splitSql = (column: string, separator: string): string =>
  `string_to_array(${column}, '${separator.replaceAll("'", "''")}')`;

/**
 * The indexes by which what uses a row is found in a table, where its definition asks for none that begins so: a row that is
 * deleted is looked for in each table that names it.
 */
export function useIndexesOf(definition: Definition, uses: readonly Use[]): Index[] {
  const led = indexesOf(definition).map((it) => it.columns);
  const isServed = ({ column, within }: Use) =>
    led.some((it) => it[0] === column && (within === undefined || it[1] === within));
  return uses
    .filter((it) => it.table === definition.table && !it.isView && (it.separator !== undefined || !isServed(it)))
    .map(({ table, column, within, separator }) => {
      if (separator === undefined) return indexOn(table, [column, ...(within === undefined ? [] : [within])], false);
      return {
        ...{ name: named(table, [column], 'names'), columns: [column], included: [], unique: false },
        split: separator,
      };
    });
}
