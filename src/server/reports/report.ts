import type { RawBuilder } from 'kysely';
import type { Kind, ReportType } from '#domain/reports.ts';
import type { Language, Words } from '#domain/words.ts';

/** What a report is made with, when its input was checked: whole days become moments, sites are those the user may see. */
export interface Params {
  startDate: string;
  endDate: string;
  /** The first moment that counts, and the first that no longer does. */
  from: Date;
  until: Date;
  sites: 'all' | readonly string[];
  lang: Language;
  timeZone: string;
  reportType: ReportType;
  salesCodeDesc: string;
  mtbId: string;
  btmMtbId: string;
  btmUserId: string;
}

export type ColumnKind = 'text' | 'moment' | 'day' | 'integer' | 'decimal' | 'percent' | 'option';

export interface Column {
  key: string;
  label: Words;
  kind: ColumnKind;
  /** A named list of `definitions/options.json`, whose labels are written instead of the values. */
  options?: string;
  /** Another column of the row, not shown, that names the list instead. */
  optionsIn?: string;
}

export type Row = Record<string, unknown>;

/** One report: its columns in their order, and the query that gives its rows by the same keys. */
export interface Report {
  kind: Kind;
  columns: readonly Column[] | ((params: Params) => readonly Column[]);
  rows: (params: Params) => RawBuilder<Row>;
  /** Rows below the last one, such as a rate over all of them. */
  footer?: (params: Params) => RawBuilder<Row>;
}

const column =
  (kind: ColumnKind) =>
  (key: string, zh: string, en: string): Column => ({ key, kind, label: { zh, en } });

export const text = column('text');
export const moment = column('moment');
export const day = column('day');
/** A whole number. */
export const count = column('integer');
/** A number with one decimal: days and hours. */
export const decimal = column('decimal');
/** A share, kept as 0…1. */
export const percent = column('percent');
export const option = (key: string, zh: string, en: string, options: string): Column => ({
  ...column('option')(key, zh, en),
  options,
});

export const columnsOf = ({ columns }: Report, params: Params): readonly Column[] =>
  typeof columns === 'function' ? columns(params) : columns;

/** What a report says first of a maintain bill. */
export const billColumns: readonly Column[] = [
  text('site', '站点', 'Site'),
  text('mtbId', '维修工单号', 'Maintain bill'),
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
  text('sn', 'SN', 'SN'),
  option('warranty', '保修', 'Warranty', 'warranty'),
];
