/** Tests that ran, in the words of vitest's JSON report; a file that did not load counts as a failure. */
export function countsOfVitest(report) {
  const unloaded = report.testResults.filter((it) => it.status === 'failed' && it.assertionResults.length === 0).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap((file) => [
      ...(file.status === 'failed' && file.assertionResults.length === 0 ? [told(file.name, file.message)] : []),
      ...file.assertionResults
        .filter((it) => it.status === 'failed')
        .map((it) => told(`${file.name}: ${it.fullName}`, it.failureMessages[0])),
    ]),
  };
}

/** The same of Playwright's; one that passes only the second time is no pass. Errors outside tests count as failures. */
export function countsOfPlaywright({ stats, errors, suites }) {
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
          return told(`${it.file}: ${it.title}${at}`, error?.message);
        }),
    ],
  };
}

const specsOf = (suites = []) => suites.flatMap((it) => [...(it.specs ?? []), ...specsOf(it.suites)]);

/** What failed and the first lines of why: the last thing that a run says, where a log is often cut at its head. */
function told(what, why = '') {
  const plain = why.replace(/\u001b\[[0-9;]*m/g, '');
  return `${what}\n      ${plain.split('\n').slice(0, 12).join('\n      ')}`;
}
