import { sql } from 'kysely';
import pg from 'pg';
import type { Definition } from '#domain/definition/grammar.ts';
import { validateModel, validateShape } from '#domain/definition/problems.ts';
import { planTables } from '#server/definitions/schema.ts';
import type { TestApp } from '#tests/support/app.ts';
import { registers } from '#tests/support/features.ts';

/** A module of every field type with every generic button, so that the engine is proven by no module's own oddities. */
export const probe: Definition = {
  module: 'probe',
  label: { zh: '样单', en: 'Probes' },
  table: 'probe',
  site: ['siteId'],
  number: { field: 'probeId', prefix: 'PBE' },
  writes: 'all',
  fields: {
    probeId: { type: 'String', label: { zh: '样单号', en: 'Probe' }, readOnly: true, unique: true, format: 'code' },
    title: { type: 'String', label: { zh: '名称', en: 'Title' }, required: true, maxLength: 20 },
    note: { type: 'LongString', label: { zh: '备注', en: 'Note' } },
    shop: { type: 'String', label: { zh: '编码', en: 'Code' }, format: 'code', upperCase: true },
    count: { type: 'Integer', label: { zh: '数量', en: 'Count' }, max: 50 },
    size: { type: 'Number', label: { zh: '尺寸', en: 'Size' } },
    big: { type: 'Long', label: { zh: '长数', en: 'Big' } },
    serial: { type: 'Integer', label: { zh: '序号', en: 'Serial' }, unique: true },
    amount: { type: 'BigDecimal', label: { zh: '金额', en: 'Amount' } },
    taxRate: { type: 'BigDecimal', label: { zh: '税率', en: 'Tax rate' }, format: 'percent' },
    day: { type: 'date', label: { zh: '日期', en: 'Day' } },
    seenAt: { type: 'dateTime', label: { zh: '时间', en: 'Seen at' } },
    month: { type: 'Month', label: { zh: '月份', en: 'Month' } },
    status: { type: 'select', label: { zh: '状态', en: 'Status' }, options: 'billStatus', default: '0' },
    reason: { type: 'String', label: { zh: '原因', en: 'Reason' }, requiredWhen: { status: '2' } },
    shipId: {
      type: 'select',
      label: { zh: '物流', en: 'Shipment' },
      ref: { module: 'ubsShipment', value: 'shipId', label: 'name' },
    },
    siteId: {
      type: 'select',
      label: { zh: '站点', en: 'Site' },
      ref: { module: 'ubsSite', value: 'siteId', label: 'siteName' },
    },
    grade: { type: 'String', label: { zh: '等级', en: 'Grade' }, required: true, visibleWhen: { status: ['4'] } },
    fee: { type: 'BigDecimal', label: { zh: '费用', en: 'Fee' }, readOnlyWhen: { status: ['3'] } },
    lastDay: { type: 'date', label: { zh: '截止日', en: 'Last day' }, minField: 'day' },
    sn: { type: 'String', label: { zh: 'SN', en: 'SN' }, sn: true },
    remark: { type: 'LongString', label: { zh: '说明', en: 'Remark' }, maxLength: 500 },
    motherId: {
      type: 'select',
      label: { zh: '母单', en: 'Mother' },
      ref: { module: 'probe', value: 'probeId', label: 'title' },
    },
    secret: { type: 'password', label: { zh: '密码', en: 'Secret' } },
    cost: { type: 'BigDecimal', label: { zh: '成本', en: 'Cost' } },
  },
  search: ['title', 'probeId', 'shop', 'count', 'day', 'seenAt', 'month', 'status', 'shipId'],
  list: {
    columns: [
      'probeId',
      'title',
      'shop',
      'count',
      'size',
      'big',
      'serial',
      'amount',
      'day',
      'seenAt',
      'month',
      'status',
      'shipId',
      'siteId',
    ],
    sort: '-id',
    link: true,
  },
  form: [
    ['title', 'note', 'shop', 'count', 'size', 'big', 'serial'],
    ['amount', 'taxRate', 'day', 'seenAt', 'month'],
    ['status', 'reason', 'shipId', 'siteId', 'secret'],
    ['grade', 'fee', 'lastDay', 'sn', 'remark', 'motherId'],
  ],
  detail: ['probeId', 'title', 'status', 'siteId'],
  lines: [{ name: 'probeLineList', module: 'probeLine', by: 'probeId' }],
  buttons: [
    { btnNo: 'add', script: 'create', label: { zh: '新增', en: 'Add' } },
    { btnNo: 'edit', script: 'modify', label: { zh: '修改', en: 'Modify' }, rows: 1, when: { status: ['0', '2'] } },
    { btnNo: 'drop', script: 'deleteById', label: { zh: '删除', en: 'Delete' }, rows: 1 },
    { btnNo: 'dropAll', script: 'deleteAll', label: { zh: '批量删除', en: 'Delete selected' }, rows: 'many' },
  ],
};

export const probeLine: Definition = {
  module: 'probeLine',
  label: { zh: '样单明细', en: 'Probe lines' },
  table: 'probe_line',
  site: { through: 'probe', by: 'probeId' },
  writes: 'all',
  fields: {
    probeId: { type: 'String', label: { zh: '样单号', en: 'Probe' }, format: 'code' },
    sn: { type: 'String', label: { zh: 'SN', en: 'SN' }, sn: true },
  },
  list: { columns: ['probeId', 'sn'] },
  buttons: [{ btnNo: 'drop', script: 'deleteById', label: { zh: '删除', en: 'Delete' }, rows: 1 }],
};

/** Gives a running test server the two modules, their tables, and `prober` (SZ), `proberNB` (NB), who may do all with them. */
export async function addProbe(testApp: TestApp): Promise<void> {
  const definitions = testApp.model.definitions as Map<string, Definition>;
  for (const it of [probe, probeLine]) definitions.set(it.module, it);
  const wrong = [probe, probeLine].flatMap((it) => validateShape(it, it.module));
  const problems = [...wrong, ...validateModel(testApp.model, registers)];
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const client = new pg.Client({ connectionString: testApp.url });
  await client.connect();
  for (const statement of (await planTables(client, [probe, probeLine])).statements) await client.query(statement);
  await client.end();
  await testApp.db
    .insertInto('admin_role')
    .values({ roleId: 'prober', name: '样单员', nameEn: 'Prober', allSites: '0' })
    .execute();
  await testApp.db
    .insertInto('role_right')
    .values(['probe:*', 'probeLine:*'].map((right) => ({ roleId: 'prober', right })))
    .execute();
  await testApp.db
    .insertInto('admin_user')
    .values(
      [
        ['prober', 'SZ'],
        ['proberNB', 'NB'],
      ].map(([userId, siteId]) => ({
        userId: userId as string,
        userName: userId as string,
        roleIds: 'prober',
        siteId: siteId as string,
        allSites: '0',
        status: '1',
      })),
    )
    .execute();
}

type Values = Record<string, unknown>;

/** Puts rows into one of the two tables as they are; their ids. */
export async function putRows(testApp: TestApp, table: 'probe' | 'probe_line', rows: Values[]): Promise<number[]> {
  const ids: number[] = [];
  for (const row of rows) {
    const names = Object.keys(row);
    const { rows: put } = await sql<{ id: number }>`
      INSERT INTO ${sql.table(table)} (${sql.join(names.map((it) => sql.ref(it)))})
      VALUES (${sql.join(names.map((it) => row[it]))}) RETURNING id`.execute(testApp.db);
    ids.push(put[0]?.id as number);
  }
  return ids;
}

export const countRows = async (testApp: TestApp, table: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(testApp.db);
  return rows[0]?.n as number;
};

export const readRow = async (testApp: TestApp, id: number): Promise<Values | undefined> =>
  (await sql<Values>`SELECT * FROM probe WHERE id = ${id}`.execute(testApp.db)).rows[0];
