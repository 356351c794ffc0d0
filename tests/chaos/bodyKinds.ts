import { gzipSync } from 'node:zlib';
import { ChangeSchema } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { FORMAT } from '#features/studio/contract.ts';
import { JSON_LIMITS, PUBLIC_BODY_LIMIT } from '#server/bodies.ts';
import { inputSchemas } from '#server/input.ts';
import { readModel } from '#server/definitions/read.ts';
import { fileCalls } from '#server/uploads/moduleCalls.ts';
import { uploadCalls } from '#server/uploads/plugin.ts';
import type { Called } from '#tests/support/calls.ts';
import { fixedRoutes, genericActions, registers } from '#tests/support/features.ts';
import { fillings, treeOf, varied } from '#tests/chaos/fillings.ts';
import { workbookAround, zip, type Entry } from '#tests/support/workbooks.ts';

/** What is sent over each of fifty connections at once. */
export interface Kind {
  name: string;
  /** Made when it is sent: all of them at once fill the memory. */
  pieces: () => Buffer[];
  /** Between two pieces; 0 sends all of them at once. */
  everyMs: number;
  /** So many answers come of it. */
  answers: number;
  patienceMs: number;
}

/** By what a signed-in user and a service are known. */
export interface Known {
  token: string;
  secret: string;
}

/** The largest body that a call takes, less what stands around what fills it. */
const LARGE = 1024 * 1024 - 16 * 1024;
/** As long as a volley may take on a busy machine. */
const PATIENCE_MS = 60_000;
/** Somebody who sends slowly is watched so long. */
const SLOW_MS = 5_000;

const { definitions } = readModel(registers);

function request(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body: Buffer | string = '',
): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ host: 'localhost', 'content-length': String(bytes.length), ...headers });
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, it]) => `${name}: ${it}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

const kind = (name: string, make: () => Buffer | Buffer[], more: Partial<Kind> = {}): Kind => ({
  ...{ name, pieces: () => [make()].flat(), everyMs: 0, answers: 1, patienceMs: PATIENCE_MS },
  ...more,
});

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const repeated = (part: string, size = LARGE): string => part.repeat(Math.floor(size / part.length));
const many = (count: number, make: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => make(n)).join();

/** Texts of JSON, within the limits of a body, at them and beyond. */
export function texts(): Record<string, string> {
  const { depth, nodes, values, names } = JSON_LIMITS;
  const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);
  const deep = nested(depth - 1);
  const object = (count: number, from = '') => `{${many(count, (n) => `"${from}${n}":0`)}}`;
  return {
    'arrays as deep as may be': `[${many(Math.floor(nodes / depth), () => deep)}]`,
    'objects as deep as may be': `[${many(700, () => `${'{"a":'.repeat(depth - 1)}1${'}'.repeat(depth - 1)}`)}]`,
    'arrays far too deep': nested(LARGE / 2),
    'objects far too deep': `${'{"a":'.repeat(LARGE / 6)}1${'}'.repeat(LARGE / 6)}`,
    'as many objects as may be': `[${many(nodes - 1, () => '{}')}]`,
    'too many objects': `[${many(LARGE / 3, () => '{}')}]`,
    'as many values as may be': `[${many(values - 1, () => '0')}]`,
    'as many texts as may be': `[${many(values - 1, () => '""')}]`,
    'as many names as may be': `[${many(Math.floor(LARGE / object(names, 'n0_').length), (n) => object(names, `n${n}_`))}]`,
    'as many names of an object as may be': object(names),
    'too many names': object(80_000),
    'names of long keys': `{${many(100, (n) => `"${n}${'k'.repeat(10_000)}":0`)}}`,
    'one long key': `{"${'k'.repeat(LARGE)}":0}`,
    'one long text': `{"remark":"${'x'.repeat(LARGE)}"}`,
    'one long text alone': `"${'x'.repeat(LARGE)}"`,
    'a text of escapes': `{"remark":"${repeated('\\u4e00')}"}`,
    'a text of quoted signs': `{"remark":"${repeated('\\\\')}"}`,
    'a text of wide letters': `{"remark":"${'算'.repeat(LARGE / 3)}"}`,
    'a half of a pair at the end of much': `{"remark":"${'x'.repeat(LARGE)}\\ud800"}`,
    'a NUL after many texts': `[${many(values - 2, () => '""')},"\\u0000"]`,
    'numbers of 100,000 digits': `[${many(10, () => '9'.repeat(100_000))}]`,
    'fractions of 100,000 digits': `[${many(10, () => `0.${'3'.repeat(100_000)}`)}]`,
    'powers of 100,000 digits': `[${many(10, () => `1e${'9'.repeat(100_000)}`)}]`,
    'names that every object has': `[${many(5_000, () => '{"__proto__":{"a":1},"constructor":{"prototype":{}}}')}]`,
    'nothing but space': ' '.repeat(LARGE),
    'nothing but quotes': `[${repeated('"",')}""]`,
    'what breaks off at its end': `[${many(190_000, () => '1')}`,
  };
}

/** The same bodies at a call that anybody may make, at one of a user, and at one that takes any module. */
function jsonKinds({ token }: Known): Kind[] {
  const own = { ...JSON_TYPE, token };
  const form = fixedRoutes.find((it) => it.call.path.endsWith('/rmaMaintainBill/create.json'))?.call.path as string;
  return Object.entries(texts()).flatMap(([name, text]) => [
    kind(`${name}, signed in`, () => request('POST', form, own, text)),
    kind(`${name}, for any module`, () => request('POST', '/api/ubsItem/create.json', own, text)),
    kind(`${name}, by nobody`, () => request('POST', '/api/login.json', JSON_TYPE, text)),
  ]);
}

/** What a call that anybody may make takes at most. */
function publicKinds(): Kind[] {
  const most = PUBLIC_BODY_LIMIT - 200;
  const open = fixedRoutes.map((it) => it.call).filter((it) => it.right === 'public' && it.method === 'POST');
  const bodies = {
    'long values': (names: string[]) =>
      JSON.stringify(Object.fromEntries(names.map((it) => [it, 'x'.repeat(most / names.length - 20)]))),
    'many names': () => `{${many(700, (n) => `"n${n}":0`)}}`,
    'much nesting': () => `[${many(110, () => '['.repeat(31) + ']'.repeat(31))}]`,
  };
  return open.flatMap((call) =>
    Object.entries(bodies).map(([name, body]) => {
      const names = Object.keys(inputSchemas(call)['body']?.['properties'] ?? {});
      return kind(`${name} to ${call.path}`, () => request('POST', call.path, JSON_TYPE, body(names)));
    }),
  );
}

function signInKinds(): Kind[] {
  const attempt = (userId: string, password: string) =>
    request('POST', '/api/login.json', JSON_TYPE, JSON.stringify({ userId, password }));
  return [
    kind('sign-in with a long password', () => attempt('admin', 'p'.repeat(200))),
    kind('sign-in of nobody', () => attempt('nobody', 'p'.repeat(200))),
  ];
}

/** Each call of a fixed path with each part of its body as large as it may be, and larger. */
function routeKinds({ token, secret }: Known): Kind[] {
  return fixedRoutes.flatMap(({ call }) => {
    const schema = inputSchemas(call)['body'];
    if (!schema || call.right === 'public') return [];
    const path = call.path.replace(/:\w+/g, '1');
    const own: Record<string, string> = call.right.startsWith('service/')
      ? { authorization: `Bearer ${secret}` }
      : { token };
    return fillings(schema, LARGE).map(({ at, make }) =>
      kind(`${call.method} ${path}: ${at}`, () =>
        request(call.method, path, { ...JSON_TYPE, ...own }, JSON.stringify(make())),
      ),
    );
  });
}

/** What a draft may be made of, part by part as large as it may be, and larger. */
function draftKinds({ token }: Known): Kind[] {
  const whole = definitions.get('ubsItem') as Definition;
  const text = { type: 'String', label: { zh: '甲', en: 'A' } };
  const expressions = {
    'a long sum': Array(148).fill('1').join('+'),
    'many brackets': `${'('.repeat(149)}1${')'.repeat(149)}`,
    'many signs': `${'-'.repeat(298)}1`,
    'many choices': `${'true?1:'.repeat(42)}1`,
    'a long text': `"${'x'.repeat(290)}"`,
    'an open text': `"${'\\'.repeat(290)}`,
    'long digits': '9'.repeat(299),
    lists: `${'['.repeat(149)}${']'.repeat(149)}`,
    maps: `${'{1:'.repeat(99)}1`,
    macros: `${'[1].all(x,'.repeat(27)}true${')'.repeat(27)}`,
  };
  const withExpression = (computed: string, count: number) => ({
    fields: Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`f${n}`, { ...text, type: 'BigDecimal', computed }]),
    ),
  });
  const chain = {
    fields: Object.fromEntries(
      Array.from({ length: 900 }, (_, n) => [
        `f${n}`,
        { ...text, type: 'BigDecimal', computed: `f${n + 1} + f${n + 2}` },
      ]),
    ),
  };
  const changes = [
    ...fillings(ChangeSchema, LARGE - 4096),
    ...Object.entries(expressions).map(([name, it]) => ({
      at: `expressions of ${name}`,
      make: () => withExpression(it, 900),
    })),
    { at: 'expressions that need each other', make: () => chain },
    {
      at: 'a new module of many fields',
      make: () => ({
        definition: {
          ...whole,
          module: 'visitor',
          table: 'visitor',
          fields: Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`f${n}`, text])),
        },
      }),
    },
    {
      at: 'a layout of many fields',
      make: () => ({
        form: Array.from({ length: 400 }, (_, n) => [`f${n}`]),
        fields: Object.fromEntries(Array.from({ length: 999 }, (_, n) => [`f${n}`, text])),
      }),
    },
  ];
  const send = (path: string, body: object) => request('POST', path, { ...JSON_TYPE, token }, JSON.stringify(body));
  return changes.flatMap(({ at, make }) => [
    kind(`import of a draft: ${at}`, () =>
      send('/api/sysDraft/importDraft.json', {
        name: 'x',
        format: FORMAT,
        changes: [{ module: 'ubsItem', change: make() }],
      }),
    ),
    kind(`a draft: ${at}`, () =>
      send('/api/sysModule/saveChange.json', { draftId: 1, module: 'ubsItem', version: 0, change: make() }),
    ),
  ]);
}

/** The calls that every module has, of the module with the most fields: each with bodies as large as may be. */
function genericKinds({ token }: Known): Kind[] {
  const rule = { connector: 'AND', column: 'id', relation: 'EQUAL_TO', value: '1' };
  const tree = (rules: number, groups: number, levels: number): object => ({
    connector: 'AND',
    rules: Array.from({ length: rules }, () => rule),
    groups: levels > 0 ? Array.from({ length: groups }, () => tree(rules, groups, levels - 1)) : [],
  });
  const searches = {
    'as many rules as may be': { adminAdvancedSearchGroup: tree(50, 0, 0) },
    'too many rules': { adminAdvancedSearchGroup: tree(10_000, 0, 0) },
    'as deep as may be': { adminAdvancedSearchGroup: tree(0, 36, 3) },
    'too deep': { adminAdvancedSearchGroup: tree(1, 1, 14) },
    'many values': { adminAdvancedSearchGroup: { rules: [{ ...rule, relation: 'IN', value: many(190_000, String) }] } },
    'one of many commas': {
      adminAdvancedSearchGroup: { rules: [{ ...rule, relation: 'IN', value: ','.repeat(LARGE) }] },
    },
    'a long value': {
      adminAdvancedSearchGroup: { rules: [{ ...rule, relation: 'LIKE', value: '%_'.repeat(LARGE / 2) }] },
    },
  };
  const ids = Array.from({ length: 150_000 }, (_, n) => n + 1);
  const forms = ({ fields, lines = [] }: Definition) => ({
    'a long text in each field': Object.fromEntries(
      Object.keys(fields).map((it) => [it, 'x'.repeat(Math.floor(LARGE / Object.keys(fields).length) - 100)]),
    ),
    'many digits in each field': Object.fromEntries(
      Object.keys(fields).map((it) => [it, '9'.repeat(Math.floor(LARGE / Object.keys(fields).length) - 100)]),
    ),
    'a tree in each field': Object.fromEntries(Object.keys(fields).map((it) => [it, treeOf(10_000)])),
    'fields that nobody knows': Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`n${n}`, 0])),
    ...Object.fromEntries(
      lines.map((it) => [
        `many ${it.name}`,
        { [it.name]: Array.from({ length: 20_000 }, (_, n) => varied({ sn: 'X', id: 1 }, n)) },
      ]),
    ),
  });
  const bodies: Record<string, (definition: Definition) => Record<string, object>> = {
    advancedSearch: () => searches,
    tabCounts: () => searches,
    create: forms,
    modifyById: forms,
    deleteById: () => ({ 'many ids': { id: ids }, 'a long id': { id: '1'.repeat(LARGE) } }),
    deleteAll: () => ({
      'many ids': { ids },
      'ids that are no number': { ids: ids.map(String) },
      'long ids': { ids: Array(9).fill('1'.repeat(100_000)) },
    }),
    bulk: () => ({
      'many ids': { action: 'deleteAll', dryRun: true, ids },
      'as many ids as may be': { action: 'deleteAll', dryRun: true, ids: ids.slice(0, 10_000) },
      'many versions': {
        action: 'deleteAll',
        ids: [1],
        versions: Object.fromEntries(ids.slice(0, 2000).map((it) => [it, 1])),
      },
      'many conditions': {
        action: 'deleteAll',
        dryRun: true,
        matching: { ...searches['as many rules as may be'], filter: treeOf(100_000) },
      },
    }),
    exportWip: () => ({ ...searches, 'many columns': { exportColumns: ids.map(String) } }),
  };
  return genericActions
    .filter((it) => it.method === 'POST')
    .flatMap(({ name, rightOf }) => {
      const having = [...definitions.values()].filter((it) => rightOf(it));
      const fixed = new Set<string>(fixedRoutes.map((it) => it.call.path));
      const [largest] = having
        .filter((it) => !fixed.has(`/api/${it.module}/${name}.json`))
        .sort((a, b) => Object.keys(b.fields).length - Object.keys(a.fields).length);
      const made = bodies[name];
      if (!made) throw new Error(`no hostile bodies for ${name}`);
      if (!largest) return [];
      const path = `/api/${largest.module}/${name}.json`;
      return Object.entries(made(largest)).map(([what, body]) =>
        kind(`${path}: ${what}`, () => request('POST', path, { ...JSON_TYPE, token }, JSON.stringify(body))),
      );
    });
}

/** Bodies of another type than JSON, or of one that is none. */
function otherKinds({ token }: Known): Kind[] {
  const path = '/api/ubsItem/create.json';
  const forms = {
    'many fields': repeated('a&'),
    'many named fields': many(60_000, (n) => `n${n}=0`).replaceAll(',', '&'),
    'percent signs': `remark=${repeated('%')}`,
    'encoded letters': `remark=${repeated('%e7%ae%97')}`,
    'one long value': `remark=${'x'.repeat(LARGE)}`,
    brackets: `a${repeated('[a]')}=1`,
    'plus signs': `remark=${repeated('+')}`,
  };
  const broken = Buffer.alloc(LARGE, 0xff);
  const types = [
    'text/plain',
    'application/xml',
    'image/png',
    'application/json; charset=utf-16',
    'x'.repeat(4000),
    '',
    `a/b${';x=1'.repeat(2000)}`,
  ];
  const own = { token };
  return [
    ...Object.entries(forms).map(([name, it]) =>
      kind(`a form of ${name}`, () => request('POST', path, { ...own, ...FORM_TYPE }, it)),
    ),
    ...Object.entries(forms).map(([name, it]) =>
      kind(`a form of ${name}, by nobody`, () => request('POST', '/api/login.json', FORM_TYPE, it)),
    ),
    ...types.map((it) =>
      kind(`a body of the type "${it.slice(0, 40)}"`, () =>
        request('POST', path, { ...own, 'content-type': it }, 'x'.repeat(LARGE)),
      ),
    ),
    kind('bytes that are no UTF-8', () => request('POST', path, { ...own, ...JSON_TYPE }, broken)),
    kind('bytes that are no UTF-8, as a form', () => request('POST', path, { ...own, ...FORM_TYPE }, broken)),
    kind('a packed body', () =>
      request(
        'POST',
        path,
        { ...own, ...JSON_TYPE, 'content-encoding': 'gzip' },
        gzipSync(Buffer.alloc(100 * 1024 * 1024)),
      ),
    ),
    kind('a body that is larger than it may be', () =>
      request('POST', path, { ...own, ...JSON_TYPE }, Buffer.alloc(20 * 1024 * 1024, '1')),
    ),
    kind('a body for a call that takes none', () =>
      request('GET', '/api/ubsItem/pager.json', { ...own, ...JSON_TYPE }, Buffer.alloc(LARGE, '[')),
    ),
    kind('a body for no call', () =>
      request('POST', '/api/nobody/knows.json', { ...own, ...JSON_TYPE }, Buffer.alloc(LARGE, '[')),
    ),
    kind('a body for a page', () => request('POST', '/', JSON_TYPE, Buffer.alloc(LARGE, '['))),
    kind('a long idempotency key', () =>
      request('POST', path, { ...own, ...JSON_TYPE, 'idempotency-key': 'k'.repeat(12_000) }, '{}'),
    ),
  ];
}

/** Addresses and heads as long as the server reads them. */
function headKinds({ token }: Known): Kind[] {
  const most = 14_000;
  const queries = {
    'many names': many(1800, (n) => `n${n}=`).replaceAll(',', '&'),
    'one name many times': repeated('siteId=1&', most),
    'nothing many times': '&'.repeat(most),
    'encoded letters': `salesCode=${repeated('%E7%AE%97', most)}`,
    'percent signs': `salesCode=${'%'.repeat(most)}`,
    'many sorts': `sortBy=${repeated('id,', most)}`,
    brackets: `a${repeated('[a]', most)}=1`,
    'a nested filter': `filter=${encodeURIComponent('['.repeat(4000))}`,
  };
  const paths = ['/api/ubsItem/pager.json', '/rest/jobs', '/api/toCaptcha.json'];
  const many2 = Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`h${n}`, '']));
  return [
    ...paths.flatMap((path) =>
      Object.entries(queries).map(([name, it]) =>
        kind(`${path} with ${name}`, () => request('GET', `${path}?${it}`, { token })),
      ),
    ),
    kind('a long path', () => request('GET', `/${'a'.repeat(most)}`, { token })),
    kind('a path of many parts', () => request('GET', '/a'.repeat(most / 2), { token })),
    kind('a path that goes up', () => request('GET', '/..'.repeat(most / 3), { token })),
    kind('an encoded path', () => request('GET', `/api/${repeated('%2e%2f', most)}`, { token })),
    kind('many headers', () => request('GET', '/api/ubsItem/pager.json', { token, ...many2 })),
    kind('many cookies', () => request('GET', `/file/${'0'.repeat(32)}`, { cookie: repeated('a=b; ', most) })),
    kind('a long range', () => request('GET', '/', { range: `bytes=${repeated('0-0,', most)}` })),
    kind('many languages', () =>
      request('GET', '/', { 'accept-language': repeated('a;q=0,', most), 'accept-encoding': repeated('a,', 1000) }),
    ),
    kind('headers that are too long', () => request('GET', '/', { x: 'x'.repeat(100_000) })),
    kind('no HTTP', () => Buffer.alloc(LARGE, 'x')),
  ];
}

const BOUNDARY = 'x'.repeat(20);
const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const part = (headers: string, content: Buffer | string) =>
  Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${headers}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
const field = (name: string, value: string) => part(`content-disposition: form-data; name="${name}"`, value);
const file = (content: Buffer | string, name = 'rows.xlsx') =>
  part(
    `content-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream`,
    content,
  );
const whole = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);

/** Multipart bodies that are no upload of anything, at each call that takes files. */
function multipartKinds({ token }: Known): Kind[] {
  const named = field('n', '');
  const parts = (it: Buffer, count: number) => whole(...Array.from({ length: count }, () => it));
  const bodies: Record<string, Buffer> = {
    'many fields': parts(named, 12_000),
    'many files': parts(file('x'), 8_000),
    'a huge name': whole(field('n'.repeat(LARGE), '')),
    'a huge name of a file': whole(file('x', 'n'.repeat(LARGE))),
    'a huge value': whole(field('dryRun', 'x'.repeat(LARGE))),
    'no end': file(Buffer.alloc(LARGE)).subarray(0, LARGE),
    'ends that are none': whole(file(Buffer.from(repeated(`\r\n--${BOUNDARY.slice(0, -1)}y`)))),
    'line ends alone': whole(file(Buffer.from('\r\n'.repeat(LARGE / 2)))),
    'many headers of a part': whole(
      part(`content-disposition: form-data; name="file"; filename="a"\r\n${repeated('a: b\r\n', 60_000)}x: y`, 'x'),
    ),
    'headers without an end': Buffer.from(`--${BOUNDARY}\r\n${repeated('a: b\r\n')}`),
    'parts without headers': Buffer.from(repeated(`--${BOUNDARY}\r\n\r\n\r\n`)),
    'many parameters': whole(part(`content-disposition: form-data${repeated(';a=b', 60_000)}`, 'x')),
    'no boundary in it': Buffer.alloc(4 * 1024 * 1024, '-'),
  };
  const ofModule = fileCalls.map(({ name, rightOf }) => {
    const having = [...definitions.values()].find((it) => rightOf(it));
    return having && `/api/${having.module}/${name}.json`;
  });
  const paths = [...uploadCalls.map((it) => it.path), ...ofModule.filter((it) => it !== undefined)];
  return paths.flatMap((path) =>
    Object.entries(bodies).map(([name, it]) =>
      // What has no end is not answered before its connection is.
      kind(`${path}: ${name}`, () => request('POST', path, { token, ...MULTIPART }, it), { patienceMs: SLOW_MS * 4 }),
    ),
  );
}

/** Workbooks of every hostile shape, as an import that is looked at. */
function workbookKinds({ token }: Known): Kind[] {
  const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const MEGABYTES = 1024 * 1024;
  const noise = (size: number) => {
    let it = 1;
    return Buffer.from(Array.from({ length: size }, () => (it = (it * 48271) % 2147483647) & 0xff));
  };
  const entries = (count: number): Entry[] =>
    Array.from({ length: count }, (_, n) => ({ name: `xl/x${n}.bin`, content: 'x' }));
  const strings = (count: number) =>
    `<sst>${Array.from({ length: count }, (_, n) => `<si><t>s${n}</t></si>`).join('')}</sst>`;
  const bodies: Record<string, () => Buffer> = {
    'a bomb': () => workbookAround(sheet(''), [{ name: 'xl/x.bin', content: Buffer.alloc(45 * MEGABYTES) }]),
    'a bomb that says it is small': () =>
      workbookAround(sheet(''), [
        { name: 'xl/x.bin', content: Buffer.alloc(45 * MEGABYTES), claims: { unpacked: 100 } },
      ]),
    'many files': () => workbookAround(sheet(''), entries(990)),
    'too many files': () => zip(entries(20_000)),
    'many strings': () => workbookAround(sheet(''), [{ name: 'xl/sharedStrings.xml', content: strings(400_000) }]),
    'many rows': () => workbookAround(sheet(`<row>${cell('1')}</row>`.repeat(300_000))),
    'many columns': () => workbookAround(sheet(`<row>${cell('1').repeat(16_384)}</row>`.repeat(20))),
    'long cells': () => workbookAround(sheet(`<row>${cell('x'.repeat(32_000)).repeat(50)}</row>`.repeat(10))),
    'one cell of 40 MB': () =>
      workbookAround(
        sheet(
          `<row>${cell(
            noise(20 * 1024)
              .toString('hex')
              .repeat(1000),
          )}</row>`,
        ),
      ),
    'many formulas': () => workbookAround(sheet('<row><c><f>1+1</f><v>2</v></c></row>'.repeat(100_000))),
    'rows far apart': () => workbookAround(sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'.repeat(1000))),
    'deep nesting': () => workbookAround(sheet('<row>'.repeat(500_000))),
    entities: () =>
      workbookAround(
        `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${sheet(`<row>${cell('&b;'.repeat(100_000))}</row>`)}`,
      ),
    'no archive': () => Buffer.concat([Buffer.from('PK\u0003\u0004'), noise(19 * MEGABYTES)]),
    'ends of archives': () => Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(LARGE, 'PK\u0005\u0006')]),
    'an old one': () =>
      Buffer.concat([
        Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
        Buffer.alloc(19 * MEGABYTES, 'Workbook', 'utf16le'),
      ]),
    'one of 20 MB': () => workbookAround(sheet(''), [{ name: 'xl/x.bin', content: noise(19 * MEGABYTES) }]),
  };
  return Object.entries(bodies).map(([name, make]) =>
    kind(
      `a workbook: ${name}`,
      () =>
        request('POST', '/api/ubsItem/upload.json', { token, ...MULTIPART }, whole(field('dryRun', '1'), file(make()))),
      { patienceMs: 4 * PATIENCE_MS },
    ),
  );
}

/** Files of other kinds: pictures that claim to be large, papers, texts. */
function fileKinds({ token }: Known, pictures: Record<string, Buffer>): Kind[] {
  const MOST = 5 * 1024 * 1024 - 1000;
  const bodies: Record<string, Buffer> = {
    ...pictures,
    'a text': Buffer.alloc(MOST, '算'),
    'a text that is none at its end': Buffer.concat([Buffer.alloc(MOST, 'a'), Buffer.from([0xff])]),
    'a paper': Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(MOST - 20, '%%EO'), Buffer.from('\n%%EOF\n')]),
    'one that is too large': Buffer.alloc(2 * MOST),
  };
  return uploadCalls.flatMap(({ path }) =>
    Object.entries(bodies).map(([name, it]) =>
      kind(`${path}: ${name}`, () => request('POST', path, { token, ...MULTIPART }, whole(file(it, 'a.png')))),
    ),
  );
}

/** Whoever sends slowly, asks a thousand times on one connection, or keeps many of them. */
function connectionKinds({ token }: Known, streams: readonly Called[]): Kind[] {
  const own = { token };
  const asked = (it: Buffer, count = 1000) => Buffer.concat(Array.from({ length: count }, () => it));
  const chunked = { ...own, ...JSON_TYPE, 'transfer-encoding': 'chunked' };
  const head = (headers: Record<string, string>) => {
    const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, it]) => `${name}: ${it}\r\n`);
    return Buffer.from(`POST /api/ubsItem/create.json HTTP/1.1\r\n${lines.join('')}\r\n`);
  };
  const piece = (size: number) => Buffer.from(`${size.toString(16)}\r\n${'1'.repeat(size)}\r\n`);
  const slowly = (it: Buffer, count: number) => Array.from({ length: count }, () => it);
  const slow = { everyMs: 250, patienceMs: SLOW_MS };
  const page = request('GET', '/api/ubsItem/pager.json', own);
  const pipelined: [string, Buffer][] = [
    ['healthz', request('GET', '/healthz')],
    ['a list', page],
    ['a refused sign-in', request('POST', '/api/login.json', JSON_TYPE, '{}')],
    ['what nobody knows', request('GET', '/api/nobody/knows.json')],
    ['a page', request('GET', '/nowhere')],
    [
      'bodies of 10 KB',
      request('POST', '/api/ubsItem/create.json', { ...own, ...JSON_TYPE }, `[${many(5000, () => '1')}]`),
    ],
    ['captchas', request('GET', '/api/toCaptcha.json')],
  ];
  return [
    ...pipelined.map(([name, it]) => kind(`a thousand times ${name}`, () => asked(it), { answers: 1000 })),
    kind('a head, a byte at a time', () => [...page].slice(0, 20).map((it) => Buffer.from([it])), slow),
    kind(
      'a body, a byte at a time',
      () => [head({ ...own, ...JSON_TYPE, 'content-length': '1000000' }), ...slowly(Buffer.from('1'), 20)],
      slow,
    ),
    kind('crumbs', () => [head(chunked), asked(piece(1), 200_000)]),
    kind('crumbs of 20 bytes', () => [head(chunked), asked(piece(20), 40_000)]),
    kind('pieces of 100 bytes', () => [head(chunked), asked(piece(100), 9_000)]),
    kind('pieces of 600 bytes', () => [head(chunked), asked(piece(600), 1_500), Buffer.from('0\r\n\r\n')]),
    kind('pieces with long words', () => [head(chunked), asked(Buffer.from(`1;${'x'.repeat(10_000)}\r\n1\r\n`), 100)]),
    kind('trailers without an end', () => [
      head(chunked),
      piece(1),
      Buffer.from('0\r\n'),
      Buffer.from(repeated('a: b\r\n')),
    ]),
    kind('both lengths', () =>
      request('POST', '/api/login.json', { ...JSON_TYPE, 'transfer-encoding': 'chunked' }, '{}'),
    ),
    kind('nothing at all', () => [], { patienceMs: SLOW_MS }),
    kind(
      'what waits to be told to go on',
      () => [head({ ...own, ...JSON_TYPE, 'content-length': '10', expect: '100-continue' })],
      { patienceMs: SLOW_MS, answers: 2 },
    ),
    kind('another protocol', () => request('GET', '/', { connection: 'upgrade', upgrade: 'websocket' })),
    ...streams.map((it) =>
      kind(`a stream ${it.path}`, () => request('GET', it.path, own), { answers: 2, patienceMs: SLOW_MS }),
    ),
  ];
}

/** Every kind, made of the calls that there are. */
export function bodyKinds(known: Known, calls: readonly Called[], pictures: Record<string, Buffer>): Kind[] {
  return [
    ...jsonKinds(known),
    ...publicKinds(),
    ...otherKinds(known),
    ...headKinds(known),
    ...multipartKinds(known),
    ...fileKinds(known, pictures),
    ...workbookKinds(known),
    ...genericKinds(known),
    ...draftKinds(known),
    ...routeKinds(known),
    ...connectionKinds(
      known,
      calls.filter((it) => it.streams),
    ),
    ...signInKinds(),
  ];
}
