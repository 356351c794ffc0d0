import { registers } from '#main/registers.ts';
import { BadSetting, readConfig } from '#server/config.ts';
import { isMade, StartRefused } from '#server/db/embedded.ts';
import { BadDatabase, planDatabase } from '#server/db/prepare.ts';
import { withDatabaseUrl } from '#server/db/where.ts';
import { BadDefinitions } from '#server/definitions/read.ts';

/**
 * `npm run definitions:plan`: prints what the next start would do to the database, and writes nothing. An embedded database
 * that no server runs is started to be read and stopped again; one that is not there yet is not made.
 */
try {
  const config = readConfig();
  if (config.databaseUrl === null && !isMade(config.dataDir)) {
    console.log(`-- There is no database in ${config.dataDir} yet: the next start makes it, with every table.`);
  } else {
    const plan = await withDatabaseUrl(config, (url) => planDatabase(url, registers), { beside: true });
    console.log(
      plan.length === 0 ? '-- The database holds the definitions as they are: nothing to do.' : `${plan.join(';\n')};`,
    );
  }
} catch (error) {
  const isOurs = [BadSetting, BadDatabase, BadDefinitions, StartRefused].some((it) => error instanceof it);
  console.error(isOurs ? (error as Error).message : error);
  process.exit(1);
}
