import { sql } from 'kysely';
import type { Definition, Field, Model } from '#domain/definition/grammar.ts';
import { mayDo } from '#domain/rights.ts';
import type { CountingChange } from '#server/definitions/published.ts';
import { standardFields, type PublishedChange } from '#server/definitions/read.ts';
import type { TestApp } from '#tests/support/app.ts';

/**
 * What each account may read, reckoned without the engine: by what the shipped lists show at its site, and by what who
 * published could give. A text counts from five letters on, as shorter ones are everywhere.
 */
export interface Account {
  userId: string;
  /** Its role has the same name. */
  siteId: string;
}

interface TextRow {
  id: number;
  texts: Record<string, string>;
}

/** A row of a module that was published with a table of its own. */
interface OwnRow extends TextRow {
  table: string;
  siteId: string;
  /** The publish that had brought its module. */
  publishId: number;
}

/** What a publish shows of a module to whoever has a right of `where`. */
interface Grant {
  where: string;
  target: string;
  fields: readonly string[];
}

const isTold = (text: string): boolean => text.length >= 5;
/** Of every row: customers make some. */
const makers = ['createBy', 'updateBy'];
const textTypes = new Set(['String', 'LongString', 'select', 'Month']);

/** All texts within a value, the names of its parts among them, as labels stand by their values. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield value;
    // Computed texts are joined so.
    if (value.includes('~')) yield* value.split('~');
  } else if (Array.isArray(value)) for (const it of value) yield* textsIn(it);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, it] of Object.entries(value)) {
      yield name;
      yield* textsIn(it);
    }
  }
}

/** What a field answers beside its value. */
function refersTo({ ref, format }: Field): { module: string; fields: string[] }[] {
  const within = ref?.within ? [ref.within.field] : [];
  return [
    ...(ref ? [{ module: ref.module, fields: [ref.value, ref.label, `${ref.label}En`, ...within] }] : []),
    ...(format === 'issueCodes' ? [{ module: 'ubsIssueCode', fields: ['code', 'name', 'nameEn'] }] : []),
  ];
}

export class Readable {
  readonly rights = new Map<string, Set<string>>();
  readonly #shipped: Model;
  readonly #rows = new Map<string, Map<string, TextRow[]>>();
  readonly #secret = new Set<string>();
  readonly #public = new Set<string>();
  readonly #bases = new Map<string, ReadonlySet<string>>();
  readonly #byRights = new Map<string, ReadonlySet<string>>();
  readonly #grants = new Map<number, Grant[]>();
  readonly #authors = new Map<number, string>();
  /** By publish, those whose rows its module's table had before. */
  readonly #inherits = new Map<number, number[]>();
  #own: OwnRow[] = [];
  #model: Model;
  #counting: readonly CountingChange[] = [];
  #granted = new Map<string, ReadonlySet<string>[]>();

  constructor(shipped: Model) {
    this.#shipped = shipped;
    this.#model = shipped;
  }

  /** Reads all rows once, and by the lists of `readers` which of them are seen at a site. */
  async load({ db, ask }: TestApp, readers: readonly Account[]): Promise<void> {
    for (const definition of this.#shipped.definitions.values()) {
      const { module, table, fields } = definition;
      const names = Object.keys(fields)
        .filter((it) => textTypes.has(fields[it]?.type ?? ''))
        .concat(makers);
      // Moments and days are texts in JSON alone.
      const secrets = Object.keys(fields).filter((it) => fields[it]?.type === 'password');
      const { rows } = await sql<{ id: number; row: Record<string, unknown> }>`
        SELECT t.id::int AS id, to_jsonb(t) AS row FROM ${sql.table(table)} AS t`.execute(db);
      const all = rows.map(({ id, row }): TextRow => {
        for (const it of [...names, ...secrets]) for (const text of textsIn(row[it])) this.#secret.add(text);
        return { id, texts: Object.fromEntries(names.map((it) => [it, String(row[it] ?? '')])) };
      });
      const bySite = new Map<string, TextRow[]>();
      for (const { userId, siteId } of readers) {
        const ids = await readIds(ask, module, userId);
        bySite.set(
          siteId,
          all.filter((it) => ids.has(it.id)),
        );
      }
      this.#rows.set(module, bySite);
    }
    const { definitions, options, menu, roles } = this.#shipped;
    const told = [[...definitions.values()], options, menu, roles, standardFields()];
    const { rows } = await sql<{ texts: unknown }>`
      SELECT jsonb_build_array("userId", "userName") AS texts FROM admin_user UNION ALL
      SELECT jsonb_build_array("roleId", name, "nameEn") FROM admin_role UNION ALL
      SELECT jsonb_build_array("siteId", "siteName", "siteNameEn") FROM ubs_site`.execute(db);
    for (const it of textsIn([told, rows])) this.#public.add(it);
    const passwords = await db.selectFrom('admin_user').select('password').execute();
    for (const { password } of passwords) this.#public.delete(password ?? '');
  }

  /** What is published from now on. */
  follow(model: Model, counting: readonly CountingChange[]): void {
    this.#model = model;
    this.#counting = counting;
    this.#granted = new Map();
  }

  mayDo = ({ userId }: Account, right: string): boolean => mayDo(this.rights.get(userId) ?? new Set(), right);

  /** What of these changes their author could give: called before they count. */
  grantsOf(changes: readonly PublishedChange[], author: Account): Grant[] {
    const mayList = (module: string) => this.mayDo(author, `${module}:list`);
    return changes.flatMap(({ module: where, change }) => {
      const { definition, fields = {} } = change;
      const said = Object.values({ ...fields, ...definition?.fields }) as Field[];
      const refs = said
        .flatMap((it) => refersTo(it))
        .filter(({ module }) => module === where || module === 'ubsIssueCode' || mayList(module))
        .map(({ module, fields: shown }): Grant => ({ where, target: module, fields: shown }));
      const { rowsOf } = definition ?? {};
      const isFree = definition && (!rowsOf || mayList(rowsOf.module));
      return [
        ...refs,
        ...(isFree ? [{ where, target: where, fields: [...Object.keys(definition.fields), ...makers] }] : []),
      ];
    });
  }

  /** Who made a table, or may list everything, has the rows that it had. */
  grant(publishId: number, grants: Grant[], changes: readonly PublishedChange[], author: Account): void {
    this.#grants.set(publishId, grants);
    this.#authors.set(publishId, author.userId);
    const tables = changes.flatMap(({ change }) => change.definition?.table ?? []);
    const isTheirs = (it: OwnRow) => this.#authors.get(it.publishId) === author.userId || this.mayDo(author, '*:list');
    const before = this.#own.filter((it) => tables.includes(it.table) && isTheirs(it));
    this.#inherits.set(publishId, [publishId, ...new Set(before.map((it) => it.publishId))]);
  }

  addOwn(row: OwnRow): void {
    this.#own.push(row);
    for (const it of Object.values(row.texts)) this.#secret.add(it);
    this.#granted = new Map();
  }

  /** Which of these texts are data that the account may not read. */
  leaksIn(account: Account, answer: unknown): string[] {
    const found = new Set<string>();
    const base = this.#baseOf(account);
    const granted = this.#grantedTo(account);
    for (const text of textsIn(answer)) {
      if (!isTold(text) || !this.#secret.has(text) || this.#public.has(text)) continue;
      if (!base.has(text) && !granted.some((it) => it.has(text))) found.add(text);
    }
    return [...found];
  }

  /** Where a text stands, for who looks for the fault. */
  placesOf(text: string): string[] {
    const found = new Set<string>();
    for (const [module, bySite] of this.#rows) {
      for (const [site, rows] of bySite) {
        for (const { texts } of rows)
          for (const [name, it] of Object.entries(texts)) if (it === text) found.add(`${module}.${name} at ${site}`);
      }
    }
    return [...found];
  }

  /** Values that rows of a field have, whoever sees them. */
  valuesOf(module: string, field: string): string[] {
    const base = this.#tableOf(module);
    const rows = [...(this.#rows.get(base)?.values() ?? [])].flat();
    return rows.map((it) => it.texts[field] ?? '').filter((it) => it !== '');
  }

  #tableOf(module: string): string {
    const rowsOf = this.#shipped.definitions.has(module) ? undefined : this.#model.definitions.get(module)?.rowsOf;
    return rowsOf ? this.#tableOf(rowsOf.module) : module;
  }

  #rowsAt(module: string, site: string): readonly TextRow[] {
    const shipped = this.#rows.get(module);
    if (shipped) return shipped.get(site) ?? [];
    const definition = this.#model.definitions.get(module);
    if (!definition) return [];
    if (definition.rowsOf) {
      const when = Object.entries(definition.rowsOf.when);
      return this.#rowsAt(definition.rowsOf.module, site).filter(({ texts }) =>
        when.every(([name, wanted]) => [wanted].flat().includes(texts[name] ?? '')),
      );
    }
    const { publishId = 0 } = this.#counting.find((it) => it.module === module && it.change.definition) ?? {};
    const mine = this.#inherits.get(publishId) ?? [];
    const isSited = Array.isArray(definition.site);
    return this.#own.filter((it) => mine.includes(it.publishId) && (!isSited || it.siteId === site));
  }

  #texts(module: string, fields: readonly string[], site: string): Set<string> {
    const texts = new Set<string>();
    const read = this.#readFor(module, fields);
    for (const row of this.#rowsAt(module, site)) for (const it of read) if (row.texts[it]) texts.add(row.texts[it]);
    return texts;
  }

  /** What is computed shows the fields that its expression names, in lists of the same rows as well. */
  #readFor(module: string, names: readonly string[]): readonly string[] {
    const definition = this.#model.definitions.get(module);
    if (!definition) return names;
    const expressions = names.map((it) => definition.fields[it]?.computed ?? '').join(' ');
    const named = Object.keys(definition.fields).filter((it) => new RegExp(`\\b${it}\\b`).test(expressions));
    const all = [...names, ...named];
    return definition.rowsOf ? this.#readFor(definition.rowsOf.module, all) : all;
  }

  /** What shipped lists show to whoever has these rights at a site. */
  #baseOf(account: Account): ReadonlySet<string> {
    const { siteId } = account;
    const modules = [...this.#shipped.definitions.keys()];
    const held = [...(this.rights.get(account.userId) ?? [])].map((it) => it.split(':')[0] as string);
    const lists = modules.filter((it) => this.mayDo(account, `${it}:list`));
    const others = modules.filter((it) => held.includes(it) && !lists.includes(it));
    const key = `${siteId} ${lists.join()} ${others.join()}`;
    const known = this.#byRights.get(key);
    if (known) return known;
    const texts = new Set<string>();
    for (const it of lists) for (const text of this.#shippedTexts(it, siteId, true)) texts.add(text);
    for (const it of others) for (const text of this.#shippedTexts(it, siteId, false)) texts.add(text);
    this.#byRights.set(key, texts);
    return texts;
  }

  #shippedTexts(module: string, site: string, isListed: boolean): ReadonlySet<string> {
    const key = `${module} ${site} ${String(isListed)}`;
    const known = this.#bases.get(key);
    if (known) return known;
    const definition = this.#shipped.definitions.get(module) as Definition;
    const lines = (definition.lines ?? []).flatMap((it) => this.#shipped.definitions.get(it.module) ?? []);
    const texts = new Set<string>();
    const add = (more: Iterable<string>) => {
      for (const it of more) texts.add(it);
    };
    for (const it of isListed ? [definition, ...lines] : [definition]) {
      if (isListed) add(this.#texts(it.module, [...Object.keys(it.fields), ...makers], site));
      for (const to of Object.values(it.fields).flatMap(refersTo)) add(this.#texts(to.module, to.fields, site));
    }
    this.#bases.set(key, texts);
    return texts;
  }

  /** What published modules show to whoever has a right of them. */
  #grantedTo(account: Account): ReadonlySet<string>[] {
    const { userId, siteId } = account;
    const known = this.#granted.get(userId);
    if (known) return known;
    const held = new Set([...(this.rights.get(userId) ?? [])].map((it) => it.split(':')[0] as string));
    const counting = new Set(this.#counting.map((it) => it.publishId));
    const granted = [...counting]
      .flatMap((it) => this.#grants.get(it) ?? [])
      .filter(({ where }) => held.has(where) || held.has('*'))
      .map((it) => this.#texts(it.target, it.fields, siteId));
    this.#granted.set(userId, granted);
    return granted;
  }

  /** The same with a draft that its author looks at. */
  leaksInPreview(account: Account, answer: unknown, grants: readonly Grant[]): string[] {
    const granted = grants.map((it) => this.#texts(it.target, it.fields, account.siteId));
    return this.leaksIn(account, answer).filter((text) => !granted.some((it) => it.has(text)));
  }
}

async function readIds(ask: TestApp['ask'], module: string, as: string): Promise<Set<number>> {
  const ids = new Set<number>();
  for (let pageStart = 0; ; pageStart += 200) {
    const asked = { pageStart, pageCount: 200, total: 'none' };
    const { data } = await ask<{ items: { id: number }[] }>('GET', `/api/${module}/pager.json`, asked, { as });
    for (const it of data.items) ids.add(it.id);
    if (data.items.length < 200) return ids;
  }
}
