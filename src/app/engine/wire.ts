import type { Expression } from '#domain/definition/expression.ts';
import type { RuledField } from '#domain/definition/fieldRules.ts';
import type { Field, FieldType, Tone } from '#domain/definition/grammar.ts';
import type { Total } from '#domain/money.ts';

/** What the engine's calls answer, as a list, a form and a detail need it. Rule: lists#generic-calls. */
export interface WireOption {
  value: string;
  optionName: string;
  /** What it means to its reader, in colour. */
  tone?: Tone;
  /** What the field that `within` names has to hold for it to be offered. */
  within?: string | null;
  /** Of a role: which one it is. */
  id?: number;
}

type FieldFormat = NonNullable<Field['format']>;

export interface SearchItem {
  /** The label. */
  name: string;
  queryName: string;
  type: FieldType;
  options?: WireOption[];
  /** There are more choices than these: the rest is found by a search. */
  more?: boolean;
}

export interface Column {
  name: string;
  label: string;
  type: FieldType;
  format?: FieldFormat;
  /** Of a list: how one of its entries reads. */
  each?: string;
  /** A number of some unit: no amount of money. */
  isMeasured?: boolean;
  options?: WireOption[];
  align?: 'left' | 'right' | 'center';
  /** In the nested search: the relations that make sense, and whether there are more choices than these. */
  relations?: string[];
  more?: boolean;
  /** The column that stands in small under it, unless it is shown by itself. */
  under?: string;
  /** One of the others: at first not shown. */
  isOther?: boolean;
}

/** field → value → label, for selects whose values are rows of another module. */
export type Labels = Record<string, Record<string, string>>;
export type Row = { id: number } & Record<string, unknown>;

export interface Pager {
  title: Record<string, string>;
  items: Row[];
  itemTotal: number;
  tableName: string;
  columns?: Column[];
  /** What a row is called by. */
  named?: Column[];
  labels?: Labels;
  /** The first column opens the detail. */
  link?: boolean;
  maxHeight?: number;
  /** So many rows are counted and leafed through at most, and the list stands in its own order alone. */
  most?: number;
  /** A select whose values are tabs above the rows. */
  tabs?: string;
  /** Sets of columns that are shown together. */
  groups?: ColumnGroup[];
  /** Sums over everything that matches, by column. */
  totals?: Record<string, Total>;
}

export interface ColumnGroup {
  label: string;
  columns: string[];
}

export interface ToolbarButton {
  id: number | string;
  btnNo: string;
  btnName: string;
  btnScript: string;
  rows?: 1 | 'many';
  when?: Record<string, string | string[]>;
  tone?: 'primary' | 'plain' | 'danger';
  /** It takes all rows that match, too. */
  all?: boolean;
  /** Its call may be made for many rows at once. */
  bulk?: boolean;
}

export interface FormField extends RuledField {
  name: string;
  queryName: string;
  value?: string | number | null;
  /** A number of some unit: no amount of money. */
  isMeasured?: boolean;
  /** What it is computed as while somebody types. */
  computed?: Expression;
  options?: WireOption[];
  /** The field of this form that says which of them are offered. */
  within?: string;
  /** There are more choices than these: the rest is found by a search. */
  more?: boolean;
}

/** Choices that a search has found. */
export interface FoundChoices {
  options: WireOption[];
  more?: boolean;
}

export interface FormAnswer {
  items: FormField[];
  /** Fields of one array stand side by side. */
  rows?: string[][];
  item?: Row;
}

export interface SearchMetadata {
  title: Record<string, string>;
  relations: Record<string, string>;
  columns?: Column[];
}

export interface LinesView {
  label: string;
  columns: Column[];
  labels?: Labels;
  /** How many there are, and by which field they are the bill's, where only the first ones came. */
  total?: number;
  by?: string;
  /** Each row stands under the row of this list with which it shares the field. */
  under?: { name: string; by: string };
}

interface DetailView {
  module: string;
  label: string;
  fields: Column[];
  /** What the record is called by, where it takes several facts; left out, its first one. */
  named?: Column[];
  lines?: Record<string, LinesView>;
  labels?: Labels;
  maxHeight?: number;
}
export type Detail = Row & { view: DetailView };

export type Connector = 'AND' | 'OR';
export interface SearchRule {
  connector: Connector;
  column: string;
  relation: string;
  value: string;
}
export interface SearchGroup {
  connector: Connector;
  rules: SearchRule[];
  groups: SearchGroup[];
}
