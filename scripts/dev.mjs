// npm run dev: the server made anew and started again when one of its sources changes, and vite, which hands /api to it.
// PORT is the server's, CLIENT_PORT vite's.
import { join } from 'node:path';
import { readOptions } from './lib/options.mjs';
import { checkNode, install } from './lib/ready.mjs';
import { beforeEnd, endAll, ROOT, run, runTool, say } from './lib/run.mjs';
import { copyThreads, serverBundle } from './lib/serverBundle.mjs';

checkNode();
readOptions('PORT=3000 CLIENT_PORT=5173 npm run dev');
const FOLDER = 'dist/dev';
const port = process.env['PORT'] || '3000';
const clientPort = process.env['CLIENT_PORT'] || '5173';

await install();
const { context, stop } = await import('esbuild');
// While it watches, it does not notice that its parent has gone.
beforeEnd(stop);

let abort = new AbortController();
let builds = 0;
let server = Promise.resolve();

/** The one before has given its port and its data free before the next one starts. */
function restart() {
  abort.abort();
  const mine = (abort = new AbortController());
  const isFirst = builds++ === 0;
  server = server.then(async () => {
    if (mine.signal.aborted) return;
    const options = { env: { PORT: port }, abort: mine.signal };
    const { code } = await run(process.execPath, ['--enable-source-maps', join(FOLDER, 'main.js')], options);
    if (mine.signal.aborted) return;
    // One that never was of use ends with its reason; a change that broke it is followed by one that repairs it.
    if (isFirst) await endAll(code || 1);
    say('the server has ended; the next change starts it again');
  });
}

const restarting = {
  name: 'restarting',
  setup({ onEnd }) {
    onEnd(({ errors }) => {
      if (errors.length > 0) return;
      copyThreads(FOLDER);
      restart();
    });
  },
};

say(`http://127.0.0.1:${clientPort} is the client; it speaks to the server on port ${port}`);
const watched = await context({ ...serverBundle(FOLDER), plugins: [restarting] });
await watched.watch();
const vite = await runTool(
  'vite/bin/vite.js',
  ['--host', '127.0.0.1', '--port', clientPort, '--strictPort', '--clearScreen', 'false'],
  {
    env: { REFLOW_SERVER: process.env['REFLOW_SERVER'] || `http://127.0.0.1:${port}` },
  },
);
// One without the other is of no use.
await endAll(vite.code || 1);
