// The commands of an operator, built beside the server: without the client, so that one that is served stays as it is.
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_COMMANDS } from './freshness.mjs';
import { ROOT } from './run.mjs';
import { commandBundle } from './serverBundle.mjs';

export async function buildCommands() {
  // A development package: where there is none, the commands are run as they were built.
  const { build } = await import('esbuild');
  const started = new Date();
  const mark = join(ROOT, BUILT_COMMANDS);
  rmSync(join(mark, '..'), { recursive: true, force: true });
  await build(commandBundle('dist/server'));
  mkdirSync(join(mark, '..'), { recursive: true });
  writeFileSync(mark, '');
  utimesSync(mark, started, started);
}
