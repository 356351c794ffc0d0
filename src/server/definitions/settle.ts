import type pg from 'pg';
import type { Model } from '#domain/definition/grammar.ts';
import { sayProblem, type DefinitionProblem, type Registers } from '#domain/definition/problems.ts';
import type { CountingChange } from '#server/definitions/published.ts';
import { readModel, tryModel, type PublishedChange } from '#server/definitions/read.ts';
import { isBeside, planTables } from '#server/definitions/schema.ts';
import { onTablesOf } from '#server/definitions/platformTables.ts';
import { BadDatabase, notTaken, ownersIn, refusedIn } from '#server/definitions/tables.ts';

/** A publish that counts and can't be applied here, and why. */
export interface SetAside {
  id: number;
  problems: readonly DefinitionProblem[];
}

interface Settled {
  model: Model;
  /** Those that are applied, oldest first. */
  changes: CountingChange[];
  aside: SetAside[];
}

/** Applies changes or only looks whether they can be; what is in the way, and then nothing of them is done. */
type Attempt = (changes: readonly PublishedChange[]) => Promise<readonly DefinitionProblem[]>;

/** By publish, what is in its way whatever else is published. */
type Replaced = ReadonlyMap<number, readonly DefinitionProblem[]>;

/** More of them say no more. */
const MOST_TOLD = 5;

/**
 * The published changes that can be applied together: nothing that was published stops a start. A publish that can't be is
 * set aside as a whole, with the reason; those that were set aside before never push out one that people work by. One whose
 * table or column a version has taken the name of (`replaced`) is none of them.
 * Rule: definitions#publishing.
 * @throws BadDefinitions, BadDatabase where what is shipped can't be applied by itself
 */
export async function settle(
  registers: Registers,
  changes: readonly CountingChange[],
  wasAside: ReadonlySet<number>,
  replaced: Replaced,
  attempt: Attempt,
): Promise<Settled> {
  const counting = [...new Set(changes.map((it) => it.publishId))];
  const all = counting.filter((it) => !replaced.has(it));
  const aside: SetAside[] = [];
  const setAside = (id: number, problems: readonly DefinitionProblem[]) =>
    aside.push({ id, problems: problems.slice(0, MOST_TOLD) });
  for (const it of counting) if (replaced.has(it)) setAside(it, replaced.get(it) ?? []);
  const of = (ids: readonly number[]) => changes.filter((it) => ids.includes(it.publishId));
  const settled = (kept: readonly number[]) => {
    const applied = of(kept);
    return { model: readModel(registers, applied), changes: applied, aside };
  };
  if ((await attempt(of(all))).length === 0) return settled(all);
  const shipped = await attempt([]);
  if (shipped.length > 0) throw new BadDatabase(`The database can't take the definitions:\n  ${said(shipped)}`);

  let kept = all.filter((it) => !wasAside.has(it));
  for (let applied = 0; ;) {
    let problems = await attempt(of(kept));
    if (problems.length === 0) break;
    // The first `applied` go together and the first `bad` don't, until one publish lies between.
    for (let bad = kept.length; ;) {
      if (bad - applied === 1) {
        setAside(kept[applied] as number, problems);
        kept = kept.toSpliced(applied, 1);
        break;
      }
      const middle = Math.floor((applied + bad) / 2);
      const found = await attempt(of(kept.slice(0, middle)));
      if (found.length === 0) applied = middle;
      else [bad, problems] = [middle, found];
    }
  }
  for (const id of all.filter((it) => wasAside.has(it))) {
    const problems = await attempt(of([...kept, id]));
    if (problems.length === 0) kept = [...kept, id];
    else setAside(id, problems);
  }
  return settled(kept);
}

const said = (problems: readonly DefinitionProblem[]) => problems.map((it) => it.what).join('\n  ');

/** What a server's warning says of a publish. */
export const saySetAside = ({ id, problems }: SetAside): string =>
  `publish ${id} can't be applied and is set aside: ${problems.map(sayProblem).join('; ')}`;

/**
 * What is wrong with changes by themselves, whatever was written into their rows.
 * @param platform the tables that are the platform's own
 */
export function judge(registers: Registers, changes: readonly PublishedChange[], platform: ReadonlySet<string>) {
  if (changes.length === 0) return { model: readModel(registers), problems: [] };
  try {
    const { model, problems } = tryModel(registers, changes);
    return { model, problems: problems.length > 0 ? problems : onTablesOf(platform, changes) };
  } catch (error) {
    const where = changes.at(-1)?.module ?? '';
    const what = (error as Error).message;
    const problems: DefinitionProblem[] = [{ kind: 'NotApplied', rule: 'changeUnread', where, what }];
    return { model: readModel(registers), problems };
  }
}

interface Applying {
  /** The tables that are the platform's own. */
  platform: ReadonlySet<string>;
  /** As `planTables` takes them. */
  large: ReadonlySet<string>;
  /** Indexes that could not be built beside who writes, and why. */
  unbuilt: ReadonlyMap<string, DefinitionProblem>;
}

/**
 * Makes the tables hold what the changes say, within the transaction of a start; `applied` are told of what was done, and of
 * what is to be done beside who writes when all of it is written.
 */
export const applying =
  (
    client: pg.ClientBase,
    registers: Registers,
    { platform, large, unbuilt }: Applying,
    applied: Set<string>,
  ): Attempt =>
  async (changes) => {
    const { model, problems } = judge(registers, changes, platform);
    if (problems.length > 0) return problems;
    const plan = await planTables(client, ownersIn(model), [], [], large);
    if (plan.refused.length > 0) return refusedIn(plan);
    const failed = plan.statements.flatMap((it) => unbuilt.get(it) ?? []);
    if (failed.length > 0) return failed;
    await client.query('SAVEPOINT settling');
    for (const statement of plan.statements.filter((it) => !isBeside(it))) {
      try {
        await client.query(statement);
      } catch (error) {
        const problem = notTaken(error, statement, model);
        if (!problem) throw error;
        await client.query('ROLLBACK TO SAVEPOINT settling');
        return [problem];
      }
    }
    await client.query('RELEASE SAVEPOINT settling');
    for (const it of plan.statements) applied.add(it);
    return [];
  };
