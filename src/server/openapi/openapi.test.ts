import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { standingFields } from '#domain/definition/standingFields.ts';
import { isReviewed } from '#domain/review.ts';
import { asksForNone, mayDo, rightsOfSeed, serviceScopeOf } from '#domain/rights.ts';
import { readModel } from '#server/definitions/read.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { callsOf } from '#tests/support/calls.ts';
import { fixedRoutes, genericActions, registers } from '#tests/support/features.ts';

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        'x-right': string;
        'x-why'?: string;
        summary: string;
        description: string;
        requestBody?: object;
        operationId: string;
      }
    >
  >;
  components: { schemas: Record<string, { properties: Record<string, object> }> };
}

const { roles } = readModel(registers);
let testApp: TestApp;
let document: Document;
const read = async (lang: string, as = 'admin') => {
  const reply = await testApp.app.inject({
    url: `/api/openapi.json?lang=${lang}`,
    headers: { token: await testApp.openToken(as) },
  });
  return reply.json<Document>();
};
beforeAll(async () => {
  testApp = await startTestApp();
  document = await read('en');
});
afterAll(() => testApp.close());

it('is for who is signed in', async () => {
  expect((await testApp.app.inject({ url: '/api/openapi.json' })).statusCode).toBe(401);
});

it.each(['admin', 'viewer'])('is a document that the judge of OpenAPI 3.1 accepts, for %s', async (as) => {
  const { valid, errors } = await new Validator().validate((await read('en', as)) as never);
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

/** Every object of the document, with where it stands. */
function* objectsIn(
  value: unknown,
  path: readonly string[] = [],
): Generator<[readonly string[], Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>];
  for (const [name, it] of Object.entries(value)) yield* objectsIn(it, [...path, name]);
}

it('has no reference that leads nowhere, and no schema that only another knows', () => {
  const at = (ref: string) =>
    ref
      .slice(2)
      .split('/')
      .reduce<unknown>((it, name) => (it as Record<string, unknown> | undefined)?.[name], document);
  const references = [...objectsIn(document)].filter(([, it]) => typeof it['$ref'] === 'string');
  const lost = references.filter(([, it]) => !/^#\//.test(String(it['$ref'])) || at(String(it['$ref'])) === undefined);
  expect(lost.map(([path, it]) => [path.join(' '), it['$ref']])).toEqual([]);
  expect(references.length).toBeGreaterThan(1000);
  const hidden = [...objectsIn(document)].filter(([, it]) => '$defs' in it || typeof it['$id'] === 'string');
  expect(hidden.map(([path]) => path.join(' '))).toEqual([]);
  const node = document.components.schemas['get_adminRole_toRightModify_Node'];
  expect(node?.properties['children']).toMatchObject({
    items: { $ref: '#/components/schemas/get_adminRole_toRightModify_Node' },
  });
});

it('names each call once, and by its address alone', async () => {
  const idsIn = (it: Document) =>
    Object.entries(it.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [`${method} ${path}`, operationId] as const),
    );
  const ids = idsIn(document);
  expect(ids.length).toBeGreaterThan(1000);
  expect(ids.filter(([, id]) => !/^[a-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$/.test(id))).toEqual([]);
  expect(new Set(ids.map(([, id]) => id)).size).toBe(ids.length);
  expect(Object.fromEntries(ids)).toMatchObject({
    'post /api/login.json': 'post_login',
    'get /api/rmaCheckBill/pager.json': 'get_rmaCheckBill_pager',
    'post /api/rmaMaintainBill/create.json': 'post_rmaMaintainBill_create',
    'get /rest/jobs/{id}': 'get_jobs_id',
  });
  expect(idsIn(await read('zh'))).toEqual(ids);
});

describe('the document of the calls', () => {
  it('holds each fixed call with its right', () => {
    const missing = fixedRoutes
      .map(({ call }) => ({ ...call, path: call.path.replace(/:(\w+)/g, '{$1}') }))
      .filter((it) => document.paths[it.path]?.[it.method.toLowerCase()]?.['x-right'] !== it.right)
      .map((it) => `${it.method} ${it.path}`);
    expect(missing).toEqual([]);
  });

  it('says of each call that asks for no right why', () => {
    const { paths } = document;
    const open = fixedRoutes.filter(({ call }) => asksForNone(call.right));
    for (const { call } of open) {
      const operation = paths[call.path.replace(/:(\w+)/g, '{$1}')]?.[call.method.toLowerCase()];
      expect([call.path, operation?.['x-why'], operation?.description]).toEqual([
        call.path,
        expect.stringMatching(/\w{3}/),
        expect.stringContaining(call.why ?? ''),
      ]);
    }
    expect(open.length).toBeGreaterThan(30);
  });

  it('holds the generic calls that each module has, and none that it has not', () => {
    for (const definition of testApp.model.definitions.values()) {
      for (const action of genericActions) {
        const path = `/api/${definition.module}/${action.name}.json`;
        const operation = document.paths[path]?.[action.method.toLowerCase()];
        const isFixed = fixedRoutes.some((it) => it.call.path === path);
        if (!isFixed) expect([path, operation?.['x-right']]).toEqual([path, action.rightOf(definition, {})]);
      }
    }
  });

  it('says where a row is deleted by its version', () => {
    const needed = Object.entries(document.paths)
      .filter(([path]) => path.endsWith('/deleteById.json'))
      .map(([path, { post }]) => [path.split('/')[2] ?? '', JSON.stringify(post?.requestBody)] as const);
    expect(needed.length).toBeGreaterThan(25);
    for (const [module, body] of needed) {
      expect(body, module).toContain('"version":');
      expect([module, body.includes('"required":["id","version"]')]).toEqual([module, isReviewed(module)]);
    }
  });

  it.each(roles.map((it) => [it.roleId, it] as const))(
    'tells %s of the calls that he may make, and of no other',
    async (roleId, role) => {
      const rights = new Set(rightsOfSeed(role));
      const described = (method: string, path: string) => `${method.toLowerCase()} ${path}`;
      const pathsIn = (it: Document) =>
        Object.entries(it.paths).flatMap(([path, methods]) => Object.keys(methods).map((one) => described(one, path)));
      const all = new Set(pathsIn(document));
      const may = callsOf(testApp)
        .filter((it) =>
          it.rights.some((right) => mayDo(rights, serviceScopeOf(right) ? 'sysServiceToken:issue' : right)),
        )
        .map(({ method, url, path }) =>
          described(method, url.startsWith('/api/:module/') ? path : url.replace(/:(\w+)/g, '{$1}')),
        )
        .filter((it) => all.has(it));
      const told = await read('en', roleId);
      expect(pathsIn(told).toSorted()).toEqual(may.toSorted());
      const open = fixedRoutes.filter(({ call }) => asksForNone(call.right));
      expect(may.length).toBeGreaterThan(open.length);
      if (roleId !== 'admin') expect(may.length).toBeLessThan(all.size);
    },
  );

  it('tells of no module that its reader may not use, and of no field that stands nowhere', async () => {
    await testApp.db.deleteFrom('role_right').where('roleId', '=', 'viewer').execute();
    await testApp.db
      .insertInto('role_right')
      .values(['ubsSite:list', 'ubsCountry:add'].map((right) => ({ roleId: 'viewer', right })))
      .execute();
    const told = await read('en', 'viewer');
    const all = [...testApp.model.definitions.keys()];
    expect(all.filter((it) => it in document.components.schemas).toSorted()).toEqual(all.toSorted());
    expect(all.filter((it) => it in told.components.schemas)).toEqual(['ubsSite', 'ubsCountry'].toSorted());
    const fixed = new Set(fixedRoutes.map(({ call }) => call.path.replace(/:(\w+)/g, '{$1}')));
    const generic = Object.keys(told.paths).filter(
      (it) => !fixed.has(it) && genericActions.some(({ name }) => it.endsWith(`/${name}.json`)),
    );
    expect(new Set(generic.map((it) => it.split('/')[2]))).toEqual(new Set(['ubsSite', 'ubsCountry']));
    let hidden = 0;
    for (const definition of testApp.model.definitions.values()) {
      const standing = standingFields(definition);
      const nowhere = Object.keys(definition.fields).filter((it) => !standing.has(it));
      hidden += nowhere.length;
      const properties = document.components.schemas[definition.module]?.properties ?? {};
      expect([definition.module, nowhere.filter((it) => it in properties)]).toEqual([definition.module, []]);
    }
    expect(hidden).toBeGreaterThan(0);
  });

  it('tells the fields of a row in the language of the call, and never a password', async () => {
    const field = (it: Document) => it.components.schemas['rmaCheckBill']?.properties['ckbId'];
    expect(field(document)).toMatchObject({ description: 'Check bill' });
    expect(field(await read('zh'))).toMatchObject({ description: '检测单号' });
    expect(Object.keys(document.components.schemas['adminUser']?.properties ?? {})).not.toContain('password');
  });
});

describe('its page', () => {
  it('is there for everybody, under our content security policy, and asks with the token of the browser', async () => {
    const page = await testApp.app.inject({ url: '/docs/' });
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    expect(page.body).not.toMatch(/<script>|<script [^>]*>\s*[^<\s]/);
    const starter = await testApp.app.inject({ url: '/docs/static/swagger-initializer.js' });
    expect(starter.body).toContain('/api/openapi.json');
    expect(starter.body).toContain('cookie');
  });

  it.each(['/docs/json', '/docs/yaml'])('gives no copy of the document at %s', async (url) => {
    expect((await testApp.app.inject({ url })).json()).toMatchObject({ code: '100050' });
  });
});
