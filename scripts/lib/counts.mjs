import { relative } from 'node:path';

/**
 * Tests that ran, in the words of vitest's JSON report; an error outside of tests (a file that does not load, a hook, a
 * rejection that nobody handles) counts as a failure.
 * @param {object} report
 * @param {(file: string) => string | undefined} [projectOf] the project of vitest to which a file belongs
 * @param {{ file?: string, message: string }[]} [outside] errors outside of tests
 */
export function countsOfVitest(report, root, projectOf = () => undefined, outside = []) {
  const again = (name, title) => {
    const file = pathFrom(root, name);
    const project = projectOf(file);
    return ['npx vitest run', project && `--project=${project}`, file, title && `-t ${quoted(escaped(title))}`]
      .filter(Boolean)
      .join(' ');
  };
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + outside.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...outside.map(({ file, message }) =>
        told(`outside of the tests${file ? `: ${file}` : ''}`, message, file && again(file)),
      ),
      ...report.testResults.flatMap((file) =>
        file.assertionResults
          .filter((it) => it.status === 'failed')
          .map((it) => told(`${file.name}: ${it.fullName}`, it.failureMessages[0], again(file.name, it.fullName))),
      ),
    ],
  };
}

/** The same of Playwright's; one that passes only the second time is no pass. Errors outside tests count as failures. */
export function countsOfPlaywright({ config, stats, errors, suites }, root) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: [
      ...errors.map((it) => told('outside of the tests', it.message)),
      ...specsOf(suites)
        .filter((it) => !it.ok)
        .map((it) => {
          const error = it.tests[0]?.results[0]?.errors.at(-1);
          const at = error?.location ? ` (line ${error.location.line} of ${error.location.file})` : '';
          const again = `npm run e2e -- ${pathFrom(root, `${config.rootDir}/${it.file}`)}:${it.line}`;
          return told(`${it.file}: ${it.title}${at}`, error?.message, again);
        }),
    ],
  };
}

const specsOf = (suites = []) => suites.flatMap((it) => [...(it.specs ?? []), ...specsOf(it.suites)]);

/** What failed and the first lines of why: the last thing that a run says, where a log is often cut at its head. */
function told(what, why = '', again = undefined) {
  const plain = why.replace(/\u001b\[[0-9;]*m/g, '');
  const lines = [...plain.split('\n').slice(0, 12), ...(again ? [`again: ${again}`] : [])];
  return `${what}\n      ${lines.join('\n      ')}`;
}

const pathFrom = (root, file) => relative(root, file).replaceAll('\\', '/');
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
/** What is looked for is a regular expression. */
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
