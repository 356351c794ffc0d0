import type pg from 'pg';
import type { Definition, Model } from '#domain/definition/grammar.ts';
import { planTables } from '#server/definitions/schema.ts';

/** The database cannot be used, and why. */
export class BadDatabase extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadDatabase';
  }
}

/** The definitions that have a table of their own. */
export const ownersIn = (model: Model): Definition[] => [...model.definitions.values()].filter((it) => !it.rowsOf);

export async function statementsFor(client: pg.ClientBase, owners: Definition[]): Promise<string[]> {
  const { statements, refused } = await planTables(client, owners);
  if (refused.length > 0) {
    const why = refused.map((it) => it.what).join('\n  ');
    throw new BadDatabase(`The database can't take the definitions:\n  ${why}`);
  }
  return statements;
}
