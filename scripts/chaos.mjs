// npm run chaos [-- kill|races|simulation|statements|browser … --rounds=200 --commands=100000 --seed=… --episode=…
// --scans=500]: the tests of tests/chaos on real PostgreSQL, and those of a station in a browser, at length; without
// names, all of them. `npm test` runs the same, short.
import { findChromium } from './lib/chromium.mjs';
import { runJourneys } from './lib/journeys.mjs';
import { build, checkNode, install } from './lib/ready.mjs';
import { runTool, say, took } from './lib/run.mjs';

const args = process.argv.slice(2);
const option = (name) => args.find((it) => it.startsWith(`--${name}=`))?.slice(name.length + 3);
const names = args.filter((it) => !it.startsWith('--'));
const wants = (part) => names.length === 0 || names.includes(part);
const seed = option('seed') && { SEED: option('seed') };

checkNode();
await install();
const began = Date.now();
const codes = [];
const files = names.filter((it) => it !== 'browser').map((it) => `tests/chaos/${it}.test.ts`);
if (names.length === 0 || files.length > 0) {
  const env = {
    CHAOS: 'long',
    ROUNDS: option('rounds') ?? '200',
    COMMANDS: option('commands') ?? '100000',
    ...seed,
    ...(option('episode') && { EPISODE: option('episode') }),
  };
  const wanted = files.length > 0 ? files : ['tests/chaos'];
  codes.push((await runTool('vitest/vitest.mjs', ['run', '--maxWorkers=1', ...wanted], { env })).code);
}
if (wants('browser')) codes.push(await browser());
const code = codes.some((it) => it !== 0) ? 1 : 0;
say(`${code === 0 ? 'nothing lost, nothing twice' : 'something went wrong'}, after ${took(Date.now() - began)}`);
process.exit(code);

async function browser() {
  const chromium = await findChromium();
  if (!chromium || (await build()).code !== 0) return 1;
  Object.assign(process.env, {
    CHAOS: 'long',
    ROUNDS: option('rounds') ?? '20',
    SCANS: option('scans') ?? '500',
    ...seed,
  });
  return (
    await runJourneys(
      chromium,
      ['chaos', 'deadWire', 'bursts', 'overlays', 'parcelToDelivery'].map((it) => `tests/e2e/${it}.spec.ts`),
    )
  ).code;
}
