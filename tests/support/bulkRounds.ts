import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { BulkAnswer as Answer, Verdict } from '#domain/bulk.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { usesOf } from '#domain/definition/uses.ts';
import { PriceBillStatus, reviewStep } from '#domain/review.ts';
import { readModel } from '#server/definitions/read.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { newKey, type TestApp } from '#tests/support/app.ts';
import { deciders } from '#tests/support/decisions.ts';
import { registers } from '#tests/support/features.ts';
import { manyActions, type ManyAction } from '#tests/support/manyActions.ts';
import { randomFrom } from '#tests/support/stations.ts';
import { sendFile, workbook } from '#tests/support/workbooks.ts';

type BulkAnswer = Answer & { fields?: { name: string }[] };
const model = readModel(registers);
const { definitions } = model;
const definitionOf = (module: string) => definitions.get(module) as Definition;

/** What goes wrong on purpose: each is to be found by the rounds. */
export type Planted = 'goes by the version of the day' | 'does what the preview refused';

type Values = Record<string, unknown>;
interface Made {
  id: number;
  /** How it is told: by its number or its code. */
  no: string;
}
/** A row of the run, and its twin, to which the same happens and which is then dealt with alone. */
interface Pair {
  row: Made;
  twin: Made;
}
interface Round {
  action: ManyAction;
  as: string;
  values: Values;
  pairs: Pair[];
  /** Whether a value is unique: twins would be in the way of the rows then. */
  isUnique: boolean;
  /** Rows beside those of the run that it may change, where its preview says so. */
  beside: Made[];
}

interface Tally {
  rounds: number;
  /** By action, how many rows were done, had it already, and were refused or not sent. */
  actions: Record<string, { done: number; unchanged: number; refused: number }>;
  /** Rows that were changed, or lost, between preview and run. */
  changed: number;
  /** Rows of a run whose twin was dealt with alone. */
  compared: number;
  /** Fields of refused rows that were told as they had been and as they are. */
  told: number;
  /** What was done and not shown, or not as it was shown. */
  unseen: string[];
  /** What was refused without saying why, or differs from the same done alone. */
  wrong: string[];
}

const nameOf = ({ module, script }: ManyAction) => `${module}:${script}`;
let made = 0;
const next = (prefix: string) => `${prefix}${String(++made).padStart(6, '0')}`;

/**
 * Rounds of somebody who previews one action on many rows and runs it, while others change, take, use and delete rows in
 * between. Nothing is done that was not shown as it stood; what was refused stays as it is and says how it stands; and of
 * each row comes what comes of its twin, with which the same is done alone.
 */
export async function bulkAtRandom(
  testApp: TestApp,
  { rounds, seed, planted }: { rounds: number; seed: number; planted?: Planted },
): Promise<Tally> {
  const play = new Play(testApp, randomFrom(seed), planted);
  for (let i = 0; i < rounds; i++) await play.round(i, manyActions[i % manyActions.length] as ManyAction);
  return { ...play.tally, rounds };
}

class Play {
  readonly tally: Omit<Tally, 'rounds'> = { actions: {}, changed: 0, compared: 0, told: 0, unseen: [], wrong: [] };
  readonly #app: TestApp;
  readonly #random: () => number;
  readonly #planted: Planted | undefined;

  constructor(app: TestApp, random: () => number, planted: Planted | undefined) {
    this.#app = app;
    this.#random = random;
    this.#planted = planted;
  }

  #below = (n: number) => Math.floor(this.#random() * n);
  #oneOf = <T>(all: readonly T[]): T => all[this.#below(all.length)] as T;

  async round(n: number, action: ManyAction): Promise<void> {
    const round = await this.#set(action);
    const { module, script } = action;
    const { as, values, pairs } = round;
    const told = (this.tally.actions[nameOf(action)] ??= { done: 0, unchanged: 0, refused: 0 });
    const body = { action: script, ...(Object.keys(values).length > 0 && { values }) };
    const ask = (more: object, key = newKey()) =>
      this.#app.ask<BulkAnswer>('POST', `/api/${module}/bulk.json`, { ...body, ...more }, { as, key });
    const complain = (what: string) => this.tally.wrong.push(`round ${n}, ${nameOf(action)}: ${what}`);

    const untouched = await this.#read(round);
    const preview = await ask({ ids: this.#shuffled(pairs.map((it) => it.row.id)), dryRun: true });
    if (preview.code !== '000000') return void complain(`the preview answers ${preview.code} ${preview.msg}`);
    if (!same(await this.#read(round), untouched)) complain('the preview has written');

    const shown = new Map(preview.data.results.map((it) => [it.id, it]));
    told.unchanged += preview.data.unchangedCount;
    // What passing a price does is told of each price.
    if (round.beside.length > 0) {
      const { data } = await ask({ ids: pairs.map((it) => it.twin.id), dryRun: true });
      for (const it of data.results) shown.set(it.id, it);
    }
    for (const pair of pairs) await this.#meddle(round, pair);
    if (this.#below(4) === 0) await this.#meddleBeside(round);
    const before = await this.#read(round);
    const isTouched = (id: number) => before.get(id)?.version !== untouched.get(id)?.version;
    this.tally.changed += pairs.filter(({ row }) => isTouched(row.id)).length;

    const wanted = preview.data.results
      .filter((it) => this.#planted === 'does what the preview refused' || it.done)
      .filter(() => this.#below(8) > 0);
    if (wanted.length === 0) return;
    const isBlind = this.#planted !== undefined;
    const versions = Object.fromEntries(
      wanted.map((it) => [it.id, (isBlind ? before.get(it.id)?.version : undefined) ?? it.version ?? 1]),
    );
    const foreseen = Object.fromEntries(wanted.flatMap((it) => (it.foreseen ? [[it.id, it.foreseen]] : [])));
    const sent = { ids: wanted.map((it) => it.id), versions, foreseen };
    const [key, from] = [newKey(), await this.#lastEntry()];
    const run = await ask(sent, key);
    if (run.code !== '000000') return void complain(`the run answers ${run.code} ${run.msg}`);
    const after = await this.#read(round);
    const again = await ask(sent, key);
    if (!same(again.data, run.data)) complain('the same key gives another answer');
    if (!same(await this.#read(round), after)) complain('the same key is done twice');

    const outcomes = new Map(run.data.results.map((it) => [it.id, it]));
    for (const { row } of pairs) {
      const [was, is] = [before.get(row.id), after.get(row.id)];
      const verdict = outcomes.get(row.id);
      const what = `row ${row.no}`;
      if (verdict?.done) told.done += 1;
      else if (!verdict?.unchanged) told.refused += 1;
      if (!verdict?.done) {
        const isMeant = verdict !== undefined && !isBlind && !isTouched(row.id);
        if (isMeant && !['inUse', 'valueInUse', 'foreseenChanged'].includes(verdict.key ?? ''))
          complain(`${what} was foreseen as done, and is refused: ${verdict.msg}`);
        if (!same(was, is)) this.#unseen(n, action, `${what} is changed and was ${verdict ? 'refused' : 'not sent'}`);
        const saysWhy = !verdict || verdict.unchanged || (verdict.key !== undefined && verdict.msg !== '');
        if (!saysWhy) complain(`${what} is refused without a word`);
        const [first, now] = [untouched.get(row.id), verdict?.row];
        if (verdict?.key === 'stale' && first && was) {
          // What belongs to no column of its table may be computed.
          const names = (preview.data.fields ?? []).map((it) => it.name).filter((it) => it in was.row);
          const changed = names.filter((it) => !same(first.row[it] ?? null, was.row[it] ?? null));
          const then = shown.get(row.id)?.row;
          const shownChanged = names.filter((it) => !same(then?.[it] ?? null, now?.[it] ?? null));
          if (!then || !now || !same(changed, shownChanged))
            complain(`${what} changed in ${changed.join()}, and ${shownChanged.join()} is told`);
          this.tally.told += changed.length;
        }
        if (verdict && was && verdict.version !== was.version)
          complain(`${what} is refused by another version than it has`);
        continue;
      }
      if (!shown.get(row.id)?.done) this.#unseen(n, action, `${what} is done, and was foreseen as refused`);
      if (isTouched(row.id)) this.#unseen(n, action, `${what} is done, and was changed in between`);
      if (same(was, is)) complain(`${what} is told as done, and stands as it did`);
    }
    await this.#checkLedger(round, run.data.results, from, complain);
    const notes = [...shown.values()].flatMap((it) => it.notes ?? []).join();
    for (const { id, no } of round.beside)
      if (!same(before.get(id), after.get(id)) && !notes.includes(no))
        this.#unseen(n, action, `${no} is changed beside the run, and the preview did not say so`);
    if (!round.isUnique && !isBlind)
      await this.#compare(round, { untouched, before, after, shown, outcomes }, complain);
    // Nobody does the jobs here, and a user may have few that wait.
    await this.#app.db.deleteFrom('job').execute();
  }

  #unseen = (n: number, action: ManyAction, what: string) =>
    void this.tally.unseen.push(`round ${n}, ${nameOf(action)}: ${what}`);

  /** What comes of each row comes of its twin, if the same is done to that alone. */
  async #compare(
    { action, as, values, pairs }: Round,
    seen: { untouched: Rows; before: Rows; after: Rows; shown: Map<number, Verdict>; outcomes: Map<number, Verdict> },
    complain: (what: string) => unknown,
  ): Promise<void> {
    for (const { row, twin } of pairs) {
      const verdict = seen.outcomes.get(row.id);
      if (!verdict) continue;
      const version = seen.untouched.get(twin.id)?.version;
      const foreseen = seen.shown.get(twin.id)?.foreseen ?? '';
      const alone = await this.#alone(action, { as, id: twin.id, version, values, foreseen });
      this.tally.compared += 1;
      const key =
        alone.code === '000000' ? undefined : (alone.data as { problems: { key: string }[] }).problems[0]?.key;
      if (verdict.key !== key) complain(`${row.no} answers ${verdict.key}, and alone ${key}: ${alone.msg}`);
      const now = await this.#readRows(action.module, [twin.id]);
      const [many, one] = [
        effectOf(seen.before.get(row.id), seen.after.get(row.id), row),
        effectOf(seen.before.get(twin.id), now.get(twin.id), twin),
      ];
      if (!same(many, one)) complain(`${row.no} becomes ${JSON.stringify(many)}, and alone ${JSON.stringify(one)}`);
    }
  }

  #alone({ module, script }: ManyAction, { as, id, version, values, foreseen }: Values & { as: string }) {
    const asking = { as };
    if (script === 'modify')
      return this.#app.ask('POST', `/api/${module}/modifyById.json`, { ...(values as Values), id, version }, asking);
    if (script === 'deleteAll') return this.#app.ask('POST', `/api/${module}/deleteById.json`, { id, version }, asking);
    const decider = deciders.find((it) => it.path === `/api/${module}/${script}.json`);
    const input = { ...(values as Values), id: String(id), version, ...(module === 'rmaPriceBill' && { foreseen }) };
    return this.#app.ask(decider?.method ?? 'POST', `/api/${module}/${script}.json`, input, asking);
  }

  /** Each row that is done has one entry more, and no other has. */
  async #checkLedger(
    { action: { module }, pairs }: Round,
    results: readonly Verdict[],
    from: number,
    complain: (what: string) => unknown,
  ): Promise<void> {
    const { rows } = await sql<{ it: string; n: number }>`
      SELECT "recordId" AS it, count(*)::int AS n FROM ledger WHERE id > ${from} AND module = ${module} GROUP BY 1`.execute(
      this.#app.db,
    );
    const told = new Map(rows.map(({ it, n }) => [it, n]));
    for (const { row } of pairs) {
      const names = new Set([String(row.id), row.no]);
      const count = [...names].reduce((sum, it) => sum + (told.get(it) ?? 0), 0);
      const expected = results.find((it) => it.id === row.id)?.done ? 1 : 0;
      if (count !== expected) complain(`${row.no} has ${count} entries in the ledger instead of ${expected}`);
    }
  }

  async #lastEntry(): Promise<number> {
    const { rows } = await sql<{ id: number }>`SELECT coalesce(max(id), 0) AS id FROM ledger`.execute(this.#app.db);
    return Number(rows[0]?.id);
  }

  async #set(action: ManyAction): Promise<Round> {
    const { module, script } = action;
    const isGeneric = script === 'modify' || script === 'deleteAll';
    const round: Round = {
      ...{ action, as: 'admin', values: {}, isUnique: false, beside: [] },
      pairs: [],
    };
    const decider = deciders.find((it) => it.path === `/api/${module}/${script}.json`);
    if (!isGeneric && !decider) throw new Error(`${nameOf(action)} makes no rows: tell decisions.ts how`);
    if (script === 'modify') Object.assign(round, await this.#someValues(module));
    if (decider && reviewStep(module, script))
      round.values = this.#oneOf([
        { result: '2' },
        { result: '1', remark: 'no papers' },
        { result: '2', remark: 'seen' },
      ]);
    if (decider) round.as = decider.as;
    const make = async (): Promise<Made> => {
      if (!decider) return this.#make(module);
      const { id } = await decider.make(this.#app.db);
      const { number } = definitionOf(module);
      return { id, no: String((await this.#readRows(module, [id])).get(id)?.row[number?.field ?? 'id']) };
    };
    for (let i = 2 + this.#below(4); i > 0; i--) {
      const pair = { row: await make(), twin: await make() };
      round.pairs.push(pair);
      if (this.#below(4) === 0) await this.#unfit(round, pair);
      else if (script === 'modify' && !round.isUnique && this.#below(3) === 0)
        // What does not fit stands in no row.
        await this.#write(module, pair, round.values, { quietly: true }).catch(() => undefined);
      if (this.#below(6) === 0)
        round.pairs.push({
          row: { id: 800_000_000 + made, no: 'nowhere' },
          twin: { id: 900_000_000 + made, no: 'nowhere' },
        });
    }
    if (module === 'rmaPriceBill') for (const pair of round.pairs) await this.#earlierPrice(round, pair);
    return round;
  }

  async #make(module: string): Promise<Made> {
    const definition = definitionOf(module);
    const no = next('MANY');
    const texts = Object.fromEntries(
      Object.entries(definition.fields).flatMap(([name, it]) =>
        it.type === 'String' && !it.readOnly && !it.computed ? [[name, `${no} ${name}`.slice(0, 20)]] : [],
      ),
    );
    const row = { ...texts, ...alwaysOf(definition, definitions) };
    const { id } = (await insertRow(this.#app.db, definition, row, definitions)) as { id: number };
    return { id: Number(id), no: String(id) };
  }

  /** Some fields of the form: a value of its kind, none, one that does not fit, one that is unique. */
  async #someValues(module: string): Promise<Pick<Round, 'values' | 'isUnique'>> {
    const { fields, form = [], unique = [] } = definitionOf(module);
    const names = form.flat().filter((it) => !fields[it]?.readOnly);
    const chosen = names.filter(() => this.#below(names.length) === 0);
    const values: Values = {};
    for (const name of chosen.length > 0 ? chosen : [this.#oneOf(names)]) {
      const field = fields[name] as Definition['fields'][string];
      const known = field.options
        ? (model.options[field.options] ?? []).map((it) => it.value)
        : await this.#referred(field);
      const one = field.type === 'Integer' ? 10_000 + ++made : known.length > 0 ? this.#oneOf(known) : next('SET');
      values[name] = this.#below(5) === 0 ? this.#oneOf([null, '', 'no such value']) : one;
    }
    const keys = new Set([...unique.flat(), ...names.filter((it) => fields[it]?.unique)]);
    return { values, isUnique: Object.keys(values).some((it) => keys.has(it)) };
  }

  async #referred({ ref }: Definition['fields'][string]): Promise<string[]> {
    if (!ref) return [];
    const { rows } = await sql<{ value: string }>`
      SELECT ${sql.ref(ref.value)} AS value FROM ${sql.table(definitionOf(ref.module).table)} ORDER BY id LIMIT 5`.execute(
      this.#app.db,
    );
    return rows.map((it) => it.value);
  }

  /** The rows are in a state in which it can't be done, in use, or of a site that the user does not see. */
  async #unfit({ action: { module }, as }: Round, pair: Pair): Promise<void> {
    const { fields, site } = definitionOf(module);
    const state = ['billStatus', 'status'].find((it) => it in fields);
    if (state && this.#below(2) === 0) {
      await this.#write(module, pair, { [state]: this.#stateOf(module, state) }, { quietly: true });
    } else if (Array.isArray(site) && as === 'warehouse') {
      await this.#write(module, pair, Object.fromEntries(site.map((it) => [it, 'NB'])), { quietly: true });
    } else if (!state) await this.#use(module, pair);
  }

  #stateOf = (module: string, state: string): string =>
    this.#oneOf(model.options[definitionOf(module).fields[state]?.options ?? ''] ?? []).value;

  /** Somebody else, between preview and run: does nothing, changes, moves on, uses or deletes the row, and its twin. */
  async #meddle({ action: { module, script } }: Round, pair: Pair): Promise<void> {
    const { fields } = definitionOf(module);
    const state = ['billStatus', 'status'].find((it) => it in fields);
    const figure = deciders.find((it) => it.path === `/api/${module}/${script}.json`)?.figure;
    switch (this.#below(8)) {
      case 0:
      case 1: {
        const name =
          figure ?? Object.keys(fields).find((it) => fields[it]?.type === 'String' && !fields[it]?.unique) ?? '';
        const isText = ['String', 'LongString'].includes(fields[name]?.type ?? '');
        const to = 10 + this.#below(90_000);
        // What is unique together stays so: each its own.
        await this.#write(module, pair, (it) => ({ [name]: isText ? `${to} ${it.no}` : to }));
        return;
      }
      case 2:
        if (state) await this.#write(module, pair, { [state]: this.#stateOf(module, state) });
        return;
      case 3:
        for (const { id } of [pair.row, pair.twin])
          await sql`DELETE FROM ${sql.table(definitionOf(module).table)} WHERE id = ${id}`
            .execute(this.#app.db)
            // What is in use stays.
            .catch(() => undefined);
        return;
      case 4:
        if (!state) await this.#use(module, pair);
        return;
      default:
    }
  }

  /** Another row begins to name them. */
  async #use(module: string, { row, twin }: Pair): Promise<void> {
    const use = usesOf(definitions).find(
      (it) => it.to.module === module && !it.isView && it.separator === undefined && it.module !== module,
    );
    if (!use) return;
    const from = definitionOf(use.module);
    for (const { id } of [row, twin]) {
      const value = (await this.#readRows(module, [id])).get(id)?.row[use.to.column];
      if (value == null) continue;
      const site = 'siteId' in from.fields ? { siteId: 'SZ' } : {};
      const naming = { ...alwaysOf(from, definitions), ...site, [use.column]: value };
      await insertRow(this.#app.db, from, naming, definitions);
    }
  }

  async #write(
    module: string,
    { row, twin }: Pair,
    values: Values | ((it: Made) => Values),
    { quietly = false } = {},
  ): Promise<void> {
    for (const it of [row, twin]) {
      const sets = Object.entries(typeof values === 'function' ? values(it) : values).map(
        ([name, value]) => sql`${sql.ref(name)} = ${value}`,
      );
      const seen = quietly ? [] : [sql`version = version + 1, "updateBy" = 'somebody', "updateTime" = now()`];
      await sql`UPDATE ${sql.table(definitionOf(module).table)} SET ${sql.join([...sets, ...seen])} WHERE id = ${it.id}`.execute(
        this.#app.db,
      );
    }
  }

  /** A price of the same work that passed before, and that this one would end. */
  async #earlierPrice(round: Round, { row, twin }: Pair): Promise<void> {
    if (this.#below(2) === 0) return;
    const definition = definitionOf('rmaPriceBill');
    for (const { id } of [row, twin]) {
      const of = (await this.#readRows('rmaPriceBill', [id])).get(id)?.row;
      if (!of) continue;
      const prbId = next('EARL');
      const own = Object.entries(of).filter(
        ([name]) => name in definition.fields && !definition.fields[name]?.computed,
      );
      const days = { effectiveDate: '2026-10-01', expirationDate: '2026-11-25' };
      const passed = { ...Object.fromEntries(own), ...days, prbId, billStatus: PriceBillStatus.Passed };
      const made = await insertRow(this.#app.db, definition, passed, definitions);
      round.beside.push({ id: Number(made?.id), no: prbId });
    }
  }

  /** What the run does besides is another thing by then. */
  async #meddleBeside({ action: { module }, beside }: Round): Promise<void> {
    for (const { id } of beside)
      await sql`UPDATE ${sql.table(definitionOf(module).table)}
                   SET "expirationDate" = "expirationDate" + 1, version = version + 1 WHERE id = ${id}`.execute(
        this.#app.db,
      );
  }

  #shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((it) => [this.#random(), it] as const)
      .sort((a, b) => a[0] - b[0])
      .map(([, it]) => it);
  }

  #read = ({ action: { module }, pairs, beside }: Round): Promise<Rows> =>
    this.#readRows(module, [...pairs.flatMap((it) => [it.row.id, it.twin.id]), ...beside.map((it) => it.id)]);

  async #readRows(module: string, ids: readonly number[]): Promise<Rows> {
    const { rows } = await sql<{ id: number; version: number; row: Values }>`
      SELECT id, version, to_jsonb(t) AS row FROM ${sql.table(definitionOf(module).table)} AS t WHERE id = ANY(${ids})
       ORDER BY id`.execute(this.#app.db);
    return new Map(rows.map((it) => [Number(it.id), { version: it.version, row: it.row }]));
  }
}

/** What sets one field of many bills: by the definitions, each import that does so. */
export const settingImports = [...definitions.values()].flatMap(({ module, buttons = [] }) =>
  buttons.flatMap(({ script, field, by }) =>
    script === 'uploadSignForTime' && field && by ? [{ module, script, field, by }] : [],
  ),
);

interface Looked {
  url: string;
  imported: number;
  bad: number;
  noted: number;
  problems: { row: number; msg: string }[];
}

/**
 * The same of workbooks that set a field: what stands there already is told, what was changed since is refused with what it is
 * by then, and all rows are written or none. The test app works jobs. `planted` imports without having looked.
 */
export async function importAtRandom(
  testApp: TestApp,
  { rounds, seed, planted = false }: { rounds: number; seed: number; planted?: boolean },
): Promise<{ imported: number; refused: number; wrong: string[] }> {
  const { db } = testApp;
  const random = randomFrom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const tally = { imported: 0, refused: 0, wrong: [] as string[] };
  const at = (n: number) => `2026-11-0${1 + n} 10:00`;
  for (let n = 0; n < rounds; n++) {
    const { module, script, field, by } = settingImports[n % settingImports.length] as (typeof settingImports)[number];
    const definition = definitionOf(module);
    const table = sql.table(definition.table);
    const rows: { id: number; no: string; had: number | null; made: number; wanted: number }[] = [];
    for (let i = 1 + below(5); i > 0; i--) {
      const no = next('BYNO');
      const had = below(2) === 0 ? null : below(3);
      const made = below(3);
      const row = {
        ...alwaysOf(definition, definitions),
        ...{
          siteId: 'SZ',
          createTime: new Date(`${at(made)}+08:00`),
          [by[0] as string]: no,
          [field]: had === null ? null : new Date(`${at(had)}+08:00`),
        },
      };
      const { id } = (await insertRow(db, definition, row, definitions)) as { id: number };
      rows.push({ id: Number(id), no, had, made, wanted: below(3) });
    }
    const read = async () =>
      (
        await sql<{ id: number; version: number; value: number | null }>`
          SELECT id, version, ${sql.ref(field)} AS value FROM ${table} WHERE id = ANY(${rows.map((it) => it.id)}) ORDER BY id`.execute(
          db,
        )
      ).rows;
    const complain = (what: string) => tally.wrong.push(`round ${n}, ${module}: ${what}`);
    const heads = [by[0] as string, field].map((it) => definition.fields[it]?.label.en ?? it);
    const sheet = await workbook([heads, ...rows.map((it) => [it.no, at(it.wanted)])]);
    const path = `/api/${module}/${script}.json`;
    const untouched = await read();
    const look = await sendFile<Looked>(testApp, path, [sheet], { as: 'admin', fields: { dryRun: '1' } });
    if (look.data.bad !== 0) complain(`the look answers ${look.msg} ${JSON.stringify(look.data.problems)}`);
    const noted = rows.filter((it) => it.had !== it.wanted && (it.had !== null || it.wanted < it.made)).length;
    if (look.data.noted !== noted)
      complain(`${look.data.noted} rows are told as written over or before their bill, and there are ${noted}`);
    if (!same(await read(), untouched)) complain('the look has written');
    const taken = new Set<string>();
    for (const { id, no } of rows) {
      if (below(4) > 0) continue;
      const to = below(3);
      taken.add(no);
      await sql`UPDATE ${table} SET ${sql.ref(field)} = ${new Date(`${at(to)}+08:00`)}, version = version + 1, "updateBy" = 'somebody',
                       "updateTime" = now() WHERE id = ${id}`.execute(db);
    }
    const before = await read();
    const run = planted
      ? await sendFile<Looked>(testApp, path, [sheet], { as: 'admin' })
      : await testApp.ask<Looked>('POST', path, { url: look.data.url }, { as: 'admin' });
    const after = await read();
    const told = run.data.problems.map((it) => rows[it.row - 2]?.no).toSorted();
    if (taken.size > 0) {
      tally.refused += 1;
      if (!same(after, before)) complain('what was changed since is written over');
      if (!same(told, [...taken].toSorted()))
        complain(`${[...taken].join()} were changed since, and refused are ${told.join()}`);
      continue;
    }
    tally.imported += 1;
    for (const [i, { no, wanted }] of rows.entries()) {
      const [was, is] = [before[i], after[i]];
      const value = Date.parse(`${at(wanted)}+08:00`);
      if (is?.value !== value) complain(`${no} has another time than the workbook`);
      if (is?.version !== (was?.version ?? 0) + (was?.value === value ? 0 : 1))
        complain(`${no} has version ${is?.version}`);
    }
  }
  return tally;
}

type Rows = Map<number, { version: number; row: Values }>;

/** Whatever the order of their keys: a kept answer comes back in another one. */
const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);

/** What became of a row, without what is its own and without the moment. */
function effectOf(
  before: Rows extends Map<number, infer R> ? R | undefined : never,
  after: typeof before,
  { no }: Made,
) {
  if (!before || !after) return { is: after ? 'there' : 'gone' };
  return Object.fromEntries(
    Object.entries(after.row)
      .filter(([name, value]) => !same(value, before.row[name]))
      .map(([name, value]) => [
        name,
        /^\d{4}-\d\d-\d\dT/.test(String(value))
          ? 'a moment'
          : typeof value === 'string' && /^[A-Z]/.test(no)
            ? value.replaceAll(no, '')
            : value,
      ]),
  );
}
