import { exactNumber, exactText } from '#domain/exact.ts';
import { byOwnNames } from '#domain/inputNames.ts';
import { separatorIn } from '#domain/signs.ts';
import { AS_IT_IS, cleanOf, WRITTEN_AS } from '#domain/written.ts';
import type { Problem } from '#domain/refusal.ts';

export interface Schema {
  [keyword: string]: unknown;
  type?: string;
  [WRITTEN_AS]?: string;
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  maxItems?: number;
  anyOf?: Schema[];
}

/** The names that rows of a module have in its list; undefined where there is no such module. */
export type RowNames = (module: string) => ReadonlySet<string> | undefined;

/** Whose whole rows the objects that are read now may be. */
interface Rows {
  names: RowNames;
  /** The module of the call. */
  module: string;
  own?: ReadonlySet<string> | undefined;
}

/**
 * An input as its schema has it, read without loss; what can't be read so stays as it is, for the schema to refuse.
 * A code or text takes a whole number as its digits (0 is `0`), a number takes its digits as a text; true and false are
 * neither. An empty text is nothing where nothing may be said; null, where it may not be said, is the same as left out. A text
 * is without what nobody sees in it, unless its schema says that it is taken as it is.
 * Names are those of `byOwnNames`; the rows of a list `{module}List`, those of a list that is the body itself, and a body
 * that names a row by its id may be whole rows.
 */
export function readInput(schema: Schema, input: unknown, path: string, names: RowNames): unknown {
  const module = moduleOf(path);
  const isOfRows = Array.isArray(input) || (schema.properties !== undefined && Object.hasOwn(schema.properties, 'id'));
  return read(schema, input, { names, module, own: isOfRows ? names(module) : undefined });
}

function read(schema: Schema, sent: unknown, rows: Rows): unknown {
  const branches = branchesOf(schema);
  const text = typeof sent === 'string' && branches.find((it) => it.type === 'string');
  const value = text ? cleanOf(text)(String(sent)) : sent;
  if (value === '' && branches.some(takesNull)) return null;
  const own = branches.find((it) => isOf(it, value));
  if (!own) return branches.map((it) => converted(it, value)).find((it) => it !== null) ?? value;
  if (Array.isArray(value)) return value.slice(0, mostOf(branches)).map((it) => read(own.items ?? {}, it, rows));
  if (own.type === 'object') return readObject(own, value as Record<string, unknown>, rows);
  return typeof value === 'number' ? value + 0 : value;
}

/** Of a list that is too long no more is read than shows it: it is refused whatever else it holds. */
const mostOf = (branches: readonly Schema[]): number =>
  1 + Math.max(...branches.filter((it) => it.type === 'array').map((it) => it.maxItems ?? Infinity));

function readObject({ properties }: Schema, sent: Record<string, unknown>, rows: Rows): unknown {
  if (!properties) return sent;
  const isOwn = (name: string) => Object.hasOwn(properties, name);
  const values: [string, unknown][] = [];
  for (const [name, value] of Object.entries(byOwnNames(sent, isOwn, (it) => rows.own?.has(it) ?? false))) {
    const schema = isOwn(name) ? (properties[name] as Schema) : {};
    if (value === null && !branchesOf(schema).some((it) => takesNull(it) || isAnything(it))) continue;
    values.push([name, read(schema, value, { ...rows, own: rowsOf(name, rows) })]);
  }
  return Object.fromEntries(values);
}

/** What is wrong with a text that was read: a label's separator between two signs of it. An SN's are read with it. Rule: wire#texts. */
export function separatorsIn(schema: Schema, value: unknown, module: string, at: readonly string[] = []): Problem[] {
  const branches = branchesOf(schema);
  const inside = (it: Schema | undefined, of: unknown, name: string | number) =>
    it ? separatorsIn(it, of, module, [...at, String(name)]) : [];
  if (Array.isArray(value)) {
    const { items } = branches.find((it) => it.items) ?? {};
    return value.flatMap((it, i) => inside(items, it, i));
  }
  if (typeof value === 'object' && value !== null) {
    const { properties = {} } = branches.find((it) => it.properties) ?? {};
    return Object.entries(value).flatMap(([name, it]) => inside(properties[name], it, name));
  }
  const text = branches.find((it) => it.type === 'string');
  if (typeof value !== 'string' || !text || ['sn', AS_IT_IS].includes(text[WRITTEN_AS] ?? '')) return [];
  const sign = separatorIn(value);
  const field = at.join('.');
  return sign ? [{ key: 'hiddenSign', field, args: { field: { module, field }, sign } }] : [];
}

/** The module of a call's path. */
export const moduleOf = (path: string): string => /^\/api\/(\w+)\//.exec(path)?.[1] ?? '';

/** The rows of `rmaMaintainBillLineItemList` are those of that module. */
const rowsOf = (name: string, { names, module }: Rows) =>
  name === 'list' ? names(module) : /List$/.test(name) ? names(name.slice(0, -'List'.length)) : undefined;

const branchesOf = (schema: Schema): Schema[] => schema.anyOf?.flatMap(branchesOf) ?? [schema];
const takesNull = (it: Schema): boolean => it.type === 'null';
const isAnything = (it: Schema): boolean => it.type === undefined && !('const' in it);

function isOf(schema: Schema, value: unknown): boolean {
  switch (schema.type) {
    case undefined:
      return isAnything(schema);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
    case 'number':
      return typeof value === 'number';
    default:
      return typeof value === schema.type;
  }
}

/** The value as the schema has it, if it plainly says the same; else null. */
function converted({ type }: Schema, value: unknown): unknown {
  if (type === 'string' && typeof value === 'number') return exactText(value);
  if ((type === 'integer' || type === 'number') && typeof value === 'string') return exactNumber(value);
  // A form and a query have no other way to say it.
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return null;
}
