import { sql, type RawBuilder } from 'kysely';
import type { Kind, ReportType } from '#domain/reports.ts';
import type { Language, Words } from '#domain/words.ts';
import type { Drill } from '#domain/wire.ts';

/** What a report is made with, when its input was checked: whole days become moments, sites are those the user may see. */
export interface Params {
  startDate: string;
  endDate: string;
  /** The first moment that counts, and the first that no longer does. */
  from: Date;
  until: Date;
  /** Steps count as they stood at this moment; left out, as they stand now. Rule: reports#as-of. */
  asOf: Date | null;
  sites: 'all' | readonly string[];
  lang: Language;
  timeZone: string;
  reportType: ReportType;
  salesCodeDesc: string;
  mtbId: string;
  btmMtbId: string;
  btmUserId: string;
}

/** An SN and a bill's number are text in a file; on a page each opens what it names. */
export type ColumnKind =
  | 'text'
  | 'sn'
  | 'bill'
  | 'moment'
  | 'day'
  | 'integer'
  | 'decimal'
  | 'money'
  | 'percent'
  | 'option';

export interface Column {
  key: string;
  label: Words;
  kind: ColumnKind;
  /** A named list of `definitions/options.json`, whose labels are written instead of the values. */
  options?: string;
  /** Another column of the row, not shown, that names the list instead. */
  optionsIn?: string;
  /** Of a bill's number: whose. */
  module?: string;
}

export type Row = Record<string, unknown>;

/** One report: its columns in their order, and the query that gives its rows by the same keys. */
export interface Report {
  kind: Kind;
  columns: readonly Column[] | ((params: Params) => readonly Column[]);
  /** It ends with its order, so that whoever wants the first rows alone adds how many. */
  rows: (params: Params) => RawBuilder<Row>;
  /** Rows below the last one, such as a rate over all of them. */
  footer?: (params: Params) => RawBuilder<Row>;
  /** Of a report of figures: the number that is drawn, one bar a row, and the columns by which its rows are told apart. */
  chart?: Chart;
  /** Of a report of figures: which units are behind them. */
  drill?: Drills;
}

interface Chart {
  by: readonly string[];
  of: string;
}

/** The figures whose units a list shows, all of them and no others. Rule: reports#drill. */
interface Drills {
  /** What the query gives besides the columns: it is not shown, and says which rows a figure counts. */
  keys: readonly string[];
  of: Readonly<Record<string, (row: Row, params: Params) => Drill | null>>;
}

const column =
  (kind: ColumnKind) =>
  (key: string, zh: string, en: string): Column => ({ key, kind, label: { zh, en } });

export const text = column('text');
export const sn = column('sn');
/** A bill's number, which opens the bill. */
export const bill = (key: string, zh: string, en: string, module: string): Column => ({
  ...column('bill')(key, zh, en),
  module,
});
export const moment = column('moment');
export const day = column('day');
/** A whole number. */
export const count = column('integer');
/** A number with one decimal: days and hours. */
export const decimal = column('decimal');
/** An amount in the currency of its row. */
export const money = column('money');
/** A share, kept as 0…1. */
export const percent = column('percent');
export const option = (key: string, zh: string, en: string, options: string): Column => ({
  ...column('option')(key, zh, en),
  options,
});

export const columnsOf = ({ columns }: Report, params: Params): readonly Column[] =>
  typeof columns === 'function' ? columns(params) : columns;

/** The moment as of which steps were counted, so that a kept file says how to ask for it again. Rule: reports#as-of. */
export const asOfColumn = moment('asOf', '截至', 'As of');
export const asOfValue = ({ asOf }: Pick<Params, 'asOf'>): RawBuilder<Date> =>
  sql`coalesce(${asOf}::timestamptz, now()) AS "asOf"`;

export const maintainBill = bill('mtbId', '维修工单号', 'Maintain bill', 'rmaMaintainBill');

/** What a report says first of a maintain bill. */
export const billColumns: readonly Column[] = [
  text('site', '站点', 'Site'),
  maintainBill,
  text('btmMtbId', '官网工单号', 'Website work order'),
  text('receiveShipNo', '收货物流单号', 'Inbound waybill'),
  text('btmUserId', '客户账号', 'Customer account'),
  text('userName', '客户姓名', 'Customer'),
];

/** What almost every report says first of a unit. Rule: reports#common-columns. */
export const commonColumns: readonly Column[] = [
  ...billColumns,
  text('salesCode', '销售编码', 'Sales code'),
  text('productName', '产品名称', 'Product'),
  sn('sn', 'SN', 'SN'),
  option('warranty', '保修', 'Warranty', 'warranty'),
];
