import { registers } from '#main/registers.ts';
import { shippedMigrations, type Migrations } from '#server/db/migrate.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { withShipped } from '#server/definitions/read.ts';

/**
 * Prepares the database of `DATABASE_URL` as the start of a next version would: a column of all units that a backfill fills, of
 * which the definitions then say that no row lacks it, that it names a site, and that it is searched.
 */
const FIELD = 'benchSite';
const next = withShipped(registers, ({ definitions }) => {
  const units = definitions.get('rmaInventory');
  if (!units) throw new Error('The module rmaInventory is missing');
  definitions.set('rmaInventory', {
    ...units,
    fields: {
      ...units.fields,
      [FIELD]: {
        ...{ type: 'select', label: { zh: FIELD, en: FIELD }, always: true },
        ref: { module: 'ubsSite', value: 'siteId', label: 'siteName' },
      },
    },
    indexes: [...(units.indexes ?? []), [FIELD, 'ivyId']],
  });
});
const NEXT: Readonly<Record<string, string>> = {
  '9001_bench.sql': `ALTER TABLE rma_inventory ADD COLUMN "${FIELD}" text`,
  '9002_bench.beside.sql': `UPDATE rma_inventory SET "${FIELD}" = "siteId" WHERE id BETWEEN $1 AND $2 AND "${FIELD}" IS NULL`,
};
const migrations: Migrations = {
  names: [...shippedMigrations.names, ...Object.keys(NEXT)],
  read: (name) => NEXT[name] ?? shippedMigrations.read(name),
};
const began = performance.now();
const { applied, leftOut } = await prepareDatabase(process.env['DATABASE_URL'] ?? '', next, {
  migrations,
  say: (line) => console.error(line),
});
console.log(JSON.stringify({ ms: performance.now() - began, applied, leftOut }));
