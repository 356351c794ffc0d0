import { relative } from 'node:path';
import { ROOT } from './run.mjs';
import { addLine } from './runLog.mjs';

/** Writes down each file of journeys as soon as the last of its tests is over. */
export default class PlaywrightLog {
  #files = new Map();

  onBegin(_config, suite) {
    for (const { location } of suite.allTests()) {
      const file = relative(ROOT, location.file).replaceAll('\\', '/');
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
    const counts = this.#files.get(relative(ROOT, test.location.file).replaceAll('\\', '/'));
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
