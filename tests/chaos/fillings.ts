import { createSample } from '#tests/support/hostile.ts';

type Schema = Record<string, unknown> & {
  type?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  maxLength?: number;
  maxItems?: number;
  enum?: unknown[];
};

interface Filling {
  /** The path of what is filled. */
  at: string;
  make: () => unknown;
}

/** Below this a part is as large as any other. */
const LEAST = 2_000;
/** Inner parts stand in so many outer ones. */
const OUTER = 40;

/**
 * Inputs of a schema in each of which one part is as large as `size` lets it be: lists at their limit and beyond, texts, records
 * of many names, trees where anything may stand. Each is an input that the schema takes, but for that part.
 */
export function fillings(schema: object, size: number): Filling[] {
  return filled(schema as Schema, size, {}, 0);
}

function filled(given: Schema, size: number, around: Record<string, Schema>, level: number): Filling[] {
  const known = { ...around, ...(given['$defs'] as Record<string, Schema> | undefined) };
  const reference = given['$ref'];
  const schema = typeof reference === 'string' ? (known[reference.split('/').at(-1) as string] ?? given) : given;
  if (level > 9 || size < LEAST || 'const' in schema || schema.enum) return [];
  if (schema.anyOf) return schema.anyOf.flatMap((it) => filled(it, size, known, level));
  if (schema.type === 'object') return ofObject(schema, size, known, level);
  if (schema.type === 'array') return ofArray(schema, size, known, level);
  if (schema.type === 'string') return ofText(schema, size);
  return schema.type === undefined ? [{ at: '= anything', make: () => treeOf(size) }] : [];
}

function ofObject(schema: Schema, size: number, known: Record<string, Schema>, level: number): Filling[] {
  const least = createSample(schema) as object;
  const [entry] = Object.values(schema.patternProperties ?? {});
  if (entry) {
    const one = createSample(entry);
    const count = Math.min(2000, Math.floor(size / (JSON.stringify(one).length + 10)));
    const inner = filled(entry, size / OUTER, known, level + 1).map(({ at, make }) => ({
      at: `.*${at}`,
      make: () => named(OUTER, make()),
    }));
    const alone = filled(entry, size, known, level + 1).map(({ at, make }) => ({
      at: `.one${at}`,
      make: () => ({ one: make() }),
    }));
    return [{ at: ' = many names', make: () => named(count, one) }, ...inner, ...alone];
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, it]) =>
    filled(it, size, known, level + 1).map(({ at, make }) => ({
      at: `.${name}${at}`,
      make: () => ({ ...least, [name]: make() }),
    })),
  );
}

function ofArray(
  { items = {}, maxItems = Infinity }: Schema,
  size: number,
  known: Record<string, Schema>,
  level: number,
): Filling[] {
  const one = createSample(items);
  const most = Math.floor(size / (JSON.stringify(one).length + 6));
  const atLimit = Math.min(most, maxItems);
  const isLarge = atLimit * JSON.stringify(one).length > LEAST;
  const outer = Math.max(1, Math.min(OUTER, maxItems));
  const inner = filled(items, size / outer, known, level + 1).map(({ at, make }) => ({
    at: `[]${at}`,
    make: () => listed(outer, make()),
  }));
  return [
    ...(isLarge ? [{ at: ` = ${atLimit} of them`, make: () => listed(atLimit, one) }] : []),
    ...(most > atLimit && level < 5 ? [{ at: ' = too many', make: () => listed(most, one) }] : []),
    ...inner,
  ];
}

function ofText({ maxLength = Infinity }: Schema, size: number): Filling[] {
  const length = Math.floor(Math.min(maxLength, size));
  return length < LEAST ? [] : [{ at: ` = ${length} letters`, make: () => 'x'.repeat(length) }];
}

const listed = (count: number, one: unknown): unknown[] => Array.from({ length: count }, (_, n) => varied(one, n));
const named = (count: number, one: unknown): object =>
  Object.fromEntries(listed(count, one).map((it, n) => [`n${n}`, it]));

/** A tree of about so many letters of JSON, as deep and as wide as a body may be. */
export function treeOf(size: number): object {
  const branch = (levels: number): object => (levels === 0 ? [1, 'x', null] : { a: branch(levels - 1) });
  const each = JSON.stringify(branch(12)).length + 8;
  return Object.fromEntries(
    Array.from({ length: Math.min(1900, Math.ceil(size / each)) }, (_, n) => [`n${n}`, branch(12)]),
  );
}

/** The same with other texts and numbers, so that no two rows are the same. */
export function varied(value: unknown, n: number): unknown {
  if (value === 'X') return `X${n}`;
  if (value === 1) return n + 1;
  if (Array.isArray(value)) return value.length > 100 ? value : value.map((it) => varied(it, n));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, varied(it, n)]));
}
