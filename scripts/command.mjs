// npm run backup, restore, definitions:plan and definitions:publish: built where they are older than their
// sources, then run in this process (node --enable-source-maps dist/server/backup.js backup …).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { needsCommands } from './lib/freshness.mjs';
import { checkNode, giveUp } from './lib/ready.mjs';
import { ROOT } from './lib/run.mjs';
import { COMMANDS } from './lib/serverBundle.mjs';

checkNode();
const [name] = process.argv.slice(2);
if (!COMMANDS.includes(name)) giveUp(`there is no command ${name}; there are ${COMMANDS.join(', ')}`);
const main = join(ROOT, 'dist', 'server', `${name}.js`);
const canBuild = existsSync(join(ROOT, 'node_modules', 'esbuild'));
if (canBuild && needsCommands(ROOT)) await (await import('./lib/commands.mjs')).buildCommands();
if (!existsSync(main))
  giveUp('nothing is built yet: npm start builds it, or npm ci with the development packages lets this do it');
process.setSourceMapsEnabled(true);
process.argv.splice(1, 2, main);
await import(pathToFileURL(main).href);
