import { relative } from 'node:path';
import { ROOT } from './run.mjs';
import { addLine } from './runLog.mjs';

/** Writes down each test file of vitest as soon as it is over. */
export default class VitestLog {
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
