// What a test file of vitest needs to run: by that it belongs to one of the projects of vitest.config.ts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distancesTo, readImportGraph, stripped } from './importGraph.mjs';

/** The test files of vitest; the journeys and the chaos are not among them. */
export const isTestFile = (file) =>
  /^(?:src\/.*\.test\.tsx?|tests\/[^/]*\.test\.ts|tests\/api\/.*\.test\.ts)$/.test(file);

const DATABASE = 'tests/support/database.ts';

/** Test files that change what the whole process has, in a way that the sources do not tell. */
const ISOLATED = [];

/**
 * All test files, each in one list: `isolated` replaces modules, so it shares none with another file; of the others, `pages`
 * draws pages over a database, `database` needs PostgreSQL, `browser` needs jsdom, and `pure` nothing.
 * @param {string} root
 * @param {Map<string, string[]>} [graph] where it is known
 * @returns {{ pure: string[], browser: string[], database: string[], pages: string[], isolated: string[] }}
 */
export function testKindsOf(root, graph = readImportGraph(root)) {
  const needDatabase = distancesTo(graph, [DATABASE]);
  const kinds = { pure: [], browser: [], database: [], pages: [], isolated: [] };
  for (const file of graph.keys()) if (isTestFile(file)) kinds[kindOf(file)].push(file);
  return kinds;

  function kindOf(file) {
    const source = readFileSync(join(root, file), 'utf8');
    const isOnPage = /@vitest-environment\s+jsdom\b/.test(source);
    const isOnDatabase = needDatabase.has(file) || /\binject\('databaseUrl'\)/.test(source);
    if (ISOLATED.includes(file) || replacesModules(source)) return 'isolated';
    if (isOnDatabase) return isOnPage ? 'pages' : 'database';
    return isOnPage ? 'browser' : 'pure';
  }
}

const MODULES = /\bvi\.(?:mock|doMock|resetModules)\(/;
const replacesModules = (source) => MODULES.test(source) && MODULES.test(stripped(source).code);
