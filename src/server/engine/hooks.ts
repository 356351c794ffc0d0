import type { InsertType, SelectType } from 'kysely';
import type { Problem } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import type { Modules, Secret, StandardColumns } from '#server/db/tables.ts';

/** A row as the database has it; a password is in none. */
export type RowOf<Table> = {
  [Name in keyof Table as Table[Name] extends Secret ? never : Name]: SelectType<Table[Name]>;
};

/** A row as it would stand: what was sent as it is written, the rest as it was read; what nobody said is null. */
export type WantedRow<Table> = {
  [Name in Exclude<keyof Table, keyof StandardColumns>]:
    | SelectType<Table[Name]>
    | Exclude<InsertType<Table[Name]>, undefined>
    | null;
};

/**
 * What a module adds to the generic calls that write its rows: forms, bulk changes, deletes, new rows of a workbook. All
 * of it runs in their transaction. `before` is the row as it was, undefined where it is made. What stations and other
 * calls write themselves asks no hook.
 */
export interface Hooks<Table extends StandardColumns> {
  /** What is wrong with a row that is made or changed, beyond its fields' own rules. */
  check?(row: WantedRow<Table>, before: RowOf<Table> | undefined, ctx: Context): Problem[] | Promise<Problem[]>;
  /** What is written in place of what was sent, once nothing is wrong with it; number and site are among it. */
  beforeWrite?(
    values: Partial<WantedRow<Table>>,
    before: RowOf<Table> | undefined,
    ctx: Context,
  ): Partial<WantedRow<Table>> | Promise<Partial<WantedRow<Table>>>;
  /** What follows, after the ledger's line; `row` is the row as it was written, undefined where it is deleted. */
  afterWrite?(row: RowOf<Table> | undefined, before: RowOf<Table> | undefined, ctx: Context): Promise<void>;
}

/** Whose hooks stand under which module's name. */
export type HookRegister = { readonly [Module in keyof Modules]?: Hooks<Modules[Module]> };
