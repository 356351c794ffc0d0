import type { ContentsAnswer } from '#domain/definition/change.ts';
import type pg from 'pg';
import type { Model } from '#domain/definition/grammar.ts';
import { validateKeys } from '#domain/definition/keys.ts';
import type { DefinitionProblem, Registers } from '#domain/definition/problems.ts';
import { validateBlind, validateReach } from '#domain/definition/reach.ts';
import { validateRulings } from '#domain/definition/rulings.ts';
import { slipsInSteps } from '#domain/definition/slips.ts';
import { validateWrites } from '#domain/definition/writes.ts';
import { inSteps } from '#server/inSteps.ts';
import type { Look } from '#server/definitions/look.ts';
import type { PublishedChange } from '#server/definitions/read.ts';

/** What the database lacks to hold a model, and what it holds that the model would lose. */
export interface Plan {
  statements: string[];
  /** Named and explained; with one of them nothing is applied. */
  refused: {
    what: string;
    rule: 'computedDatabase' | 'nameTaken' | 'danglingRows' | 'columnsUsedUp' | 'typeThere' | 'valuesThere';
    module?: string;
    path?: string;
    /** What the rule is said of, and how many rows. */
    name?: string;
    count?: number;
    /** What of the database is in the way. */
    inTheWay?: { table: string; column: string } | { relation: string };
  }[];
  /** Whose rows took too long to look through: there may be some in the way. */
  uncounted: { module: string; path: string; name: string }[];
}

/** What makes way for what a version ships: a table or a column under another name, an index that goes. */
export type Aside = { table: string; column?: string; as: string } | { index: string };

/** A table, or a column of one, whose contents a publish gives up: it is made anew. */
export interface Emptied {
  table: string;
  /** Left out: the whole table. */
  column?: string;
}

export interface Publication {
  changes: readonly PublishedChange[];
  /** The numbers of earlier publishes that are taken back by this one; with `since`, all from the first of them on. */
  takesBack: readonly number[];
  since?: boolean;
  /** The draft whose changes are published, as it was seen; it is closed with them. */
  draft?: { id: number; version: number };
  note: string;
  userId: string;
  /** Of who publishes; empty for somebody at the machine itself. */
  siteId: string;
  /** What he may do: he publishes nothing that reads more than he may, and gives no more. Left out, whoever stands at the machine itself. */
  author?: ReadonlySet<string>;
  /** Whose rows he sees. Left out, all. */
  sites?: 'all' | readonly string[];
}

export interface Done {
  id: number;
  model: Model;
  /** What was done to the database, in its order. */
  statements: string[];
  /** What the database can't hold yet; the next start tries again. */
  leftOut: DefinitionProblem[];
}

/** What the table of a new module, or the column of a new field, still holds. */
export interface FormerContents {
  module: string;
  /** Of a column: its field. */
  field?: string;
  table: string;
  /** Rows or values, as far as they are counted; undefined where that takes too long, and for who may not see all of them. */
  count?: number;
  answer?: ContentsAnswer;
  /** What may be answered; nothing where another name is the only way. */
  may: ContentsAnswer[];
}

export interface FoundContents {
  contents: FormerContents[];
  /** What is not answered, or answered as it may not be. */
  problems: DefinitionProblem[];
  emptied: Emptied[];
}

export type Author = Pick<Publication, 'author' | 'userId' | 'sites'>;

/** Who ordered a publish, as it asks them while it works. */
export interface Orderer {
  /** Ends what waits or is built, and undoes it; what is written stays. */
  signal: AbortSignal;
  /** How far it is, in the steps of `publishStepOf`; nothing as long as it waits for another one. Never throws. */
  onStep(done: number, total: number): void;
  /** For how long it waits for another one before it gives up. */
  waitMs?: number;
  /** In the transaction of the publish, once everything is found right: keeps its number, or throws so that nothing is written. */
  keep(client: Pick<pg.ClientBase, 'query'>, id: number): Promise<void>;
}

/** The model as a draft would make it, and everything that is wrong with it. */
export interface DraftModel {
  model: Model;
  /** What is published without it. */
  published: Model;
  problems: readonly DefinitionProblem[];
  changes: readonly PublishedChange[];
}

/**
 * What a draft would read that its author, or who looks at it, may not, what he may not decide about, what it would write
 * that its modules do not allow, and what its keys would tell. Left out, the author is whoever stands at the machine itself.
 */
export function beyond(
  { model, changes, problems }: Omit<DraftModel, 'published'>,
  current: Model,
  author?: ReadonlySet<string>,
  sites: 'all' | readonly string[] = 'all',
) {
  if (problems.length > 0) return [];
  const modules = changes.map((it) => it.module);
  return [
    ...(author ? validateReach(current, model, modules, author) : []),
    ...(author ? validateBlind(current, model, changes, { author, sites }) : []),
    ...(author ? validateRulings(current, model, changes, author) : []),
    ...validateWrites(current, model, modules),
    ...validateKeys(current, model, modules),
  ];
}

/** What a draft says that nobody can mean; known once the whole is right. */
export const slipsIn = async ({ model, changes, problems }: DraftModel, current: Model, shipped: Model) =>
  problems.length > 0 ? { errors: [], warnings: [] } : inSteps(slipsInSteps(current, model, changes, shipped));

/** What calls need of definitions beside the model that they work by. */
export interface Definitions {
  registers: Registers;
  /** The model that this server works by, also where a call began by an earlier one. */
  current(): Model;
  /** The number of the last publish that this server works by. */
  last(): number;
  /** Publishes; who asked works by it when it answers. */
  publish(publication: Publication, orderer?: Orderer): Promise<Done>;
  /** What a publish does after it is written, where it was broken off there; gives what is left out. */
  finish(): Promise<DefinitionProblem[]>;
  /** For whose publish one of this user waits that has not begun, and since when that works; empty for a server that starts. */
  findWaitedFor(userId: string): Promise<{ userId: string; since: Date } | undefined>;
  /** Works by what was published elsewhere, at least up to this publish. */
  catchUp(id: number): Promise<void>;
  /** All that is published over what is shipped, one change a module. */
  readPublished(): Promise<PublishedChange[]>;
  /** By publish, what it had brought and a version has set aside under other names. */
  readAside(): Promise<ReadonlyMap<number, readonly DefinitionProblem[]>>;
  /** What the database would be told for it to hold this model, and what keeps it from that; it is only looked at. */
  planTables(model: Model, emptied: readonly Emptied[], look: Look): Promise<Plan>;
  /** Which new modules of a draft would have the name of one that was somebody else's. */
  findFormerNames(draft: Pick<DraftModel, 'changes'>, author: Author): Promise<DefinitionProblem[]>;
  /** What would come back by a draft, as far as it is looked through. */
  findFormerContents(draft: DraftModel, author: Author, look: Look): Promise<FoundContents>;
  /** The model as it was before a publish, whatever has been published or taken back since. */
  readModelBefore(publishId: number): Promise<Model>;
  /** The published model with a draft over it; refuses a draft that is not there. */
  readDraftModel(draftId: number): Promise<DraftModel>;
}
