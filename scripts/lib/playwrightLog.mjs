import { relative } from 'node:path';
import { ROOT } from './run.mjs';
import { addLine } from './runLog.mjs';

/** Writes down each file of journeys as soon as the last of its tests is over. */
export default class PlaywrightLog {
  #files = new Map();

  onBegin(_config, suite) {
    for (const test of suite.allTests()) {
      const file = fileOf(test);
      const counts = this.#files.get(file) ?? {
        phase: 'browser',
        file,
        passed: 0,
        failed: 0,
        skipped: 0,
        ms: 0,
        left: 0,
      };
      counts.left += 1;
      this.#files.set(file, counts);
    }
  }

  onTestEnd(test, result) {
    const counts = this.#files.get(fileOf(test));
    const outcome = { expected: 'passed', skipped: 'skipped' }[test.outcome()] ?? 'failed';
    counts[outcome] += 1;
    counts.ms += result.duration;
    counts.left -= 1;
    const { left, ...line } = counts;
    if (left === 0) addLine(ROOT, line);
  }

  printsToStdio() {
    return false;
  }
}

/** The file that runs it; it may be declared by a function of another one. */
function fileOf({ parent }) {
  let suite = parent;
  while (suite.type !== 'file') suite = suite.parent;
  return relative(ROOT, suite.location.file).replaceAll('\\', '/');
}
