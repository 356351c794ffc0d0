import type { Kysely } from 'kysely';
import type { Model } from '#domain/definition/grammar.ts';
import { issueCodes } from '#server/base/codes.ts';
import type { Tables } from '#server/db/tables.ts';

/** The enumerations that are modules, each filled from the option list of the same meaning. */
const enumerations = [
  ['rma_enum_depreciation', 'depreciation'],
  ['rma_enum_repair_method', 'repairMethods'],
  ['ubs_enum_parts_type', 'partsTypes'],
  ['ubs_enum_component_type', 'componentTypes'],
] as const;

/**
 * What no station can work without: the issue codes of the chain and the enumerations. They fill tables that are empty;
 * afterwards they are rows like any others. Rule: checking#issue-codes.
 */
export async function seedCodes(db: Kysely<Tables>, model: Model): Promise<void> {
  await seedEnumerations(db, model);
  const some = await db.selectFrom('ubs_issue_code').select('id').limit(1).executeTakeFirst();
  if (some) return;
  await db
    .insertInto('ubs_issue_code')
    .values(issueCodes)
    .onConflict((it) => it.doNothing())
    .execute();
}

export async function seedEnumerations(db: Kysely<Tables>, model: Model): Promise<void> {
  for (const [table, list] of enumerations) {
    const some = await db.selectFrom(table).select('id').limit(1).executeTakeFirst();
    const rows = (model.options[list] ?? []).map(({ value, label }) => ({ value, name: label.zh, nameEn: label.en }));
    if (some || rows.length === 0) continue;
    await db
      .insertInto(table)
      .values(rows)
      .onConflict((it) => it.doNothing())
      .execute();
  }
}
