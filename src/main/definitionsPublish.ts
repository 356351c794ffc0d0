import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { registers } from '#main/registers.ts';
import { BadSetting, readConfig } from '#server/config.ts';
import { StartRefused } from '#server/db/embedded.ts';
import { refuseSharedSessions } from '#server/db/ownSession.ts';
import { withDatabaseUrl } from '#server/db/where.ts';
import { publish } from '#server/definitions/publish.ts';
import { BadDefinitions, type PublishedChange } from '#server/definitions/read.ts';
import { BadDatabase } from '#server/definitions/tables.ts';

/**
 * `npm run definitions:publish -- FILE --note WHY`: publishes a file of changes, `[{"module": …, "change": …}]`, over the
 * definitions, while servers run; `--take-back 12` takes a publish back, columns and rows stay. Rule: definitions#publishing.
 */
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { note: { type: 'string', default: '' }, 'take-back': { type: 'string', multiple: true, default: [] } },
  });
  const [file] = positionals;
  const takesBack = values['take-back'].map(Number);
  if ((file === undefined) === (takesBack.length === 0) || takesBack.some((it) => !Number.isInteger(it) || it < 1)) {
    throw new BadSetting('definitions:publish', 'give a file of changes, or --take-back and the number of a publish');
  }
  const changes = file === undefined ? [] : (JSON.parse(readFileSync(file, 'utf8')) as PublishedChange[]);
  const publication = { changes, takesBack, note: values.note, userId: `console:${userInfo().username}`, siteId: '' };
  const { id, statements, leftOut } = await withDatabaseUrl(
    readConfig(),
    async (url) => {
      await refuseSharedSessions(url);
      return publish(url, registers, publication);
    },
    {
      beside: true,
    },
  );
  console.log(`Published as ${id}.`);
  for (const it of statements) console.log(`${it};`);
  for (const it of leftOut) console.log(`-- left out: ${it.what}`);
} catch (error) {
  const isOurs = [BadSetting, BadDatabase, BadDefinitions, StartRefused].some((it) => error instanceof it);
  console.error(isOurs ? (error as Error).message : error);
  process.exit(1);
}
