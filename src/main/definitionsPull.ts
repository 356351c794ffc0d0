import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { registers } from '#main/registers.ts';
import { BadSetting, readConfig } from '#server/config.ts';
import { StartRefused } from '#server/db/embedded.ts';
import { DatabaseClient } from '#server/db/client.ts';
import { withDatabaseUrl } from '#server/db/where.ts';
import { readPublished } from '#server/definitions/published.ts';
import { pulledFiles } from '#server/definitions/pull.ts';
import { formatDefinition } from '#server/definitions/formatDefinition.ts';
import { BadDefinitions } from '#server/definitions/read.ts';
import { ROOT } from '#server/root.ts';
import { refuseWords } from '#main/refuseWords.ts';

/**
 * `npm run definitions:pull`: writes what was published into the files of `definitions/`, so that a developer can look at
 * the difference and commit it. It changes nothing in the database: what is shipped then is laid over itself. Rule:
 * definitions#between-installations.
 */
refuseWords('npm run definitions:pull');
try {
  const changes = await withDatabaseUrl(
    readConfig(),
    async (url) => {
      const client = new DatabaseClient({ connectionString: url });
      await client.connect();
      try {
        return (await readPublished(client)).changes;
      } finally {
        await client.end();
      }
    },
    { beside: true },
  );
  let count = 0;
  for (const [path, value] of pulledFiles(registers, changes)) {
    const file = join(ROOT, 'definitions', path);
    const text = await formatDefinition(file, value);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    writeFileSync(file, text);
    console.log(`definitions/${path}`);
    count += 1;
  }
  console.log(count === 0 ? 'Nothing was published that the files do not say.' : `${count} file(s) written.`);
} catch (error) {
  const isOurs = [BadSetting, BadDefinitions, StartRefused].some((it) => error instanceof it);
  console.error(isOurs ? (error as Error).message : error);
  process.exit(1);
}
