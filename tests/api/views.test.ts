import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqlTypes } from '#domain/definition/columns.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

it('a list that reads a view has columns of the types that its fields say, so that no search of it fails', async () => {
  const views = [...testApp.model.definitions.values()].filter((it) => it.viewOf);
  expect(views.length).toBeGreaterThan(0);
  for (const { table, fields, module } of views) {
    const found = await testApp.db
      .selectFrom('information_schema.columns' as never)
      .select(['column_name', 'data_type'] as never[])
      .where('table_name' as never, '=', table as never)
      .execute();
    const types = new Map(
      (found as { column_name: string; data_type: string }[]).map((it) => [it.column_name, it.data_type]),
    );
    for (const [name, field] of Object.entries(fields)) {
      const wanted = sqlTypes[field.type].replace(/\(.*/, '').replace('timestamptz', 'timestamp with time zone');
      expect(types.get(name), `${module}.${name}`).toBe(wanted);
    }
  }
});
