import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSame } from '#domain/definition/fieldRules.ts';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { evaluate } from '#domain/definition/expression.ts';
import { parseExpression } from '#domain/definition/parseExpression.ts';
import { computedSql } from '#server/definitions/computedColumn.ts';
import { planTables } from '#server/definitions/schema.ts';
import { createMigratedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';
import { tries } from '#tests/support/tries.ts';

let database: OpenedDatabase;
let client: OpenedDatabase['client'];
beforeAll(async () => {
  database = await createMigratedDatabase();
  client = database.client;
});
afterAll(() => database.close());

const label = { zh: '名', en: 'Name' };
const field = (type: Field['type'], more: Partial<Field> = {}): Field => ({ type, label, ...more });
const computed = (type: Field['type'], text: string) => field(type, { computed: text, readOnly: true });
const crate: Definition = {
  ...{ module: 'crate', label, table: 'crate', site: 'all' },
  fields: {
    ...{ qty: field('Integer'), price: field('BigDecimal'), many: field('Long') },
    ...{ model: field('String'), note: field('LongString'), sent: field('date'), back: field('date') },
  },
};
const withField = (name: string, it: Field): Definition => ({ ...crate, fields: { ...crate.fields, [name]: it } });
async function apply(definition: Definition) {
  const plan = await planTables(client, [definition]);
  for (const it of plan.refused.length > 0 ? [] : plan.statements) await client.query(it);
  return plan;
}
const first = async (column: string) =>
  (await client.query<{ value: unknown }>(`SELECT "${column}" AS value FROM crate ORDER BY id LIMIT 1`)).rows[0]?.value;

/** The tests follow one another, as changes of a definition do. */
describe('a computed field', () => {
  it('is a column that the database computes, of the rows that are there as well', async () => {
    await apply(crate);
    await client.query(`INSERT INTO crate (qty, price) VALUES (3, 0.1)`);
    const { statements } = await apply(withField('worth', computed('BigDecimal', 'qty * price')));
    expect(statements[0]).toMatch(
      /^ALTER TABLE "crate" ADD COLUMN "worth" numeric\(18,6\) GENERATED ALWAYS AS .* VIRTUAL$/,
    );
    expect(await first('worth')).toBe('0.300000');
    await client.query(`UPDATE crate SET qty = 4`);
    expect(await first('worth')).toBe('0.400000');
    await expect(client.query(`UPDATE crate SET worth = 1`)).rejects.toThrow('can only be updated to DEFAULT');
  });

  it('is altered in place, and nothing is done where it is as it was', async () => {
    const altered = withField('worth', computed('BigDecimal', 'qty + price'));
    expect((await apply(altered)).statements[0]).toContain('ALTER COLUMN "worth" SET EXPRESSION AS');
    expect(await first('worth')).toBe('4.100000');
    expect((await apply(altered)).statements).toEqual([]);
  });

  it('leaves its name to a plain field, which leaves it to none', async () => {
    await apply(withField('worth', field('String')));
    expect(await first('worth')).toBeNull();
    const { refused } = await apply(withField('worth', computed('String', 'model')));
    expect(refused).toEqual([
      {
        ...{ rule: 'valuesThere', module: 'crate', path: 'fields.worth', name: 'worth' },
        what: expect.stringContaining('crate.worth has values') as string,
        inTheWay: { table: 'crate', column: 'worth' },
      },
    ]);
  });

  it('of another type is made anew', async () => {
    await apply(withField('sum', computed('BigDecimal', 'qty / 2')));
    await apply(withField('sum', computed('Integer', 'qty / 2')));
    expect(await first('sum')).toBe(2);
  });

  it('is refused by an older PostgreSQL, in words', async () => {
    const older: Pick<typeof client, 'query'> = {
      query: (async (text: string, values?: unknown[]) => {
        const answer = await client.query(text, values);
        return text.includes('server_version_num') ? { ...answer, rows: [{ version: 170_002 }] } : answer;
      }) as typeof client.query,
    };
    const { refused } = await planTables(older, [withField('half', computed('BigDecimal', 'qty / 2'))]);
    const what = expect.stringContaining('crate.half') as string;
    expect(refused).toEqual([{ rule: 'computedDatabase', module: 'crate', path: 'fields.half', name: 'half', what }]);
  });

  it('holds the same as the form has shown, whatever the expression and the row', async () => {
    await client.query('TRUNCATE crate');
    const all = withField('made', field('String'));
    const tried = fc.sample(fc.tuple(anyComputed, fc.array(anyRow, { minLength: 8, maxLength: 8 })), {
      ...tries(200),
    });
    let known = 0;
    for (const [{ type, text }, rows] of tried) {
      const parsed = parseExpression(text, { type }, all.fields);
      if ('fault' in parsed) {
        // Only what grew too large.
        expect(parsed.fault.rule, text).toBe('expressionLong');
        continue;
      }
      const sql = computedSql(withField('made', computed(type, text)), 'made');
      const answer = await client.query<{ made: unknown }>(
        `SELECT (${sql})::${type === 'String' ? 'text' : type === 'Integer' ? 'integer' : 'numeric(18,6)'} AS made
           FROM jsonb_populate_recordset(NULL::crate, $1)`,
        [JSON.stringify(rows.map((it) => ({ ...it.stored })))],
      );
      for (const [i, { wire }] of rows.entries()) {
        const [mine, its] = [evaluate(type, parsed.expression, wire), answer.rows[i]?.made ?? null];
        expect(isSame({ type }, mine, its), `${text} of ${JSON.stringify(wire)}: ${String(mine)}, ${String(its)}`).toBe(
          true,
        );
        if (its !== null) known++;
      }
    }
    expect(known, 'most have a value').toBeGreaterThan((tried.length * 8) / 3);
  });
});

const digits = fc.oneof(
  fc.constantFrom('0', '1', '2', '0.5', '2.5', '-0.000001', '0.05', '-1.5', '999999999999.999999', '3', '7'),
  fc.tuple(fc.integer({ min: -2000, max: 2000 }), fc.integer({ min: 0, max: 999_999 })).map(([a, b]) => `${a}.${b}`),
);
const text = fc.constantFrom('RX', "it's", 'a"b', 'back\\slash', '深圳', 'rx');
const whole = fc.oneof(fc.constantFrom(0, 1, -1, 2_147_483_647), fc.integer({ min: -500, max: 500 }));
const dayText = fc.constantFrom('2026-03-05', '2026-03-06', '2027-01-01', '1999-12-31');

/** A row as the wire says it, and as it is stored. */
const anyRow = fc
  .record({
    ...{
      qty: fc.option(whole, { freq: 6 }),
      price: fc.option(digits, { freq: 6 }),
      many: fc.option(whole, { freq: 6 }),
    },
    ...{ model: fc.option(text, { freq: 6 }), note: fc.option(text, { freq: 6 }) },
    ...{ sent: fc.option(dayText, { freq: 6 }), back: fc.option(dayText, { freq: 6 }) },
  })
  .map((stored) => {
    const ms = (it: string | null) => it && Date.parse(`${it}T00:00:00+08:00`);
    return { stored, wire: { ...stored, sent: ms(stored.sent), back: ms(stored.back) } };
  });

const { number: anyNumber, text: anyText } = fc.letrec<{ number: string; text: string; truth: string }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom('qty', 'price', 'many', '0', '2', '0.3', '1000', 'ifEmpty(price, 1.5)', 'days(sent, back)'),
    fc
      .tuple(tie('number'), fc.constantFrom('+', '-', '*', '/'), tie('number'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('number'), fc.constantFrom('-', 'abs', 'r0', 'r2')).map(([a, how]) => {
      if (how === '-') return `-(${a})`;
      return how === 'abs' ? `abs(${a})` : `round(${a}, ${how[1]})`;
    }),
    fc.tuple(tie('truth'), tie('number'), tie('number')).map(([c, a, b]) => `(${c} ? ${a} : ${b})`),
  ),
  text: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom('model', 'note', '"-"', '""', '"it\'s"', 'ifEmpty(note, "none")'),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} + ${b})`),
    tie('number').map((it) => `string(${it})`),
    fc.tuple(tie('truth'), tie('text'), tie('text')).map(([c, a, b]) => `(${c} ? ${a} : ${b})`),
  ),
  truth: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc
      .tuple(tie('number'), fc.constantFrom('==', '!=', '<', '<=', '>', '>='), tie('number'))
      .map((it) => `(${it.join(' ')})`),
    fc.tuple(tie('text'), fc.constantFrom('==', '!='), tie('text')).map((it) => `(${it.join(' ')})`),
    fc.constantFrom('(sent < back)', '(sent == back)', '(ifEmpty(sent, back) >= back)'),
    fc.tuple(tie('truth'), fc.constantFrom('&&', '||'), tie('truth')).map((it) => `(${it.join(' ')})`),
    tie('truth').map((it) => `!${it}`),
  ),
}));
const anyComputed = fc.oneof(
  fc.record({ type: fc.constantFrom<Field['type']>('BigDecimal', 'Integer'), text: anyNumber }),
  fc.record({ type: fc.constant<Field['type']>('String'), text: anyText }),
);
