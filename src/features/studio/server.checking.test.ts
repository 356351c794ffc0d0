import { afterAll, beforeAll, expect, it } from 'vitest';
import { layOver } from '#domain/definition/overlay.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { contextFor } from '#tests/support/jobs.ts';
import { countOf, findBroken, findLong, findShared } from './queries.ts';
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
  expect(await findShared(changes, { model, emptied: [] }, ctx, isOver)).toEqual([]);
  expect(await findLong(changes, { model, emptied: [] }, ctx, isOver)).toEqual([]);
  expect(await countOf('SELECT 1', ctx, isOver)).toBeUndefined();
  const inTime = await findUnfit(changes, model, given, () => false);
  expect(inTime.every((it) => it.count !== undefined)).toBe(true);
});
