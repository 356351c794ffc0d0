// npm run check: format, lint with the walls, lint by types, the type checks; as many at once as there are cores.
// `check.mjs lint` and `check.mjs types` (npm run lint, npm run typecheck) run those alone.
import { availableParallelism } from 'node:os';
import { readOptions } from './lib/options.mjs';
import { checkNode, install } from './lib/ready.mjs';
import { runTool, took } from './lib/run.mjs';

const tsc = (name) => ({
  name: `types ${name}`,
  file: '@typescript/native/bin/tsc',
  // What has not changed since the last look is not looked at again.
  args: ['-p', `tsconfig.${name}.json`, '--incremental', '--tsBuildInfoFile', `.cache/types-${name}.tsbuildinfo`],
});
const ALL = [
  {
    name: 'lint, walls',
    file: 'eslint/bin/eslint.js',
    args: ['src', 'tests', '--max-warnings=0', '--cache', '--cache-location=.cache/eslint', '--cache-strategy=content'],
  },
  // All other rules: React's, and those that must know types, on the compiler of the type checks. ESLint takes minutes for them.
  { name: 'lint, rules', file: 'oxlint/bin/oxlint', args: ['.'] },
  { name: 'format', file: 'oxfmt/bin/oxfmt', args: ['--check'] },
  tsc('app'),
  tsc('server'),
  tsc('e2e'),
  tsc('pure'),
];
const partOf = (check) => check.name.split(/,? /)[0];
const PARTS = [...new Set(ALL.map(partOf))];
checkNode();
const { words: parts } = readOptions(`npm run check [-- ${PARTS.join(' ')}]`, {}, (it) => PARTS.includes(it));
const CHECKS = parts.length > 0 ? ALL.filter((it) => parts.includes(partOf(it))) : ALL;

await install();
const waiting = [...CHECKS];
const results = new Map();
async function worker() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    results.set(check.name, await runTool(check.file, check.args, { quiet: true }));
  }
}
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));

for (const { name } of CHECKS) {
  const { code, output } = results.get(name);
  if (code !== 0) console.log(`\n── ${name}\n${output.trimEnd()}`);
}
console.log('');
for (const { name } of CHECKS) {
  const { code, ms, cpu } = results.get(name);
  console.log(
    `  ${code === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(14)} ${took(ms).padStart(12)} ${took(cpu).padStart(12)} CPU`,
  );
}
process.exit([...results.values()].some((it) => it.code !== 0) ? 1 : 0);
