import { registers } from '#main/registers.ts';
import { BadSetting, readConfig } from '#server/config.ts';
import { isMade, StartRefused } from '#server/db/embedded.ts';
import { readLocks } from '#server/db/locksTaken.ts';
import { planDatabase } from '#server/db/prepare.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { withDatabaseUrl } from '#server/db/where.ts';
import { BadDefinitions } from '#server/definitions/read.ts';
import { missingOf } from '#server/health/missing.ts';
import { refuseWords } from '#main/refuseWords.ts';

/**
 * `npm run definitions:plan`: prints what the next start would do to the database, and writes nothing. An embedded database
 * that no server runs is started to be read and stopped again; one that is not there yet is not made.
 */
refuseWords('npm run definitions:plan');
try {
  const config = readConfig();
  if (config.databaseUrl === null && !isMade(config.dataDir)) {
    console.log(`-- There is no database in ${config.dataDir} yet: the next start makes it, with every table.`);
  } else {
    const { plan, locks } = await withDatabaseUrl(config, planAndLocks, { beside: true });
    console.log(
      plan.length === 0 ? '-- The database holds the definitions as they are: nothing to do.' : `${plan.join(';\n')};`,
    );
    if (locks.length > 0)
      console.log(
        ['-- What that locks, each until the start is ready or its statement is done:', ...locks].join('\n-- '),
      );
  }
} catch (error) {
  const isOurs = [BadSetting, BadDatabase, BadDefinitions, StartRefused].some((it) => error instanceof it);
  const missing = missingOf(error);
  // A host with several addresses fails with one error for each, and none of its own.
  const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
  const text = isOurs ? message : missing && `${message} (${missing}). Check DATABASE_URL, and that its database runs.`;
  console.error(text || error);
  process.exit(1);
}

async function planAndLocks(url: string): Promise<{ plan: string[]; locks: string[] }> {
  const plan = await planDatabase(url, registers);
  return { plan, locks: await readLocks(url, plan) };
}
