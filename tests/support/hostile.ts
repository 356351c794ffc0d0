import fc from 'fast-check';

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
  patternProperties?: object;
  enum?: unknown[];
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
export function createSample(schema: object, named: Record<string, unknown> = {}, full = false, name = ''): unknown {
  const it = schema as Schema;
  if (Object.hasOwn(named, name)) return named[name];
  if (it.anyOf) return createSample(wantedOf(it), named, full, name);
  if ('const' in it) return it['const'];
  switch (it.type) {
    case 'object': {
      const names = Object.keys(it.properties ?? {}).filter(
        (key) => full || isNeeded(it, key) || Object.hasOwn(named, key),
      );
      return Object.fromEntries(names.map((key) => [key, createSample(it.properties?.[key] ?? {}, named, full, key)]));
    }
    case 'array':
      return it.maxItems === 0 ? [] : [createSample(it.items ?? {}, named, full)];
    case 'integer':
    case 'number':
      return Math.max(it.minimum ?? 1, 1);
    case 'boolean':
      return true;
    default:
      return it.enum?.[0] ?? 'X';
  }
}

/** Every way to break the schema in one place: left out, of another type, too long, unknown. */
export function createViolations(schema: object, isQuery = false): Violation[] {
  const whole = createSample(schema, {}, true);
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
    const tooMany = Array.from({ length: (schema.maxItems ?? 0) + 1 }, () => createSample(items, {}, true));
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
    // Of a record every name is its own.
    ...(schema.patternProperties ? [] : [unknown]),
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

/** A place of an input that holds one value, and the whole input with another value there. */
export interface InputPosition {
  path: string;
  schemas: readonly Schema[];
  with(value: unknown): unknown;
}

/** Every place of an input that the schema knows, the containers among them. */
export function inputPositions(schema: object, named: Record<string, unknown> = {}): InputPosition[] {
  const whole = createSample(schema, named, true);
  const found: InputPosition[] = [];
  const visit = (it: Schema, path: readonly string[]): void => {
    const schemas = branchesOf(it);
    if (path.length > 0) {
      found.push({ path: path.join('.'), schemas, with: (value) => replaced(whole, path, value) });
    }
    const wanted = wantedOf(it);
    if (wanted.type === 'array' && wanted.maxItems !== 0) visit(wanted.items ?? {}, [...path, '0']);
    for (const [name, inner] of Object.entries(wanted.properties ?? {})) {
      if (name !== 'lang') visit(inner, [...path, name]);
    }
  };
  visit(schema as Schema, []);
  return found;
}

/** Every type of JSON and the edges of each: what somebody's client, or somebody hostile, may send where anything is asked. */
export const edges: readonly unknown[] = [
  ...[null, true, false, 0, -0, 1, -1, 1.5, 2 ** 31, 2 ** 53, 1e20, 1e308, 5e-324],
  ...['', ' ', '0', '1', ' 1', '1 ', '007', '-0', '1.50', '.5', '5.', '0x10', '1e3', '+1', '١٢', '１２', 'NaN'],
  ...['4,20', '1,234', '1,23,456', '1.234,56', '-5', '€5', '¥5', '13%', '0.13', ' 5 ', '5²'],
  ...['Infinity', 'true', 'null', '9'.repeat(20), '9'.repeat(400), 'A'.repeat(10_000), "'; --", '%', '\u202eabc', '😀'],
  ...['\ufeff', '[object Object]', '__proto__'],
  ...[[], [0], [[]], [''], [null], {}, { a: 1 }, { id: 1 }, [[[[[[1]]]]]]],
];

const nested = (depth: number, around: (inner: unknown) => unknown): unknown =>
  depth === 0 ? 1 : around(nested(depth - 1, around));

/** Trees of JSON in which any name may stand, those of every object and `names` among them: as deep as a body may be. */
export const trees = (names: readonly string[]): fc.Arbitrary<object> => {
  const key = fc.constantFrom(...inEveryObject, ...names);
  const deep = [nested(29, (it) => [it]), nested(29, (it) => ({ children: it })), nested(29, (it) => ({ menu: [it] }))];
  const values = [fc.constantFrom(...edges, ...inEveryObject, ...deep)];
  return fc.object({ key, values, maxDepth: 3, maxKeys: 6 });
};
const inEveryObject = Object.getOwnPropertyNames(Object.prototype).filter((it) => it !== '__proto__');

/** What no text of the database can hold. */
export const unstorable: readonly string[] = ['\ud800', 'a\udc00b', '😀\ud83d', 'a\0b'];

/** Whether what was kept says the same as what was sent: nothing is nothing, a number its digits, and all else itself. */
export function saysTheSame(sent: unknown, stored: unknown): boolean {
  const isNothing = (it: unknown) => it === null || it === undefined || it === '';
  if (isNothing(sent) || isNothing(stored)) return isNothing(sent) && isNothing(stored);
  if (typeof sent === 'object' && typeof stored === 'object') {
    const names = [...new Set([...Object.keys(sent), ...Object.keys(stored)])];
    const at = (it: unknown, name: string) => (it as Record<string, unknown>)[name];
    return (
      Array.isArray(sent) === Array.isArray(stored) && names.every((it) => saysTheSame(at(sent, it), at(stored, it)))
    );
  }
  if (typeof sent === 'number' && typeof stored === 'string') return String(sent) === stored;
  if (typeof sent === 'string' && typeof stored === 'number')
    return isDecimal(sent) && digitsOf(sent) === String(stored);
  if (typeof sent === 'string' && typeof stored === 'boolean') return sent === String(stored);
  if (typeof sent === 'number' && typeof stored === 'number') return sent === stored;
  return JSON.stringify(sent) === JSON.stringify(stored);
}

const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);

/** A decimal without what says nothing: leading zeros, zeros at the end of a fraction, the sign of nought. */
export const digitsOf = (text: string): string =>
  text
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace(/^-0$/, '0');
