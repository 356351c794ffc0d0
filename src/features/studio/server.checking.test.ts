import { afterAll, beforeAll, expect, it } from 'vitest';
import { layOver } from '#domain/definition/overlay.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { contextFor } from '#tests/support/jobs.ts';
import { findBroken, findLong, findShared, lookWithin } from './queries.ts';
import { findUses } from './queries.uses.ts';
import { findUnfit } from './server.unfit.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

it('a check whose time is over asks nothing more, and says of each field that it was not counted', async () => {
  const change: DefinitionChange = {
    fields: { siteNameEn: { visibleWhen: { country: 'CN' } }, siteName: { maxLength: 2 }, contact: { unique: true } },
  };
  const changes = [{ module: 'ubsSite', change }];
  const definition = layOver(testApp.model.definitions.get('ubsSite'), change);
  const model = {
    ...testApp.model,
    definitions: new Map([...testApp.model.definitions, ['ubsSite', definition] as const]),
  };
  const given = await contextFor(testApp, 'admin');
  const ctx = { ...given, search: undefined as unknown as typeof given.search };
  const isOver = () => true;
  const notCounted = (field: string, rule: string) => ({
    ...{ module: 'ubsSite', field, rule, count: undefined, ids: [] },
  });
  expect(await findUnfit(changes, model, ctx, isOver)).toEqual([notCounted('siteNameEn', 'visibleWhen')]);
  expect(await findBroken(changes, model, ctx, isOver)).toEqual([notCounted('siteName', 'maxLength')]);
  expect(await findShared(changes, { model, emptied: [], contents: [] }, ctx, isOver)).toEqual([]);
  expect(await findLong(changes, { model, emptied: [], contents: [] }, ctx, isOver)).toEqual([]);
  const look = lookWithin(ctx, isOver);
  expect(await look('SELECT 1')).toBeUndefined();
  expect(await findUses(changes, model, ctx, look)).toMatchObject({
    uncounted: [{ rule: 'viewsNotCounted', where: 'ubsSite', name: '站点 / Sites' }],
  });
  const inTime = await findUnfit(changes, model, given, () => false);
  expect(inTime.every((it) => it.count !== undefined)).toBe(true);
});

it('a check whose time is over looks through no rows for what they would refer to, nor for the numbers of a new table', async () => {
  const ref = { module: 'ubsSite', value: 'siteId', label: 'siteName' };
  const changes: Record<string, DefinitionChange> = {
    ubsShipment: { fields: { nameEn: { ref } } },
    toolShed: {
      definition: {
        ...{ module: 'toolShed', label: { zh: '工棚', en: 'Sheds' }, table: 'tool_shed', site: 'all' },
        fields: { name: { type: 'String', label: { zh: '名', en: 'Name' } } },
      },
    },
  };
  const laid = Object.entries(changes).map(
    ([module, change]) => [module, layOver(testApp.model.definitions.get(module), change)] as const,
  );
  const model = { ...testApp.model, definitions: new Map([...testApp.model.definitions, ...laid]) };
  const ctx = await contextFor(testApp, 'admin');
  const asked: string[] = [];
  const look = (query: string) => {
    asked.push(query);
    return Promise.resolve(undefined);
  };
  const plan = await ctx.definitions.planTables(model, [], look);
  expect(asked.map((it) => /FROM "?(\w+)/.exec(it)?.[1])).toEqual(['ubs_shipment', 'ledger']);
  expect(plan.uncounted).toEqual([{ module: 'ubsShipment', path: 'fields.nameEn.ref', name: 'nameEn' }]);
  expect(plan.refused).toEqual([]);
});
