// npm start: from a fresh clone to the running product. Only node: imports here, as node_modules may not exist yet.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readOptions } from './lib/options.mjs';
import { build, checkNode, giveUp, install } from './lib/ready.mjs';
import { ROOT, say } from './lib/run.mjs';

checkNode();
readOptions('PORT=3000 DATA_DIR=data npm start');
await install();
const { code } = await build();
if (code !== 0) giveUp('the build failed; what it said stands above');

// This process becomes the server (node --enable-source-maps dist/server/main.js): nobody stands between it and its signals.
say('starting …');
const main = join(ROOT, 'dist', 'server', 'main.js');
process.setSourceMapsEnabled(true);
process.argv[1] = main;
await import(pathToFileURL(main).href);
