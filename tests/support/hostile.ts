type Schema = Record<string, unknown> & {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  minItems?: number;
};

export interface Violation {
  what: string;
  input: unknown;
  code: '100001' | '100015';
  field: string;
}

export const UNKNOWN = 'nobodyKnows';

/**
 * An input that the schema accepts: what it requires and what `named` gives by the name of a field; with `full`
 * everything that it knows.
 */
export function sampleOf(schema: object, named: Record<string, unknown> = {}, full = false, name = ''): unknown {
  const it = schema as Schema;
  if (Object.hasOwn(named, name)) return named[name];
  if (it.anyOf) return sampleOf(wantedOf(it), named, full, name);
  if ('const' in it) return it['const'];
  switch (it.type) {
    case 'object': {
      const names = Object.keys(it.properties ?? {}).filter(
        (key) => full || isNeeded(it, key) || Object.hasOwn(named, key),
      );
      return Object.fromEntries(names.map((key) => [key, sampleOf(it.properties?.[key] ?? {}, named, full, key)]));
    }
    case 'array':
      return [sampleOf(it.items ?? {}, named, full)];
    case 'integer':
    case 'number':
      return Math.max(it.minimum ?? 1, 1);
    case 'boolean':
      return true;
    default:
      return 'X';
  }
}

/** Every way to break the schema in one place: left out, of another type, too long, unknown. */
export function violationsOf(schema: object, isQuery = false): Violation[] {
  const whole = sampleOf(schema, {}, true);
  return walk(schema as Schema, [], (path, value) => replaced(whole, path, value), isQuery);
}

type Put = (path: readonly string[], value: unknown) => unknown;

function walk(schema: Schema, path: readonly string[], put: Put, isQuery: boolean): Violation[] {
  if (schema.anyOf) return ofType(wantedOf(schema), path, put, isQuery, branchesOf(schema));
  return ofType(schema, path, put, isQuery, [schema]);
}

function ofType(schema: Schema, path: readonly string[], put: Put, isQuery: boolean, allowed: Schema[]): Violation[] {
  const at = (what: string, value: unknown, inside: readonly string[] = path): Violation => ({
    what: `${inside.join('.') || 'the input'} ${what}`,
    input: put(inside, value),
    code: '100015',
    field: inside.join('.'),
  });
  const wrong: Violation[] =
    path.length === 0 ? [] : wrongTypes(allowed, isQuery).map((it) => at('of another type', it));
  if (schema.type === 'object') return [...wrong, ...ofObject(schema, path, put, isQuery)];
  if (schema.type === 'array') {
    const items = schema.items ?? {};
    const many = schema.maxItems !== undefined && schema.maxItems <= 500;
    const tooMany = Array.from({ length: (schema.maxItems ?? 0) + 1 }, () => sampleOf(items, {}, true));
    const inner = walk(items, [...path, '0'], (below, value) => put(below, value), isQuery);
    return [...wrong, ...(many ? [at('too long', tooMany)] : []), ...inner];
  }
  if (schema.type !== 'string') return wrong;
  const tooLong = schema.maxLength === undefined ? [] : [at('too long', 'A'.repeat(schema.maxLength + 1))];
  return [...wrong, ...tooLong, at('with a NUL', 'a\u0000b')];
}

function ofObject(schema: Schema, path: readonly string[], put: Put, isQuery: boolean): Violation[] {
  const fields = schema.properties ?? {};
  const inside = (name: string) => [...path, name];
  const missing = (schema.required ?? []).map((name): Violation => ({
    what: `${inside(name).join('.')} left out`,
    input: put(inside(name), undefined),
    code: '100001',
    field: inside(name).join('.'),
  }));
  const unknown: Violation = {
    what: `${inside(UNKNOWN).join('.')} that nobody knows`,
    input: put(inside(UNKNOWN), 'x'),
    code: '100015',
    field: inside(UNKNOWN).join('.'),
  };
  return [
    ...missing,
    unknown,
    ...Object.entries(fields).flatMap(([name, it]) => (name === 'lang' ? [] : walk(it, inside(name), put, isQuery))),
  ];
}

/** Values that none of the allowed schemas takes, not even by a kind reading of text as number. */
function wrongTypes(allowed: Schema[], isQuery: boolean): unknown[] {
  const types = new Set(allowed.map((it) => it.type ?? typeof it['const']));
  if (isQuery) return types.has('string') ? [['a', 'b']] : ['abc', ['1', '2']];
  const candidates: [string, unknown][] = [
    ['object', { a: 1 }],
    ['array', [{ a: 1 }]],
    ['string', 'abc'],
  ];
  return candidates.filter(([type]) => !types.has(type)).map(([, value]) => value);
}

const branchesOf = (schema: Schema): Schema[] => schema.anyOf?.flatMap(branchesOf) ?? [schema];
const wantedOf = (schema: Schema): Schema => branchesOf(schema).find((it) => it.type !== 'null') ?? schema;
const isNeeded = (schema: Schema, name: string): boolean => (schema.required ?? []).includes(name);

function replaced(whole: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(whole)) {
    return Object.assign([...(whole as unknown[])], { [name]: replaced(whole[Number(name)], rest, value) });
  }
  const { [name]: old, ...others } = (whole ?? {}) as Record<string, unknown>;
  const now = replaced(old ?? (/^\d+$/.test(rest[0] ?? '') ? [] : undefined), rest, value);
  return now === undefined ? others : { ...others, [name]: now };
}
