/** Tests that ran, in the words of vitest's JSON report; a file that did not load counts as a failure. */
export function countsOfVitest(report) {
  const unloaded = report.testResults.filter((it) => it.status === 'failed' && it.assertionResults.length === 0).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The same of Playwright's; one that passes only the second time is no pass. Errors outside tests count as failures. */
export function countsOfPlaywright({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}
