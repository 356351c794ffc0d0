import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Definition, Field, Model } from '#domain/definition/grammar.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { createHolder, followDefinitions } from '#server/definitions/follow.ts';
import { PREPARE_LOCK } from '#server/db/migrate.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { finishPublish, publish, PublishBusy } from '#server/definitions/publish.ts';
import { BadDefinitions, readModel } from '#server/definitions/read.ts';
import { anyChange, fillAwkwardly, tryToPublish } from '#tests/support/anyChanges.ts';
import { asMaker } from '#tests/support/database.ts';
import { databaseProxy } from '#tests/support/databaseProxy.ts';
import { withFault } from '#tests/support/faults.ts';
import { registers } from '#tests/support/features.ts';
import { randomFrom } from '#tests/support/stations.ts';
import { createPreparedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

let database: OpenedDatabase;
let client: OpenedDatabase['client'];
beforeAll(async () => {
  database = await createPreparedDatabase();
  ({ client } = database);
});
afterAll(() => database.close());

const give = (change: DefinitionChange, module = 'ubsSite', note = '') =>
  publish(database.url, registers, {
    changes: [{ module, change }],
    takesBack: [],
    note,
    userId: 'admin',
    siteId: 'SZ',
  });
const takeBack = (...takesBack: number[]) =>
  publish(database.url, registers, { changes: [], takesBack, note: 'by mistake', userId: 'admin', siteId: 'SZ' });
const count = async (sql: string) =>
  (await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`)).rows[0]?.n;
/** The columns and indexes of the sites. */
const readShape = async () => {
  const { rows } = await client.query<{ it: string }>(
    `SELECT attname::text AS it FROM pg_attribute WHERE attrelid = 'ubs_site'::regclass AND attnum > 0 AND NOT attisdropped
      UNION ALL SELECT indexdef FROM pg_indexes WHERE tablename = 'ubs_site' ORDER BY 1`,
  );
  return rows.map((it) => it.it);
};
const OFTEN = { interval: 5 };
const fax = { type: 'String', label: { zh: '传真', en: 'Fax' }, maxLength: 20 } as const;
const loan: Definition = {
  module: 'toolLoan',
  label: { zh: '工具借用', en: 'Tool loans' },
  table: 'tool_loan',
  site: 'all',
  fields: {
    tool: { type: 'String', label: { zh: '工具', en: 'Tool' }, required: true, maxLength: 50 },
    borrower: { type: 'String', label: { zh: '借用人', en: 'Borrower' }, maxLength: 50 },
  },
  search: ['tool'],
  list: { columns: ['tool', 'borrower'] },
  form: [['tool', 'borrower']],
  indexes: [['tool']],
};
const labelOf = ({ definitions }: Model) => definitions.get('ubsSite')?.label.en;
afterEach(async () => {
  const { rows } = await client.query<{ id: number }>(
    `SELECT id::int FROM definition_publish WHERE "takesBack" = '{}' AND "isInForce"`,
  );
  if (rows.length > 0) await takeBack(...rows.map((it) => it.id));
  await forget('ubs_site', 'fax');
  await forget('ubs_shipment', 'fax');
  if (await count(`pg_tables WHERE tablename = 'tool_loan'`)) await client.query('DELETE FROM tool_loan');
});
/** What a column still holds would be asked when a field of its name is made again. */
const forget = async (table: string, column: string) => {
  const isThere = await count(`information_schema.columns WHERE table_name = '${table}' AND column_name = '${column}'`);
  if (isThere) await client.query(`UPDATE ${table} SET ${column} = NULL`);
};

describe('a publish', () => {
  it.each([
    ['office', 'office'],
    [`${'a'.repeat(40)}1`, `${'a'.repeat(32)}...`],
    ['li na', 'li?na'],
  ])('waits for another one so long, and says then that it is by %s and since when', async (holder, told) => {
    const waiting = { signal: new AbortController().signal, onStep: () => undefined, waitMs: 0 };
    const by = (userId: string, keep: () => Promise<void>) =>
      publish(
        database.url,
        registers,
        {
          changes: [{ module: 'ubsSite', change: { fields: { fax } } }],
          takesBack: [],
          note: '',
          userId,
          siteId: 'SZ',
        },
        undefined,
        { ...waiting, keep },
      );
    const { rows } = await client.query<{ now: Date }>(`SELECT date_trunc('second', clock_timestamp()) AS now`);
    let second: unknown;
    await by(holder, async () => {
      second = await by('planner', () => Promise.resolve()).catch((it: unknown) => it);
    });
    expect(second).toBeInstanceOf(PublishBusy);
    const { userId, since } = second as PublishBusy;
    expect(userId).toBe(told);
    expect(since.getTime()).toBeGreaterThanOrEqual((rows[0]?.now as Date).getTime());
    expect(await count(`definition_publish WHERE "userId" = 'planner'`)).toBe(0);
  });

  it('waits no longer for a server that starts', async () => {
    await client.query('SELECT pg_advisory_lock($1)', [PREPARE_LOCK]);
    const keep = () => Promise.resolve();
    const started = publish(
      database.url,
      registers,
      {
        changes: [{ module: 'ubsSite', change: { fields: { fax } } }],
        takesBack: [],
        note: '',
        userId: 'office',
        siteId: 'SZ',
      },
      undefined,
      { signal: new AbortController().signal, onStep: () => undefined, waitMs: 0, keep },
    );
    await expect(started).rejects.toMatchObject({ name: 'PublishBusy', userId: '' });
    await client.query('SELECT pg_advisory_unlock($1)', [PREPARE_LOCK]);
  });

  it('is written with who, why and what, in the history and in the ledger, and makes its columns', async () => {
    const { id, model, leftOut } = await give({ fields: { fax } }, 'ubsSite', 'sites have a fax again');
    expect(model.definitions.get('ubsSite')?.fields['fax']).toMatchObject({ maxLength: 20 });
    expect(leftOut).toEqual([]);
    expect((await client.query(`SELECT "userId", note FROM definition_publish WHERE id = $1`, [id])).rows).toEqual([
      { userId: 'admin', note: 'sites have a fax again' },
    ]);
    await client.query(`UPDATE ubs_site SET fax = '0755' WHERE "siteId" = 'SZ'`);
    const { rows } = await client.query(
      `SELECT "userId", what, after FROM ledger WHERE module = 'definitions' AND "recordId" = $1`,
      [String(id)],
    );
    expect(rows).toEqual([
      {
        userId: 'admin',
        what: 'publish',
        after: { note: 'sites have a fax again', takesBack: [], modules: ['ubsSite'] },
      },
    ]);
  });

  it('that is taken back is gone from the model, its columns and rows stay, and it comes again by another taking back', async () => {
    const { id } = await give({ fields: { fax }, label: { zh: '厂', en: 'Plants' } });
    await client.query(`UPDATE ubs_site SET fax = '0755' WHERE "siteId" = 'SZ'`);
    const back = await takeBack(id);
    expect(back.model.definitions).toEqual(readModel(registers).definitions);
    expect(await count(`ubs_site WHERE fax = '0755'`)).toBe(1);
    const again = await takeBack(back.id);
    expect(labelOf(again.model)).toBe('Plants');
    expect(again.model.definitions.get('ubsSite')?.fields).toHaveProperty('fax');
    await takeBack(again.id);
  });

  it('of which one part is wrong leaves nothing, neither a row nor a column', async () => {
    const before = await count('definition_publish');
    const changes = [
      { module: 'ubsSite', change: { fields: { telex: fax } } },
      { module: 'ubsShipment', change: { search: ['nothing'] } },
    ];
    const wrong = publish(database.url, registers, { changes, takesBack: [], note: '', userId: 'admin', siteId: 'SZ' });
    await expect(wrong).rejects.toBeInstanceOf(BadDefinitions);
    await expect(wrong).rejects.toThrow(/"nothing"/);
    expect(await count('definition_publish')).toBe(before);
    expect(await count(`information_schema.columns WHERE column_name = 'telex'`)).toBe(0);
  });

  it('of a whole module makes its table with its indexes, and one of a table that is there is built beside who writes', async () => {
    const { statements } = await give({ definition: loan }, 'toolLoan');
    expect(statements.some((it) => it.startsWith('CREATE TABLE "tool_loan"'))).toBe(true);
    expect(await count(`pg_indexes WHERE tablename = 'tool_loan' AND indexdef LIKE '%tool%'`)).toBeGreaterThan(1);
  });

  /** Who waits for the shipments, each with what it holds of the sites so strictly that nobody may read them. */
  const readWaiting = async () => {
    const { rows } = await client.query<{ held: string[] }>(`
      SELECT array(SELECT h.mode FROM pg_locks AS h WHERE h.pid = w.pid AND h.granted
                     AND h.relation = 'ubs_site'::regclass AND h.mode = 'AccessExclusiveLock') AS held
        FROM pg_locks AS w WHERE NOT w.granted AND w.relation = 'ubs_shipment'::regclass`);
    return rows;
  };

  it('waits for no lock for long, and is done once the table is free', async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE ubs_shipment IN ACCESS SHARE MODE');
    const published = give({ fields: { fax } }, 'ubsShipment');
    await vi.waitUntil(async () => (await readWaiting()).length > 0, OFTEN);
    // Whoever comes behind the publish is not kept waiting until the table is free.
    await client.query('SELECT count(*) FROM ubs_shipment');
    await holder.query('COMMIT');
    await holder.end();
    expect((await published).model.definitions.get('ubsShipment')?.fields).toHaveProperty('fax');
  });

  it('holds nothing of one table while it waits for another', async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE ubs_shipment IN ACCESS SHARE MODE');
    const changes = ['ubsSite', 'ubsShipment'].map((module) => ({ module, change: { fields: { telex: fax } } }));
    const both = { changes, takesBack: [], note: '', userId: 'admin', siteId: 'SZ' };
    const published = publish(database.url, registers, both);
    const holding = await vi.waitUntil(async () => (await readWaiting())[0], OFTEN);
    expect(holding.held).toEqual([]);
    await holder.query('COMMIT');
    await holder.end();
    expect((await published).model.definitions.get('ubsSite')?.fields).toHaveProperty('telex');
  });

  it.each(['session', 'ledger', 'service_secret', 'definition_change'])(
    'of a module whose table would be %s, which is the platform’s, is refused',
    async (table) => {
      const definition = { ...loan, module: 'toolShed', table };
      await expect(give({ definition }, 'toolShed')).rejects.toThrow(/is the platform's own/);
    },
  );

  it('of a module that was taken back may come again, with the rows that it had', async () => {
    const first = await give({ definition: loan }, 'toolLoan');
    await client.query(`INSERT INTO tool_loan (tool) VALUES ('Oven')`);
    await takeBack(first.id);
    const { model } = await give({ definition: loan, contents: { table: 'keep' } }, 'toolLoan');
    expect(model.definitions.has('toolLoan')).toBe(true);
    expect(await count(`tool_loan WHERE tool = 'Oven'`)).toBe(1);
  });

  it('leaves an index of others alone that was begun and not finished; the next start makes it', async () => {
    await give({ definition: loan }, 'toolLoan');
    const { rows } = await client.query<{ name: string }>(
      `SELECT indexname AS name FROM pg_indexes WHERE tablename = 'tool_loan' AND indexdef LIKE '%(tool%'`,
    );
    const name = rows[0]?.name as string;
    const asUnfinished = `UPDATE pg_index SET indisvalid = false WHERE indexrelid = $1::regclass`;
    await asMaker((maker) => maker.query(asUnfinished, [`"${name}"`]), database.url);
    const { statements } = await give({ label: { zh: '借', en: 'Lent tools' } }, 'toolLoan');
    expect(statements).toEqual([]);
    const { applied, aside } = await prepareDatabase(database.url, registers);
    expect([applied.filter((it) => it.includes(name)).length, aside]).toEqual([2, []]);
    expect(await count(`pg_index WHERE indexrelid = '"${name}"'::regclass AND indisvalid`)).toBe(1);
  });

  it.each<[string, string, DefinitionChange, object]>([
    [
      'shares values',
      `SET fax = '0755'`,
      { fields: { fax: { unique: true } } },
      { rule: 'rowsShareUnseen', name: 'fax' },
    ],
    [
      'has a value too long for an index, though another is not',
      `SET fax = (SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 400))`,
      {
        fields: { telex: fax },
        indexes: [
          ['telex', 'siteId'],
          ['fax', 'telex'],
        ],
      },
      { rule: 'valueTooLong', name: 'fax, telex' },
    ],
    [
      'refers to nothing',
      `SET fax = '0755'`,
      { fields: { fax: { ref: { module: 'ubsSite', value: 'siteId', label: 'siteName' } } } },
      { rule: 'danglingRows', path: 'fields.fax.ref', count: 3 },
    ],
  ])('over rows of which one %s is refused as a whole, and leaves nothing', async (_, rows, change, problem) => {
    await give({ fields: { fax } });
    await client.query(`UPDATE ubs_site ${rows}`);
    const before = [await count('definition_publish'), await readShape()];
    const wrong = give(change);
    await expect(wrong).rejects.toBeInstanceOf(BadDefinitions);
    await expect(wrong).rejects.toMatchObject({ problems: [{ where: 'ubsSite', ...problem }] });
    expect([await count('definition_publish'), await readShape()]).toEqual(before);
    await client.query(`UPDATE ubs_site SET fax = NULL`);
    await give(change);
  });

  it('that refers to rows of the menu stops neither the next publish nor a start', async () => {
    const ref = { module: 'sysMenu', value: 'menuNo', label: 'menuName' };
    const page = { type: 'String', label: { zh: '页', en: 'Page' }, ref } as const;
    await give({ definition: { ...loan, fields: { ...loan.fields, page } } }, 'toolLoan');
    await client.query(`INSERT INTO tool_loan (tool, page) VALUES ('saw', 'ubsSiteList')`);
    await give({ label: { zh: '工厂', en: 'Plants' } });
    expect((await client.query('SELECT page FROM tool_loan')).rows).toEqual([{ page: 'ubsSiteList' }]);
    // As an earlier version had made it.
    await client.query(`ALTER TABLE tool_loan ADD CONSTRAINT kept FOREIGN KEY (page) REFERENCES sys_menu ("menuNo")`);
    await client.query(`UPDATE sys_menu SET "menuName" = 'x' WHERE "menuNo" = 'ubsSiteList'`);
    const { model } = await prepareDatabase(database.url, registers);
    expect(labelOf(model)).toBe('Plants');
    expect(await count(`pg_constraint WHERE conname = 'kept'`)).toBe(0);
  });

  it.each([
    ['ubsSite', 'ubs_site', 'siteId'],
    ['adminUser', 'admin_user', 'userId'],
  ])('of a module that refers to %s and is taken back holds none of its rows any more', async (module, table, key) => {
    const ref = { module, value: key, label: key };
    const of = { type: 'select', label: { zh: '属于', en: 'Of' }, ref } as const;
    const definition: Definition = { ...loan, module: 'toyLoan', table: 'toy_loan', fields: { ...loan.fields, of } };
    const { id } = await give({ definition }, 'toyLoan');
    await client.query(`INSERT INTO toy_loan (tool, "of") SELECT 'saw', "${key}" FROM ${table} ORDER BY id LIMIT 1`);
    const keys = () => count(`pg_constraint WHERE contype = 'f' AND conrelid = 'toy_loan'::regclass`);
    expect(await keys()).toBe(1);
    await takeBack(id);
    expect(await keys()).toBe(0);
    // As an earlier version had left it.
    await client.query(
      `ALTER TABLE toy_loan ADD CONSTRAINT toy_loan_of_fkey FOREIGN KEY ("of") REFERENCES ${table} ("${key}")`,
    );
    await prepareDatabase(database.url, registers);
    expect(await keys()).toBe(0);
    await client.query('DROP TABLE toy_loan');
  });

  it('of a module that comes again with its rows holds them by none of its former rules', async () => {
    const tool = { ...(loan.fields['tool'] as Field), unique: true };
    const ref = { module: 'toyKind', value: 'kind', label: 'kind', mayDangle: 'a test' };
    const kind = { type: 'select', label: { zh: '类', en: 'Kind' }, ref } as const;
    const kinds: Definition = {
      ...{ ...loan, module: 'toyKind', table: 'toy_kind', search: ['kind'], list: { columns: ['kind'] } },
      ...{ fields: { kind: { ...fax, unique: true } }, form: [['kind']], indexes: [] },
    };
    const toys: Definition = { ...loan, module: 'toyLoan', table: 'toy_loan', fields: { ...loan.fields, tool, kind } };
    const first = await publish(database.url, registers, {
      changes: [
        { module: 'toyKind', change: { definition: kinds } },
        { module: 'toyLoan', change: { definition: toys } },
      ],
      ...{ takesBack: [], note: '', userId: 'admin', siteId: 'SZ' },
    });
    await client.query(
      `INSERT INTO toy_kind (kind) VALUES ('a'); INSERT INTO toy_loan (tool, kind) VALUES ('saw', 'a')`,
    );
    await takeBack(first.id);
    const { fields } = loan;
    const [free, text] = [{ ...(fields['tool'] as Field), required: false }, { ...fax, maxLength: 9 } as const];
    const otherwise = {
      ...kinds,
      fields: { sort: fax },
      search: ['sort'],
      list: { columns: ['sort'] },
      form: [['sort']],
    };
    await give({ definition: otherwise, contents: { table: 'empty' } }, 'toyKind');
    const again = { ...toys, fields: { ...fields, tool: free, kind: text } };
    await give({ definition: again, contents: { table: 'keep' } }, 'toyLoan');
    await client.query(`INSERT INTO toy_loan (tool, kind) VALUES (NULL, 'b'), ('saw', 'a')`);
    expect(await count('toy_loan')).toBe(3);
    await client.query('DROP TABLE toy_loan, toy_kind');
  });

  it('that made a field unique and is taken back lets rows share it again', async () => {
    await give({ fields: { fax } });
    const { id } = await give({ fields: { fax: { unique: true } } });
    await expect(client.query(`UPDATE ubs_site SET fax = '0755'`)).rejects.toMatchObject({ code: '23505' });
    const { statements } = await takeBack(id);
    expect(statements).toEqual(['DROP INDEX "ubs_site_fax_key"']);
    await client.query(`UPDATE ubs_site SET fax = '0755'`);
    await client.query(`UPDATE ubs_site SET fax = NULL`);
  });

  it.each([
    ['a long table, whose index would be called as itself', 'x'.repeat(63), 'x'.repeat(63)],
    ['a table that is called as an index of another', 'ubs_site_siteid_key', 'ubs_site_siteid_key'],
    ['a table and a field that together are called as an index of another', 'ubs', 'ubs_site_name_id_idx'],
  ])('of %s is refused, by its name', async (_, table, name) => {
    await client.query(`CREATE INDEX IF NOT EXISTS ubs_site_siteid_key ON ubs_site ("siteName", phone)`);
    await client.query(`CREATE INDEX IF NOT EXISTS ubs_site_name_id_idx ON ubs_site ("siteName", phone)`);
    const fields = { ...loan.fields, site: fax, name: fax };
    const definition: Definition = { ...loan, table, fields, indexes: [['site', 'name']] };
    const wrong = give({ definition }, 'toolLoan');
    await expect(wrong).rejects.toMatchObject({ problems: [{ rule: 'nameTaken', name }] });
    await client.query(`DROP INDEX ubs_site_siteid_key, ubs_site_name_id_idx`);
  });

  it('counts where its connection breaks once it is written', async () => {
    const proxy = await databaseProxy(database.url);
    const ref = { module: 'ubsSite', value: 'siteId', label: 'siteName' };
    const referring = { type: 'select', label: { zh: '上级', en: 'Above' }, ref } as const;
    const publication = {
      changes: [{ module: 'ubsSite', change: { fields: { fax: referring } } }],
      takesBack: [],
      note: '',
      userId: 'admin',
      siteId: 'SZ',
    };
    const { id, leftOut } = await publish(proxy.url, registers, publication, () => void proxy.cut());
    expect(leftOut).toMatchObject([
      { rule: 'rulesNotSet', what: expect.stringMatching(/^What every row should hold can't be set now: /) as string },
    ]);
    expect(await count(`definition_publish WHERE id = ${id} AND "isInForce"`)).toBe(1);
    await proxy.close();
    const held = `pg_constraint WHERE conname = 'ubs_site_fax_fkey' AND convalidated`;
    expect(await count(held)).toBe(0);
    expect(await finishPublish(database.url, registers)).toEqual([]);
    expect(await count(held)).toBe(1);
  });

  it('of two at once is done one after the other, and both are there', async () => {
    await Promise.all([give({ label: { zh: '一', en: 'First' } }), give({ fields: { fax } })]);
    const { model } = await give({ one: { zh: '厂', en: 'Plant' } });
    expect(labelOf(model)).toBe('First');
    expect(model.definitions.get('ubsSite')?.fields).toHaveProperty('fax');
  });
});

describe('a publish whose connection is gone at any of its statements', () => {
  it('is done wholly or not at all, and the next one is not hindered by it', async () => {
    const outcomes = { all: 0, nothing: 0 };
    for (let nth = 1; ; nth++) {
      const name = `fault${nth}`;
      const change = { fields: { [name]: fax }, one: { zh: name, en: name } };
      const [, happened] = await withFault('gone', nth, () => give(change, 'ubsShipment', name).catch(() => undefined));
      const written = await count(`definition_publish WHERE note = '${name}'`);
      const told = await count(`ledger WHERE module = 'definitions' AND after ->> 'note' = '${name}'`);
      const made = await count(`information_schema.columns WHERE column_name = '${name}'`);
      expect([nth, written, told, made]).toEqual([nth, written, written, written]);
      outcomes[written ? 'all' : 'nothing'] += 1;
      if (!happened) break;
    }
    expect(outcomes.nothing).toBeGreaterThan(10);
    expect(outcomes.all).toBeGreaterThan(1);
    const { model } = await give({ label: { zh: '承运商', en: 'Carriers' } }, 'ubsShipment');
    expect(model.definitions.get('ubsShipment')?.label.en).toBe('Carriers');
  });
});

describe('any changes, over rows that nobody tidied', () => {
  it('are done or refused in words, and a start leaves none of them out; what is not to be read it sets aside', async () => {
    const random = randomFrom(20261129);
    let done = 0;
    for (let n = 1; n <= 12; n++) {
      if ((await tryToPublish(database.url, { changes: [anyChange(random)] })) !== undefined) done += 1;
      await fillAwkwardly(client);
      if (n % 6 === 0) expect((await prepareDatabase(database.url, registers)).aside).toEqual([]);
    }
    expect(done).toBeGreaterThan(1);
    // As a newer version, or a hand at the database, may have written them.
    for (const [i, change] of [null, [], 'a', { ofANewerVersion: 1 }, { fields: { fax: null } }].entries()) {
      const { rows } = await client.query<{ id: number }>(
        `INSERT INTO definition_publish ("userId") VALUES ('admin') RETURNING id::int AS id`,
      );
      await client.query(`INSERT INTO definition_change ("publishId", module, change) VALUES ($1, $2, $3)`, [
        ...[rows[0]?.id, i % 2 === 0 ? 'ubsSite' : 'menu'],
        JSON.stringify(change),
      ]);
    }
    const { aside } = await prepareDatabase(database.url, registers);
    expect(aside).toHaveLength(5);
    const published = await give({ label: { zh: '厂', en: 'Plants' } });
    expect(labelOf(published.model)).toBe('Plants');
    await takeBack(...aside.map((it) => it.id));
    expect((await prepareDatabase(database.url, registers)).aside).toEqual([]);
  });
});

describe('a server that follows', () => {
  const follow = async (last = 0) => {
    const holder = createHolder(readModel(registers), last);
    const seen: (string | undefined)[] = [];
    const errors: unknown[] = [];
    const follower = await followDefinitions(database.url, {
      registers,
      holder,
      onModel: (model) => seen.push(labelOf(model)),
      onError: (error) => errors.push(error),
    });
    return { holder, seen, errors, follower };
  };
  const until = (isThere: () => boolean) => vi.waitUntil(isThere, OFTEN);

  it('works by what was published, as soon as it hears of it', async () => {
    const { holder, follower } = await follow();
    await give({ label: { zh: '厂', en: 'Plants' } });
    await until(() => labelOf(holder.current) === 'Plants');
    await follower.close();
  });

  it('that slept through three publishes has the last of them once it hears again', async () => {
    const { holder, seen, follower } = await follow();
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'reflow definitions' AND datname = current_database()`,
    );
    for (const en of ['One', 'Two', 'Three']) await give({ label: { zh: en, en } });
    await until(() => labelOf(holder.current) === 'Three');
    expect(seen.at(-1)).toBe('Three');
    await follower.close();
  });

  it('that was started before all was taken back has nothing of it left', async () => {
    const { id, model } = await give({ label: { zh: '厂', en: 'Plants' } });
    await takeBack(id);
    const holder = createHolder(model, id);
    const ignore = () => undefined;
    const rest = { registers, holder, onModel: ignore, onError: ignore };
    const follower = await followDefinitions(database.url, rest);
    expect(labelOf(holder.current)).not.toBe('Plants');
    await follower.close();
  });

  it('that starts after a publish begins by it', async () => {
    await give({ label: { zh: '厂', en: 'Plants' } });
    const { holder, follower } = await follow();
    expect(labelOf(holder.current)).toBe('Plants');
    await follower.close();
  });
});
