// npm run chaos [-- kill|races|simulation|statements … --rounds=200 --commands=100000 --seed=… --episode=…]: the tests of
// tests/chaos at length, on real PostgreSQL; without names, all of them. `npm test` runs the same, short.
import { checkNode, install } from './lib/ready.mjs';
import { runTool, say, took } from './lib/run.mjs';

const args = process.argv.slice(2);
const option = (name) => args.find((it) => it.startsWith(`--${name}=`))?.slice(name.length + 3);
const names = args.filter((it) => !it.startsWith('--'));

checkNode();
await install();
const env = {
  CHAOS: 'long',
  ROUNDS: option('rounds') ?? '200',
  COMMANDS: option('commands') ?? '100000',
  ...(option('seed') && { SEED: option('seed') }),
  ...(option('episode') && { EPISODE: option('episode') }),
};
const files = names.length > 0 ? names.map((it) => `tests/chaos/${it}.test.ts`) : ['tests/chaos'];
const { code, ms } = await runTool('vitest/vitest.mjs', ['run', '--maxWorkers=1', ...files], { env });
say(`${code === 0 ? 'nothing lost, nothing twice' : 'something went wrong'}, after ${took(ms)}`);
process.exit(code);
