import type { Row } from '#app/engine/wire.ts';

/** A call for one row of a list: how it is made, and what the row must say for it. Rule: lists#row-actions. */
interface RowScript {
  method: 'GET' | 'POST';
  /** Fields without which nothing is sent. */
  needs?: (module: string) => readonly string[];
  /** What is sent; left out, the row's id. */
  inputOf?: (module: string, row: Row) => Record<string, unknown>;
  danger?: boolean;
  /** It decides about the row as it was seen. Rule: writing#what-was-seen. */
  decides?: true;
}

/** The line list is synchronised by line, every other one by bill. Rule: lists#row-actions. */
const syncKey = (module: string): string => (module === 'rmaMaintainBillLine' ? 'mtblId' : 'mtbId');

/** By its number, which is all that the page of an SN knows of it; by its row where a list does not show the number. */
const transferOf = (row: Row): string => String(row['sktbId'] ?? row.id);

/** The row actions that only ask and then call; each has its sentence in `shell.rowAction`. Rule: lists#row-actions. */
export const rowScripts: Record<string, RowScript> = {
  stopStockupBill: { method: 'GET', decides: true },
  resetStockupBill: { method: 'GET', decides: true },
  finishBill: { method: 'GET', decides: true },
  cancelStockupBill: { method: 'GET', decides: true, danger: true },
  exchangeReceive: { method: 'GET' },
  cancelTransfer: { method: 'POST', decides: true, inputOf: (_, row) => ({ id: transferOf(row) }) },
  cancelScrapRepair: {
    method: 'POST',
    decides: true,
    inputOf: (_, row) => ({ id: String(row['srbId'] ?? row.id) }),
    danger: true,
  },
  returnTransfer: { method: 'POST', decides: true, inputOf: (_, row) => ({ id: transferOf(row) }) },
  syncCode: { method: 'GET', needs: () => ['salesCode'] },
  syncToWeb: {
    method: 'POST',
    needs: (module) => [syncKey(module)],
    inputOf: (module, row) => ({ [syncKey(module)]: row[syncKey(module)] }),
  },
  syncSn: { method: 'POST', needs: () => ['receiveSn'], inputOf: (_, row) => ({ sn: row['receiveSn'] }) },
  sendSwitch: { method: 'GET', decides: true },
  done: { method: 'GET', decides: true },
  revokeToken: { method: 'POST' },
  makeWorkbook: { method: 'POST' },
};

/** By which of its numbers people know a row. */
const names = [
  'skbId',
  'sktbId',
  'srbId',
  'rvbId',
  'rfbId',
  'sn',
  'receiveSn',
  'mtblId',
  'mtbId',
  'wipId',
  'workOrderNo',
  'salesCode',
];

export const nameOfRow = (row: Row): string =>
  String(names.map((it) => row[it]).find((it) => it !== undefined && it !== null && it !== '') ?? row.id);

export const isMissing = (row: Row, fields: readonly string[]): boolean =>
  fields.some((it) => row[it] === undefined || row[it] === null || String(row[it]).trim() === '');
