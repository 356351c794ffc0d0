// npm run e2e [-- what Playwright takes]: the browser journeys on the built server.
import { findChromium } from './lib/chromium.mjs';
import { runJourneys } from './lib/journeys.mjs';
import { build, checkNode, install } from './lib/ready.mjs';

checkNode();
await install();
const chromium = await findChromium();
if (!chromium || (await build()).code !== 0) process.exit(1);
const { code } = await runJourneys(chromium, process.argv.slice(2));
process.exit(code);
