// npm test -- --changed: what is to be run for a change, the nearest first.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { distancesTo } from './importGraph.mjs';
import { featureOf, isJourney, readJourneyAreas } from './journeyAreas.mjs';

/** What runs before each test file. */
const SETUP = [
  'tests/support/setup.ts',
  'tests/support/globalSetup.ts',
  'src/app/testing/setup.ts',
  'vitest.config.ts',
];
/** What the product starts from: a change that they reach is seen in the browser. */
const ENTRIES = ['src/main/server.ts', 'src/main/browser.tsx'];
/** Of a file that never ran here, in ms. */
const USUAL = { pure: 1_000, isolated: 4_000, pages: 6_000, browser: 4_000, database: 6_000, journeys: 45_000 };
/** Of a pure test, in ms: half of all their time is in three files. */
const LONG = 5_000;
/** As much as a developer waits for: the files of vitest run two at a time, the journeys beside them. */
export const PATIENCE = { tests: 60_000, journeys: 45_000 };

/**
 * The test files and journeys that a change reaches, the nearest first, and no more than `patience` has time for. The pure tests
 * run anyway, but for long ones beside what they test.
 * @param {string} root
 * @param {{ graph: Map<string, string[]>, kinds: Record<string, string[]>, changed: string[], times: Record<string, number>,
 * patience?: { tests: number, journeys: number } }} known
 */
export function selectTests(root, { graph, kinds, changed, times, patience = PATIENCE }) {
  const distances = distancesTo(graph, changed);
  const isLong = (file) => file.startsWith('src/') && (times[file] ?? 0) > LONG;
  const asked = { ...kinds, pure: kinds.pure.filter(isLong) };
  const tests = candidates(root, Object.keys(kinds), { kinds: asked, changed, times, distances });
  const journeys = journeysFor(root, graph, distances, changed).map((it) => ({
    ...it,
    ms: times[it.file] ?? USUAL.journeys,
  }));
  const [chosen, leftTests] = nearest(tests, patience.tests);
  const [walks, leftJourneys] = nearest(journeys, patience.journeys);
  const always = kinds.pure.filter((it) => !isLong(it));
  return { tests: [...always, ...chosen], journeys: walks, leftOut: { tests: leftTests, journeys: leftJourneys } };
}

/**
 * All test files that a change reaches, the nearest first.
 * @param {string} root
 * @param {{ graph: Map<string, string[]>, kinds: Record<string, string[]>, changed: string[], times: Record<string, number> }} known
 * @returns {string[]}
 */
export function nearestTests(root, { graph, kinds, changed, times }) {
  const distances = distancesTo(graph, changed);
  return nearest(candidates(root, Object.keys(kinds), { kinds, changed, times, distances }), Infinity)[0];
}

function candidates(root, some, { kinds, changed, times, distances }) {
  const isSetup = changed.some((it) => SETUP.includes(it));
  const modules = changed.filter(isDefinition).map((it) => basename(it, '.json'));
  return some.flatMap((kind) =>
    kinds[kind].map((file) => ({
      file,
      distance: distances.get(file) ?? (isSetup ? 1 : undefined),
      isAbout: changed.some((it) => foldersBetween(file, it) === 0) || names(root, file, modules),
      apart: Math.min(...changed.map((it) => foldersBetween(file, it))),
      ms: times[file] ?? USUAL[kind],
    })),
  );
}

const isDefinition = (file) => /^definitions\/.+\/.+\.json$/.test(file);

function names(root, file, modules) {
  if (modules.length === 0 || !existsSync(join(root, file))) return false;
  const source = readFileSync(join(root, file), 'utf8');
  return modules.some((it) => source.includes(it));
}

/**
 * First what is about the change: a test in its folder, or that names its module. A server's test leads by way of all features
 * to each of them, so that how many imports lie between says little there. The first of all always, however long it takes.
 */
function nearest(all, ms) {
  const reached = all
    .filter((it) => it.distance !== undefined)
    .sort(
      (a, b) =>
        Boolean(b.isAbout) - Boolean(a.isAbout) ||
        a.distance - b.distance ||
        a.apart - b.apart ||
        a.ms - b.ms ||
        (a.file < b.file ? -1 : 1),
    );
  const chosen = [];
  const leftOut = [];
  let left = ms;
  for (const it of reached) {
    if (chosen.length > 0 && it.ms > left) {
      leftOut.push(it.file);
      continue;
    }
    chosen.push(it.file);
    left -= it.ms;
  }
  return [chosen, leftOut];
}

/** Steps up and down again. */
function foldersBetween(a, b) {
  const [one, other] = [a, b].map((it) => it.split('/').slice(0, -1));
  const same = one.findIndex((it, i) => it !== other[i]);
  const shared = same < 0 ? one.length : same;
  return one.length + other.length - 2 * shared;
}

/** As near as the change is to a feature or a definition, and that to the journey. */
function journeysFor(root, graph, distances, changed) {
  const { modulesOf, nearness, countOf, journeys } = readJourneyAreas(root, graph);
  const touched = new Map();
  for (const [file, distance] of distances) {
    const feature = featureOf(file);
    if (!feature || /\.test\.tsx?$/.test(file)) continue;
    touched.set(feature, Math.min(distance, touched.get(feature) ?? Infinity));
  }
  const areas = [...touched].map(([feature, distance]) => ({ distance, modules: modulesOf(feature) }));
  for (const file of changed) {
    if (isDefinition(file)) areas.push({ distance: 0, modules: new Set([basename(file, '.json')]) });
  }
  const entry = Math.min(...ENTRIES.map((it) => distances.get(it) ?? Infinity));
  return journeys.map((file) => {
    const ways = areas.map((it) => it.distance + (nearness(file, it.modules) ?? Infinity));
    // Nothing of it says where in the product the change is: any journey may meet it.
    const distance = Math.min(distances.get(file) ?? Infinity, entry + 3, ...ways);
    // Of several, the one that is about little else.
    return {
      file,
      apart: countOf(file),
      distance: Number.isFinite(distance) && isJourney(file) ? distance : undefined,
    };
  });
}
