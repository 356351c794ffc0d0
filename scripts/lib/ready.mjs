import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLED, needsBuild, needsInstall, problemOfNode } from './freshness.mjs';
import { takeTurn, usersOfPackages } from './installing.mjs';
import { endWithParent, ROOT, run, say, took } from './run.mjs';

// Started by hand, one may well go on without the terminal that it was started from.
if (process.env['npm_lifecycle_event']) endWithParent();

/** Ends the process with one sentence when this Node can't run Reflow. */
export function checkNode() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const problem = problemOfNode(process.versions.node, engines.node);
  if (problem) giveUp(problem);
}

/** Installs what package-lock.json names, when that is not there yet; of two at once, one, and never below a running process. */
export async function install() {
  if (!needsInstall(ROOT)) return;
  const endTurn = await takeTurn(join(ROOT, '.cache', 'installing'), (pid) =>
    say(`process ${pid} is installing packages, waiting for it …`),
  );
  process.once('exit', endTurn);
  if (needsInstall(ROOT)) await installNow();
  endTurn();
  process.off('exit', endTurn);
}

async function installNow() {
  const [user] = existsSync(join(ROOT, 'node_modules')) ? usersOfPackages(ROOT) : [];
  if (user) {
    const what = `process ${user.pid} (${user.command.slice(0, 120)})`;
    giveUp(`packages must be installed anew, but ${what} still runs from node_modules; end it, then start again`);
  }
  // An install that is cut short must not be taken for a whole one.
  rmSync(join(ROOT, INSTALLED), { force: true });
  say('installing packages (npm ci) …');
  const started = Date.now();
  // npm shows no progress to a pipe; on a slow network a minute without a word looks like a hang.
  const patience = setInterval(() => say(`still installing (${took(Date.now() - started)}) …`), 15_000);
  const npm = process.env['npm_execpath'];
  const [program, first] = npm ? [process.execPath, [npm]] : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
  // The build needs the development packages, also where NODE_ENV=production would leave them out.
  const { code } = await run(program, [...first, 'ci', '--no-audit', '--no-fund', '--include=dev', '--loglevel=error']);
  clearInterval(patience);
  if (code !== 0) giveUp(`npm ci failed (exit code ${code}); what it said stands above`);
  say(`installed in ${took(Date.now() - started)}`);
}

/** Builds server and client, when the build is older than the sources or `always`. */
export async function build({ always = false } = {}) {
  if (!always && !needsBuild(ROOT)) return { code: 0, ms: 0, output: '' };
  say('building …');
  const result = await run(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { quiet: true });
  if (result.code !== 0) console.error(result.output);
  else say(`built in ${took(result.ms)}`);
  return result;
}

export function giveUp(sentence) {
  console.error(`reflow: ${sentence}`);
  process.exit(1);
}
