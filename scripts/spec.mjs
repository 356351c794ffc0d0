// npm run spec: which requirements a test proves. A test names them at the end of its title: [W-RCV-12], [A-B-01, A-B-02].
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readOptions } from './lib/options.mjs';
import { ROOT } from './lib/run.mjs';

const USAGE = 'npm run spec [-- --area=AREA,… --root=FOLDER]';
const { values } = readOptions(USAGE, { area: /./, root: /./ });
const { root = ROOT, area: asked } = values;
const areas = asked?.split(',');

const rows = readFileSync(join(root, 'tests', 'requirements.tsv'), 'utf8')
  .split('\n')
  .slice(1)
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [id, area, kind, requirement] = line.split('\t');
    return { id, area, kind, requirement };
  });

const proven = new Map();
for (const file of testFiles()) {
  for (const id of idsIn(readFileSync(file, 'utf8'))) {
    proven.set(id, [...(proven.get(id) ?? []), relative(root, file)]);
  }
}

const shown = areas ? rows.filter((it) => areas.includes(it.area)) : rows;
const unknownAreas = (areas ?? []).filter((area) => !rows.some((it) => it.area === area));
for (const area of new Set(shown.map((it) => it.area))) {
  const all = shown.filter((it) => it.area === area);
  const missing = all.filter((it) => !proven.has(it.id));
  console.log(`${area.padEnd(22)} ${String(all.length - missing.length).padStart(3)} / ${all.length}`);
  for (const it of missing) console.log(`    ${it.id}  ${shorten(it.requirement)}`);
}
console.log(`\n${shown.filter((it) => proven.has(it.id)).length} of ${shown.length} requirements are proven`);

const known = new Set(rows.map((it) => it.id));
const unknown = [...proven].filter(([id]) => !known.has(id));
for (const [id, files] of unknown) console.error(`${id} is no requirement, but cited in ${files.join(', ')}`);
for (const area of unknownAreas) console.error(`${area} is no area`);
process.exit(unknown.length + unknownAreas.length > 0 ? 1 : 0);

function testFiles() {
  return ['src', 'tests']
    .map((it) => join(root, it))
    .filter((it) => existsSync(it))
    .flatMap((it) => readdirSync(it, { recursive: true }).map((name) => join(it, name)))
    .filter((it) => /\.(test|spec)\.tsx?$/.test(it));
}

/** The ids in the titles of tests that run; one in a comment, or of a test that is skipped, proves nothing. */
function idsIn(source) {
  const code = source.replace(/^\s*(\/\/|\/?\*).*$/gm, '');
  const calls = [...code.matchAll(/\b(?:it|test|describe)((?:\.\w+)*)\s*[(`]/g)];
  const ids = new Set();
  for (const match of code.matchAll(/\[([A-Z]-[A-Z]{3}-\d+(?:\s*,\s*[A-Z]-[A-Z]{3}-\d+)*)\]/g)) {
    const call = calls.findLast((it) => it.index < match.index);
    if (!call || /\.(skip|todo|fixme|fails)\b/.test(call[1])) continue;
    for (const id of match[1].split(',')) ids.add(id.trim());
  }
  return ids;
}

function shorten(sentence) {
  const width = Math.max(60, (process.stdout.columns ?? 160) - 16);
  return sentence.length > width ? `${sentence.slice(0, width - 1)}…` : sentence;
}
