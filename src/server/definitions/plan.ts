import { readConfig } from '#server/config.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { withDatabaseUrl } from '#server/db/where.ts';
import { registers } from '#server/definitions/registers.ts';

/** `npm run definitions:plan`: prints what the next start would do to the database, and does nothing. */
const config = readConfig();
await withDatabaseUrl(config, async (url) => {
  const { applied } = await prepareDatabase(url, registers, true);
  console.log(
    applied.length === 0 ? 'The database holds the definitions as they are: nothing to do.' : applied.join(';\n') + ';',
  );
});
