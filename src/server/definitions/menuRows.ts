import type pg from 'pg';
import type { Model } from '#domain/definition/grammar.ts';
import type { rewrittenTables } from '#domain/definition/references.ts';
import { ModuleOrigin } from '#domain/enums.ts';
import { quoted } from '#server/db/quoted.ts';
import type { CountingChange } from '#server/definitions/published.ts';

/**
 * Menu and buttons are definitions; their lists show a projection that each start writes anew.
 * Rule: definitions#menu-and-buttons.
 */
export async function writeMenuRows(
  client: pg.ClientBase,
  model: Model,
  changes: readonly CountingChange[],
): Promise<void> {
  await writeModules(client, model, changes);
  if (!model.definitions.has('sysMenu') || !model.definitions.has('sysBtn')) return;
  const entries = menuRows(model);
  const buttons = [...model.definitions.values()].flatMap((it) =>
    (it.buttons ?? []).map((button) => ({
      menuNo: `${it.module}List`,
      btnNo: button.btnNo,
      btnName: button.label.zh,
      btnNameEn: button.label.en,
      btnScript: button.script,
    })),
  );
  await rewrite(client, 'sys_menu', entries);
  await rewrite(client, 'sys_btn', buttons);
  await rewrite(client, 'rma_report', reportRows(model));
}

/** The modules with where they come from and who changed them last; each keeps its id. */
async function writeModules(client: pg.ClientBase, model: Model, changes: readonly CountingChange[]): Promise<void> {
  const rows = [...model.definitions.values()].map(({ module, label, table }) => {
    const own = changes.filter((it) => it.module === module);
    const changed = own.length > 0 ? ModuleOrigin.Changed : ModuleOrigin.Shipped;
    return {
      ...{ module, name: label.zh, nameEn: label.en, tableName: table },
      origin: own.some((it) => it.change.definition) ? ModuleOrigin.MadeHere : changed,
      publishId: own.at(-1)?.publishId ?? null,
    };
  });
  await client.query(`DELETE FROM definition_module WHERE module <> ALL ($1)`, [rows.map((it) => it.module)]);
  await client.query(
    `INSERT INTO definition_module AS m (module, name, "nameEn", "tableName", origin, "publishId")
     SELECT module, name, "nameEn", "tableName", origin, "publishId"
       FROM json_to_recordset($1::json) AS r (module text, name text, "nameEn" text, "tableName" text, origin text, "publishId" bigint)
     ON CONFLICT (module) DO UPDATE SET name = excluded.name, "nameEn" = excluded."nameEn", "tableName" = excluded."tableName",
        origin = excluded.origin, "publishId" = excluded."publishId"
      WHERE (m.name, m."nameEn", m."tableName", m.origin, m."publishId")
            IS DISTINCT FROM (excluded.name, excluded."nameEn", excluded."tableName", excluded.origin, excluded."publishId")`,
    [JSON.stringify(rows)],
  );
}

/** Rows keep their ids while the projection stays the same, so that two servers starting do not disturb a list. */
async function rewrite(
  client: pg.ClientBase,
  table: (typeof rewrittenTables)[number],
  rows: Record<string, unknown>[],
): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  const list = names.map((it) => `"${it}"`).join(', ');
  const current = await client.query({ text: `SELECT ${list} FROM ${table} ORDER BY id`, rowMode: 'array' });
  const wanted = rows.map((it) => names.map((name) => it[name] ?? null));
  if (JSON.stringify(current.rows) === JSON.stringify(wanted)) return;
  await dropKeysTo(client, table);
  await client.query(`DELETE FROM ${table}`);
  await client.query(
    `INSERT INTO ${table} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${table}, $1::json)`,
    [JSON.stringify(rows)],
  );
}

/** Keys that a publish of an earlier version had brought would keep the rows. */
async function dropKeysTo(client: pg.ClientBase, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string; from: string }>(
    `SELECT f.conname AS name, c.relname AS from FROM pg_constraint AS f JOIN pg_class AS c ON c.oid = f.conrelid
      WHERE f.contype = 'f' AND f.confrelid = $1::regclass`,
    [table],
  );
  for (const { name, from } of rows) await client.query(`ALTER TABLE ${quoted(from)} DROP CONSTRAINT ${quoted(name)}`);
}

/** The reports are the buttons of their module. */
const reportRows = (model: Model): Record<string, unknown>[] =>
  (model.definitions.get('rmaReport')?.buttons ?? []).map(({ btnNo, label }) => ({
    btnNo,
    name: label.zh,
    nameEn: label.en,
  }));

function menuRows(model: Model): Record<string, unknown>[] {
  const rows: Record<string, unknown>[] = [];
  const visit = (nodes: Model['menu'], parentNo: string | null) => {
    for (const node of nodes.filter((it) => !it.hidden)) {
      const module = node.children ? null : node.menuNo.replace(/List$/, '');
      const label = node.label ?? (module ? model.definitions.get(module)?.label : undefined);
      rows.push({
        menuNo: node.menuNo,
        parentNo,
        menuName: label?.zh ?? node.menuNo,
        menuNameEn: label?.en ?? node.menuNo,
        module,
        orderNo: rows.length + 1,
      });
      visit(node.children ?? [], node.menuNo);
    }
  };
  visit(model.menu, null);
  return rows;
}
