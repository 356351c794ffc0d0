import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import type { Publication } from '#server/definitions/definitions.ts';
import { publish } from '#server/definitions/publish.ts';
import { registers } from '#tests/support/features.ts';
import { createPreparedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

let database: OpenedDatabase;
let client: OpenedDatabase['client'];
beforeAll(async () => {
  database = await createPreparedDatabase();
  ({ client } = database);
});
afterAll(() => database.close());

const give = async (change: DefinitionChange | undefined, more: Partial<Publication> = {}) => {
  const changes = change ? [{ module: 'ubsShipment', change }] : [];
  const { id } = await publish(database.url, registers, {
    ...{ changes, takesBack: [], note: '', userId: 'admin', siteId: 'SZ', ...more },
  });
  return id;
};
const takeBack = (...takesBack: number[]) => give(undefined, { takesBack });
const label = { zh: '键', en: 'Button' };
const making = (script: string): DefinitionChange => ({ buttons: { more: { script, label } } });
const hold = (roleId: string) =>
  client.query(`INSERT INTO role_right ("roleId", "right") VALUES ($1, 'ubsShipment:more')`, [roleId]);
const holders = async () =>
  (
    await client.query<{ roleId: string }>(
      `SELECT "roleId" FROM role_right WHERE "right" = 'ubsShipment:more' ORDER BY 1`,
    )
  ).rows.map((it) => it.roleId);

afterEach(async () => {
  const { rows } = await client.query<{ id: number }>(
    `SELECT id::int FROM definition_publish WHERE "takesBack" = '{}' AND "isInForce"`,
  );
  if (rows.length > 0) await takeBack(...rows.map((it) => it.id));
  await client.query(`DELETE FROM role_right WHERE "right" = 'ubsShipment:more'; TRUNCATE definition_publish CASCADE;
                      DROP TABLE IF EXISTS tool_first, tool_other`);
});

describe('a button that is made again', () => {
  it('is for nobody who held the former one, whatever it does, and the ledger says so', async () => {
    const first = await give(making('detail'));
    await hold('office');
    await hold('viewer');
    await takeBack(first);
    await give(making('deleteAll'));
    expect(await holders()).toEqual([]);
    const { rows } = await client.query(
      `SELECT "recordId", before, after FROM ledger WHERE what = 'rightModify' ORDER BY "recordId"`,
    );
    const told = { before: { rights: ['ubsShipment:more'] }, after: { rights: [] } };
    expect(rows).toEqual(['office', 'viewer'].map((recordId) => ({ recordId, ...told })));
  });

  it('is for those to whom it is given with it', async () => {
    const first = await give(making('detail'));
    await hold('office');
    await takeBack(first);
    await give({ ...making('detail'), rights: { viewer: ['list', 'more'] } });
    expect(await holders()).toEqual(['viewer']);
  });

  it('that comes again by a taking back is for those who had it, as long as there was no other of its name', async () => {
    const first = await give(making('detail'));
    await hold('office');
    const gone = await takeBack(first);
    await takeBack(gone);
    expect(await holders()).toEqual(['office']);
    const away = await takeBack(first);
    const other = await give(making('create'));
    await hold('viewer');
    await takeBack(other);
    await takeBack(away);
    expect(await holders()).toEqual([]);
  });

  it('keeps who holds it when another part of it is altered, and when that is taken back', async () => {
    await give(making('detail'));
    await hold('office');
    const hidden = await give({ buttons: { more: { hidden: true } } });
    expect(await holders()).toEqual(['office']);
    await takeBack(hidden);
    expect(await holders()).toEqual(['office']);
  });
});

describe('whoever publishes a button', () => {
  const author = new Set(['sysDraft:publish', 'sysModule:configure', 'ubsShipment:list', 'ubsShipment:detail']);
  const by = { userId: 'planner', author, sites: 'all' } as const;
  beforeAll(async () => {
    await client.query(
      `INSERT INTO admin_role ("roleId", name, "nameEn", "allSites") VALUES ('shaper', 'x', 'x', '1'), ('other', 'x', 'x', '0');
       INSERT INTO role_right ("roleId", "right") VALUES ('shaper', 'sysDraft:publish');
       UPDATE admin_user SET "roleIds" = 'shaper|other' WHERE "userId" = 'planner'`,
    );
  });

  it('has it at once, by the roles by which he publishes, where he gives it to nobody', async () => {
    await give(making('detail'), by);
    expect(await holders()).toEqual(['shaper']);
  });

  it('has it no more when it is taken back, and again when it comes again by him', async () => {
    const id = await give(making('detail'), by);
    await client.query(`INSERT INTO role_right ("roleId", "right") VALUES ('shaper', 'ubsShipment:export')`);
    const gone = await give(undefined, { ...by, takesBack: [id] });
    expect(await holders()).toEqual([]);
    const { rows } = await client.query(
      `SELECT 1 FROM role_right WHERE "right" = 'ubsShipment:export' AND "roleId" = 'shaper'`,
    );
    expect(rows).toHaveLength(1);
    await give(undefined, { ...by, takesBack: [gone] });
    expect(await holders()).toEqual(['shaper']);
  });

  it('gives it with the publish, whoever had a former one of its name', async () => {
    await hold('viewer');
    await give({ ...making('detail'), rights: { other: ['more'] } }, by);
    expect(await holders()).toEqual(['other']);
  });

  it('gives nobody what others have beside it', async () => {
    const publishing = give({ ...making('detail'), rights: { other: ['more', 'modify'] } }, by);
    await expect(publishing).rejects.toMatchObject({ problems: [{ key: 'notYours' }] });
    expect(await holders()).toEqual([]);
  });

  it('adds none for what the list does already and he may not', async () => {
    await expect(give(making('create'), by)).rejects.toMatchObject({ problems: [{ rule: 'callNotYours' }] });
  });

  it('has nothing more by it who stands at the machine itself', async () => {
    await give(making('detail'));
    expect(await holders()).toEqual([]);
  });
});

describe('a right to a button that was there', () => {
  it('comes again by a taking back only from who has it by then, whoever says the button again', async () => {
    const by = (...more: string[]) => ({
      ...{ userId: 'office', author: new Set(['ubsShipment:list', ...more]), sites: 'all' as const },
    });
    await client.query(
      `INSERT INTO admin_role ("roleId", name, "nameEn", "allSites") VALUES ('porter', 'x', 'x', '1')`,
    );
    await give(making('detail'));
    const again = await give(
      { buttons: { more: { script: 'detail' } }, rights: { porter: ['list', 'more'] } },
      by('ubsShipment:more'),
    );
    const gone = await give(undefined, { takesBack: [again], ...by('ubsShipment:more') });
    await expect(give(undefined, { takesBack: [gone], ...by() })).rejects.toThrow();
    expect(await holders()).not.toContain('porter');
    await give(undefined, { takesBack: [gone], ...by('ubsShipment:more') });
    expect(await holders()).toContain('porter');
  });
});

describe('a module that comes again by a taking back', () => {
  const tool = (table: string, script: string): Definition => ({
    ...{ module: 'toolLoan', label, table, site: 'all', writes: 'all' },
    fields: { tool: { type: 'String', label } },
    list: { columns: ['tool'] },
    form: [['tool']],
    buttons: [{ btnNo: 'zap', script, label }],
  });
  const publishTool = async (definition: Definition, rights: Record<string, string[]> = {}) => {
    const changes = [{ module: 'toolLoan', change: { definition, rights } }];
    return (await publish(database.url, registers, { changes, takesBack: [], note: '', userId: 'admin', siteId: 'SZ' }))
      .id;
  };
  const grant = (roleId: string, ...buttons: string[]) =>
    client.query(
      `INSERT INTO role_right ("roleId", "right") SELECT $1, 'toolLoan:' || it FROM unnest($2::text[]) AS it`,
      [roleId, buttons],
    );
  const rights = async () =>
    (
      await client.query<{ it: string }>(
        `SELECT concat("roleId", ' ', "right") AS it FROM role_right WHERE "right" LIKE 'toolLoan:%' ORDER BY 1`,
      )
    ).rows.map((it) => it.it);
  afterEach(() => client.query(`DELETE FROM role_right WHERE "right" LIKE 'toolLoan:%'`));

  it('is for those to whom it was given with it, not for those who had another of its name', async () => {
    const first = await publishTool(tool('tool_first', 'deleteById'), { office: ['list', 'zap'] });
    const gone = await takeBack(first);
    const other = await publishTool(tool('tool_other', 'modify'));
    await grant('viewer', 'list', 'zap');
    await takeBack(other);
    await takeBack(gone);
    expect(await rights()).toEqual(['office toolLoan:list', 'office toolLoan:zap']);
  });

  it('gives no right to a button of which there was another, on whichever way that came', async () => {
    const first = await publishTool({ ...tool('tool_first', 'deleteById'), buttons: [] });
    const button = (script: string) =>
      publish(database.url, registers, {
        changes: [{ module: 'toolLoan', change: { buttons: { zap: { script, label } } } }],
        ...{ takesBack: [], note: '', userId: 'admin', siteId: 'SZ' },
      });
    const deleting = await button('deleteById');
    const away = await takeBack(deleting.id);
    await takeBack(first);
    const other = await publishTool(tool('tool_other', 'detail'));
    await grant('viewer', 'zap');
    await takeBack(other);
    const { rows } = await client.query<{ id: number }>('SELECT max(id)::int - 2 AS id FROM definition_publish');
    await takeBack(Number(rows[0]?.id));
    await takeBack(away);
    expect(await rights()).toEqual([]);
  });

  it('is for the roles that were there, whatever they are called since', async () => {
    await client.query(
      `INSERT INTO admin_role ("roleId", name, "nameEn", "allSites") VALUES ('chief', 'x', 'x', '0'), ('guest', 'x', 'x', '0')`,
    );
    const rename = (from: string, to: string) =>
      client.query(
        `WITH named AS (UPDATE admin_role SET "roleId" = $2 WHERE "roleId" = $1)
         UPDATE role_right SET "roleId" = $2 WHERE "roleId" = $1`,
        [from, to],
      );
    const first = await publishTool(tool('tool_first', 'detail'), { chief: ['list'] });
    await rename('chief', 'chiefOld');
    await rename('guest', 'chief');
    expect(await rights()).toEqual(['chiefOld toolLoan:list']);
    const gone = await takeBack(first);
    expect(await rights()).toEqual([]);
    await takeBack(gone);
    expect(await rights()).toEqual(['chiefOld toolLoan:list']);
  });
});
