// What a run of the tests did, written line by line: one that is cut short has its lines as well.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const logOf = (root) => join(root, '.cache', 'test-run.jsonl');
const timesOf = (root) => join(root, '.cache', 'test-times.json');
const greenOf = (root) => join(root, '.cache', 'test-green.json');

/**
 * @typedef {{ phase: string, file?: string, passed: number, failed: number, skipped: number, ms: number }} Line
 * of a test file, or of a phase without files
 */

/** Begins a run of this tree; the times of the one before are kept. */
export function beginLog(root, tree) {
  writeJson(timesOf(root), readTimes(root));
  writeFileSync(logOf(root), `${JSON.stringify({ tree })}\n`);
}

/** @param {string} root @param {Line} line */
export const addLine = (root, line) => appendFileSync(logOf(root), `${JSON.stringify(line)}\n`);

/**
 * The last run: what it said last of each file and phase.
 * @returns {{ tree?: string, lines: Map<string, Line> }}
 */
export function readLog(root) {
  const lines = new Map();
  if (!existsSync(logOf(root))) return { lines };
  let tree;
  for (const text of readFileSync(logOf(root), 'utf8').split('\n')) {
    const line = parse(text);
    if (line?.phase) lines.set(line.file ?? line.phase, line);
    else tree ??= line?.tree;
  }
  return { tree, lines };
}

/** How many ms each test file took when it ran last. @returns {Record<string, number>} */
export function readTimes(root) {
  const times = existsSync(timesOf(root)) ? (parse(readFileSync(timesOf(root), 'utf8')) ?? {}) : {};
  for (const { file, ms } of readLog(root).lines.values()) if (file && ms > 0) times[file] = Math.round(ms);
  return times;
}

/** What of these was red in that run, or is missing in it. */
export const unfinished = (names, { lines }) => names.filter((it) => lines.get(it)?.failed !== 0);

/** The tree whose whole run was green last, with the line that tells it. */
export const readGreen = (root) => (existsSync(greenOf(root)) ? parse(readFileSync(greenOf(root), 'utf8')) : undefined);
export const writeGreen = (root, green) => writeJson(greenOf(root), green);
export const forgetGreen = (root) => rmSync(greenOf(root), { force: true });

/** The last line of a run that was killed may be half a line. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function writeJson(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}
