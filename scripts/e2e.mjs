// npm run e2e [-- what Playwright takes]: the browser journeys on the built server, in Chromium; with --browser=firefox or
// --browser=webkit the journey of tests/browsers in that one, which Debian's packages bring.
import { findChromium } from './lib/chromium.mjs';
import { runJourneys } from './lib/journeys.mjs';
import { findBrowser, NAMES } from './lib/otherBrowsers.mjs';
import { build, checkNode, giveUp, install } from './lib/ready.mjs';

checkNode();
const OPTION = '--browser=';
const args = process.argv.slice(2);
const name = args.find((it) => it.startsWith(OPTION))?.slice(OPTION.length) ?? 'chromium';
if (name !== 'chromium' && !NAMES.includes(name)) giveUp(`--browser is one of chromium, ${NAMES.join(', ')}`);
await install();
const program = name === 'chromium' ? await findChromium() : await findBrowser(name);
if (!program || (await build()).code !== 0) process.exit(1);
const rest = args.filter((it) => !it.startsWith(OPTION));
const { code } =
  name === 'chromium'
    ? await runJourneys(program, rest)
    : // Node 20 has the WebSocket by which Firefox is driven behind this option, later ones have it anyhow.
      await runJourneys('', ['--project=browsers', ...rest], {
        E2E_BROWSER: `${name}=${program}`,
        NODE_OPTIONS: '--experimental-websocket',
      });
process.exit(code);
