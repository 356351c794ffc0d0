import type { Node } from '#domain/nodes.ts';
import type { Context } from '#server/context.ts';
import type { Unit } from '#server/workflow/units.ts';

/** A step of an SN as the history keeps it. */
export interface RecordedStep {
  id: number;
  sn: string;
  mtbId: string | null;
  mtbliId: string | null;
  siteId: string | null;
  fromSiteId: string | null;
  step: string;
  billId: string | null;
  fromNode: Node | null;
  toNode: Node | null;
  /** Where the unit lay before; null where that was not kept. */
  fromSubinventoryCode: string | null;
  fromStorageType: string | null;
  operateStatus: string | null;
}

/**
 * Undoes one step of a unit that stands where the step left it; gives what it took off the records, for the ledger.
 * It refuses when something that the step touched has gone on meanwhile.
 */
export type Undo = (ctx: Context, step: RecordedStep, unit: Unit, remark: string) => Promise<Record<string, unknown>>;
