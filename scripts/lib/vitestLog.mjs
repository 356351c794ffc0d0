import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './run.mjs';
import { addLine } from './runLog.mjs';

/** Where errors outside of tests are kept, as vitest's own JSON report has none of them. */
export const outsideFile = (root) => join(root, '.cache', 'vitest-outside.json');

/** Writes down each test file of vitest as soon as it is over, and at the end what failed outside of tests. */
export default class VitestLog {
  onTestRunEnd(modules, unhandled) {
    const suites = modules.flatMap((it) => [it, ...it.children.allSuites()].map((suite) => [it, suite]));
    const inHooks = suites.flatMap(([module, suite]) => suite.errors().map((it) => ({ ...it, file: module.moduleId })));
    const all = [...inHooks, ...unhandled.map((it) => ({ ...it, file: it.VITEST_TEST_PATH }))];
    const told = all.map(({ file, name, message, stack }) => ({ file, message: stack || `${name}: ${message}` }));
    writeFileSync(outsideFile(ROOT), JSON.stringify(told));
  }

  onTestModuleEnd(module) {
    const states = [...module.children.allTests()].map((it) => it.result().state);
    const count = (state) => states.filter((it) => it === state).length;
    const failed = count('failed') || (module.state() === 'failed' ? 1 : 0);
    const { duration, collectDuration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
    addLine(ROOT, {
      phase: 'vitest',
      file: relative(ROOT, module.moduleId).replaceAll('\\', '/'),
      passed: count('passed'),
      failed,
      skipped: count('skipped'),
      ms: Math.round(duration + collectDuration + environmentSetupDuration + prepareDuration + setupDuration),
    });
  }
}
