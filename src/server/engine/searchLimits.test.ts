import fc from 'fast-check';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import type { Tables } from '#server/db/tables.ts';
import { createCondition, relations } from '#server/engine/conditions.ts';
import { createFilters } from '#server/engine/filters.ts';
import { parsePage } from '#server/engine/rows.ts';
import { orTooSlow } from '#server/engine/withinTime.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { addProbe, probe, putRows } from '#tests/support/probe.ts';
import { tries } from '#tests/support/tries.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ searchMs: 2000, patience: 1 });
  await addProbe(testApp);
  await putRows(testApp, 'probe', [{ title: 'a', siteId: 'SZ' }]);
});
afterAll(() => testApp.close());

const search = (tree: object) =>
  testApp.ask<{ itemTotal: number }>(
    'POST',
    '/api/probe/advancedSearch.json',
    { adminAdvancedSearchGroup: tree },
    { as: 'prober' },
  );

describe('a nested search that takes too long', () => {
  it('is ended by the database, refused in words, and leaves nothing behind', async () => {
    const rules = [{ column: 'title', relation: 'EQUAL_TO', value: 'a' }];
    const others = [{ column: 'title', relation: 'NOT_EQUAL_TO', value: 'b' }];
    expect(await search({ rules })).toMatchObject({ code: '000000', data: { itemTotal: 1 } });
    await testApp.db.transaction().execute(async (trx) => {
      // Somebody rewrites the table: the search has to wait, and waiting counts.
      await trx.schema.alterTable('probe').addColumn('later', 'text').execute();
      const refused = await search({ rules: others });
      expect(refused).toMatchObject({ status: 200, code: '100015' });
      expect(refused.msg).toContain('takes too long: narrow it');
    });
    expect(await search({ rules })).toMatchObject({ code: '000000', data: { itemTotal: 1 } });
  });

  it('has connections of its own with its limit; those of the calls have theirs', async () => {
    const readLimit = async (db: Kysely<Tables>) =>
      (await sql<{ limit: string }>`SELECT current_setting('statement_timeout') AS limit`.execute(db)).rows[0]?.limit;
    expect(await readLimit(testApp.search)).toBe('2s');
    expect(await readLimit(testApp.db)).toBe('15s');
  });

  it('is refused in words, too, when no connection has become free for it', async () => {
    const noConnection = Promise.reject(new Error('timeout exceeded when trying to connect'));
    await expect(orTooSlow(noConnection)).rejects.toMatchObject({ problems: [{ key: 'searchSlow' }] });
    await expect(orTooSlow(Promise.reject(new Error('else')))).rejects.toThrow('else');
  });
});

describe('SQL is made of names that were looked up', () => {
  const dry = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  /** The words of which a condition may consist, besides its columns and its numbered values. */
  const allowed =
    /^(to_char\(\("t"\."[A-Za-z]+" AT TIME ZONE 'Asia\/Shanghai'\), 'YYYY-MM-DD HH24:MI:SS'\)|\(|\)|,|AND|OR|"t"\."[A-Za-z]+"(::text)?|\$\d+|=|<|>|<=|>=|IS|NOT|NULL|TRUE|DISTINCT|FROM|I?LIKE|COLLATE|"C"|IN|<>|coalesce|''|\s)*$/;
  const context = () => ({ model: testApp.model, config: testApp.config }) as unknown as Context;
  const hostile = fc.oneof(
    fc.constantFrom(
      'title"; DROP TABLE probe --',
      "' OR '1'='1",
      't.title',
      '"title"',
      'title::text',
      '__proto__',
      'constructor',
      'hasOwnProperty',
      'toString',
      'IS_NULL; SELECT 1',
      'AND 1=1',
      'or',
      '$1',
      '/**/',
    ),
    fc.string(),
    fc.string({ unit: 'binary' }),
  );
  const oddly = (usual: readonly string[]) => fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...usual) }, hostile);
  const rule = fc.record(
    {
      connector: oddly(['AND', 'OR']),
      column: oddly(probe.list?.columns ?? []),
      relation: oddly(Object.keys(relations)),
      value: fc.oneof(hostile, fc.integer().map(String)),
    },
    { requiredKeys: ['column', 'relation', 'value'] },
  );
  const group = fc.record(
    { connector: oddly(['AND', 'OR']), rules: fc.array(rule, { maxLength: 4 }) },
    { requiredKeys: ['rules'] },
  );
  const tree = fc.record({ rules: fc.array(rule, { maxLength: 4 }), groups: fc.array(group, { maxLength: 2 }) });

  it('whatever stands for a column, a relation, a connector or a value of the nested search', () => {
    const made = { sql: 0, refused: 0 };
    fc.assert(
      fc.property(tree, (asked) => {
        try {
          const condition = createCondition(probe, asked, context());
          if (!condition) return;
          const { sql } = condition.compile(dry);
          expect(sql).toMatch(allowed);
          made.sql += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          made.refused += 1;
        }
      }),
      tries(3000),
    );
    expect(made.sql).toBeGreaterThan(100);
    expect(made.refused).toBeGreaterThan(100);
  });

  it('whatever stands for a sort, its order, a filter’s name or its value', () => {
    const sortable = [...(probe.list?.columns ?? []), 'id', 'createTime'];
    fc.assert(
      fc.property(oddly(['title', 'count']), oddly(['asc', 'desc']), hostile, hostile, (sortBy, order, name, value) => {
        try {
          const { page } = parsePage(probe, { sortBy, order });
          for (const it of page.orderBy) expect(sortable).toContain(it.name);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
        try {
          for (const it of createFilters(probe, { [name]: value, title: value }, context())) {
            expect(it.compile(dry).sql).toMatch(allowed);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }),
      tries(2000),
    );
  });
});
